#!/usr/bin/env -S python3 -B
"""The jobs that docs/gate.md gives to paste, in what the image debian:12 is: debootstrap's smallest Debian 12, without git, certificates and
lists of packages. Each installs and builds what it needs there, and gates a change of somebody's kernel, whose checkout belongs to another user.

  tests/cli/gate_jobs.py CLREDUCE [PLACE]    PLACE: where the root is made, and stays (default: a folder that goes again)

Takes a quarter of an hour. Exit status 77 where no root can be made."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from debian import ROOT, Root, Unavailable, mounts_end_with_this_program  # noqa: E402

STEPS = ROOT / "tests/cli/gate/steps.py"
GIT = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
       **{f"GIT_{who}_{what}": "tests@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
OTHER_USER = 1001
failed = False


def judge(text, good, why=""):
    global failed
    failed = failed or not good
    print(f"ok    {text}" if good else f"FAIL  {text}: {why}", flush=True)


def git(folder, *command):
    return subprocess.run(["git", "-C", str(folder), *command], env=GIT, check=True, capture_output=True, text=True).stdout.strip()


def kernel():
    """The whole kernel file of a reduction that the page shows."""
    return (ROOT / "docs/kernels/row_sum.cl").read_text(encoding="utf-8")


def make_repositories(root):
    """clreduce, and somebody's repository with a change that leaves main. The commits of clreduce and of the change's base."""
    places = [root.folder / "srv" / name for name in ("clreduce.git", "theirs")]
    for place in places:
        shutil.rmtree(place, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(ROOT), str(places[0])], env=GIT, check=True)
    theirs = places[1]
    (theirs / "kernels").mkdir(parents=True)
    git(theirs, "init", "-q", "-b", "main")
    for branch, text in (("main", kernel()), ("change", f"{kernel()}// a comment\n")):
        if branch != "main":
            git(theirs, "checkout", "-q", "-b", branch)
        (theirs / "kernels/mine.cl").write_text(text, encoding="utf-8")
        git(theirs, "add", "--all")
        git(theirs, "commit", "-q", "-m", branch)
    return git(ROOT, "rev-parse", "HEAD"), git(theirs, "rev-parse", "main")


def run_job(root, ci, pinned, base):
    """In a fresh root, since a job has one; what apt has fetched is kept where it is."""
    checkout, artifacts = root.folder / "srv/checkout", root.folder / "srv/artifacts"
    for place in (checkout, artifacts):
        shutil.rmtree(place, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "--branch", "change", str(root.folder / "srv/theirs"), str(checkout)], env=GIT, check=True)
    for path in (checkout, *checkout.rglob("*")):
        os.chown(path, OTHER_USER, OTHER_USER, follow_symlinks=False)
    shutil.rmtree(root.folder / "var/lib/apt/lists", ignore_errors=True)
    summary = root.folder / "srv/summary"
    summary.write_text("", encoding="utf-8")
    done = subprocess.run([sys.executable, str(STEPS), ci, str(ROOT / f"bench/gating/ci/{ci}.yml"), str(artifacts),
                           "OPTIONS=--device pocl --type f32 --op sum --wg 64 --n 2^12 --profile fast", "CLREDUCE_URL=/srv/clreduce.git",
                           f"CLREDUCE_COMMIT={pinned}", "GITHUB_BASE_REF=main", f"CI_MERGE_REQUEST_DIFF_BASE_SHA={base}",
                           "GITHUB_STEP_SUMMARY=/srv/summary"], cwd=checkout, env={**os.environ, "STEPS_ROOT": str(root.folder)},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    lines = done.stdout.splitlines()
    written = artifacts / "gate-kernel/summary.md"
    told = written.read_text(encoding="utf-8") if written.exists() else ""
    why = "\n".join(lines[-60:])
    judge(f"{ci}: the job ends with success", lines[-1:] == ["success"], why)
    judge(f"{ci}: git was installed by the job", any("Setting up git " in line for line in lines), why)
    judge(f"{ci}: clreduce was built there", any(line.startswith("verify: ") and ", 0 wrong on " in line for line in lines), why)
    judge(f"{ci}: its summary", told.startswith("## kernels/mine.cl: passes"), told)
    judge(f"{ci}: instructions are counted", "Instructions: exactly as many as at" in told, told)
    print("\n".join(line for line in lines if line.startswith(("steps: ", "clreduce: ", "## ", "- "))))


def main():
    place = sys.argv[2] if len(sys.argv) > 2 else None
    mounts_end_with_this_program()
    for ci in ("github", "gitlab"):
        with tempfile.TemporaryDirectory() as folder:
            root = Root("bookworm", pathlib.Path(place or folder) / f"debian-12-{ci}", packages="")
            try:
                root.make(lambda text: print(text, flush=True))
                shutil.rmtree(root.folder / "var/lib/apt/lists", ignore_errors=True)
                run_job(root, ci, *make_repositories(root))
            except Unavailable as reason:
                print(f"skipped: {reason}")
                return 77
            finally:
                root.unmount()
    return 1 if failed else 0


sys.exit(main())
