#!/usr/bin/env -S python3 -B
"""Runs the commands of a CI's job in the current folder, a fresh checkout, as the CI would: the same shell, only the
variables that the job and the command line set, artifacts collected at the end. A stand-in for what it needs of
GitHub's runner and of GitLab's, and no more: whatever else a job says is an error here. What GitHub's runner would take for a command in
the log is told in a line "steps: command NAME DATA".

  steps.py github|gitlab FILE ARTIFACTS [NAME=VALUE...]    (of the job `gate`, or of the only one)

  steps.py log                                             (what GitHub would make of the log at the standard input)

Where STEPS_ROOT names the root of another system, which holds the current folder, the commands run in there, in place of a container.

Last line: what the CI would show of the job, "success", "warning" or "failure". Exit status: 0, or 4 where the job is
none that this can run."""
import glob
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

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


# Those of actions/runner, src/Runner.Worker/ActionCommandManager.cs.
COMMANDS = ("add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "internal-set-repo-path", "notice",
            "remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning")


class GithubLog:
    """Reads a log as GitHub's runner does: "::" begins a command behind blanks at the head of a line, "##[" anywhere in it (src/Runner.Common/
    ActionCommand.cs). Between ::stop-commands::WORD and ::WORD:: there are none. The two outputs are read side by side, so that a line of standard
    error may be read before the stop that was written before it: there commands always count."""

    def __init__(self):
        self.word = None

    def command_of(self, line):
        known = (*COMMANDS, self.word or "")
        found = re.match(r"\s*::([^ :]+)(?: .*?)?::(.*)", line)
        if not found or found[1].lower() not in known:
            found = re.search(r"##\[([^ \]]+)[^\]]*\](.*)", line)
        return (found[1].lower(), found[2]) if found and found[1].lower() in known else (None, "")

    def read(self, stream, is_error):
        # "\r" ends a line there, too (StreamReader.ReadLine of .NET).
        for line in io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline=None):
            line = line.rstrip("\n")
            print(line, flush=True)
            name, data = self.command_of(line)
            if name is None:
                continue
            if self.word and not is_error:
                self.word = None if name == self.word else self.word
                continue
            print(f"steps: command {name} {data}", flush=True)
            if name == "stop-commands" and not is_error:
                self.word = data


def run(shell, script, variables, log=None):
    environment = {**os.environ, "CI": "true", **variables}
    pipe = subprocess.PIPE if log else None
    root, command = os.environ.get("STEPS_ROOT"), [*shell, "-c", script]
    if root:
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "CI": "true", **variables}
        command = ["chroot", root, "env", "-C", f"/{os.path.relpath(os.getcwd(), root)}", *command]
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as done:
        readers = [threading.Thread(target=log.read, args=stream) for stream in ((done.stdout, False), (done.stderr, True))] if log else []
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
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
    known("job", job, ("runs-on", "container", "timeout-minutes", "steps", "env"))
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
            # Of a container GitHub takes the plain shell.
            shell = "sh" if "container" in job else "bash"
            failed = run([shell, "-e"], step["run"], {"GITHUB_ACTIONS": "true", **variables}, GithubLog()) != 0 or failed
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
    if sys.argv[1:] == ["log"]:
        GithubLog().read(sys.stdin.buffer, False)
        return
    ci, path, artifacts, *settings = sys.argv[1:]
    with open(path, encoding="utf-8") as stream:
        content = yaml.safe_load(stream)
    jobs = content["jobs"] if ci == "github" else content
    job = jobs["gate"] if "gate" in jobs else next(iter(jobs.values()))
    variables = dict(setting.split("=", 1) for setting in settings)
    print({"github": github, "gitlab": gitlab}[ci](job, artifacts, variables))


main()
