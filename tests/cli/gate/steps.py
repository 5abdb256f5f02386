#!/usr/bin/env -S python3 -B
"""Runs the commands of a CI's job in the current folder, a fresh checkout, as the CI would: the same shell, only the
variables that the job and the command line set, artifacts collected at the end. A stand-in for what it needs of
GitHub's runner and of GitLab's, and no more: whatever else a job says is an error here.

  steps.py github|gitlab FILE ARTIFACTS [NAME=VALUE...]    (of the job `gate`, or of the only one)

Last line: what the CI would show of the job, "success", "warning" or "failure". Exit status: 0, or 4 where the job is
none that this can run."""
import glob
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # nor where another Python than its own runs it
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
from script import library  # noqa: E402

yaml = library("yaml")


def refuse(text):
    print(f"steps: {text}", file=sys.stderr)
    sys.exit(4)


def known(what, keys, allowed):
    for key in keys:
        if key not in allowed:
            refuse(f"{what}: '{key}' is not known here")


def run(shell, script, variables):
    environment = {**os.environ, "CI": "true", **variables}
    done = subprocess.run([*shell, "-c", script], env=environment, stdin=subprocess.DEVNULL)
    print(f"steps: exit status {done.returncode}", flush=True)
    return done.returncode


def collect(patterns, folder):
    """Paths keep what they have below the folder of the checkout; none at all is an error."""
    found = [path for pattern in patterns for path in glob.glob(pattern, recursive=True)]
    if not found:
        refuse(f"no artifact is there: {patterns}")
    for path in found:
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(folder, path), dirs_exist_ok=True)
        else:
            shutil.copy(path, os.path.join(folder, path))


def github(job, artifacts, variables):
    known("job", job, ("runs-on", "timeout-minutes", "steps", "env"))
    variables = {**job.get("env", {}), **variables}
    failed = False
    for step in job["steps"]:
        known("step", step, ("name", "uses", "with", "if", "run"))
        if "if" in step and step["if"].split(" && ")[0] != "always()":
            refuse(f"if: {step['if']}")
        if failed and "if" not in step:
            continue
        if "run" in step:
            if "${{" in step["run"]:
                refuse("an expression in a command lets names of branches be commands")
            failed = run(["bash", "-e"], step["run"], {"GITHUB_ACTIONS": "true", **variables}) != 0 or failed
        elif step["uses"].startswith("actions/upload-artifact@"):
            collect(step["with"]["path"].split(), artifacts)
        elif not step["uses"].startswith(("actions/checkout@", "actions/cache/restore@", "actions/cache/save@")):
            refuse(f"uses: {step['uses']}")
    return "failure" if failed else "success"


def gitlab(job, artifacts, variables):
    known("job", job, ("image", "rules", "interruptible", "timeout", "variables", "cache", "script", "allow_failure",
                       "artifacts"))
    given = {name: str(value) for name, value in job["variables"].items()}
    status = run(["bash"], "\n".join(["set -eo pipefail", *job["script"]]), {"GITLAB_CI": "true", **given, **variables})
    if job["artifacts"]["when"] == "always" or status == 0:
        collect(job["artifacts"]["paths"] + [job["artifacts"]["reports"]["junit"]], artifacts)
    if status in job["allow_failure"]["exit_codes"]:
        return "warning"
    return "failure" if status else "success"


def main():
    ci, path, artifacts, *settings = sys.argv[1:]
    with open(path, encoding="utf-8") as stream:
        content = yaml.safe_load(stream)
    jobs = content["jobs"] if ci == "github" else content
    job = jobs["gate"] if "gate" in jobs else next(iter(jobs.values()))
    variables = dict(setting.split("=", 1) for setting in settings)
    print({"github": github, "gitlab": gitlab}[ci](job, artifacts, variables))


main()
