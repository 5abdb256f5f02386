"""The repository of somebody's kernel file: its commits, and the kernel as it was at one of them."""

import os
import re
import subprocess
from pathlib import Path

BAD_USAGE = 4

DEEPER = ("give the job the history: fetch-depth: 0 in actions/checkout, GIT_DEPTH: 0 on GitLab, "
          "git fetch --unshallow origin elsewhere")


class Failure(Exception):
    """What ends the program, with its exit status."""

    def __init__(self, text, status=BAD_USAGE):
        super().__init__(text)
        self.status = status


class Repository:
    def __init__(self, kernel):
        """Of the kernel file `kernel`, which need not be there any more."""
        given = Path(os.path.abspath(kernel))
        folder = given.parent.resolve()
        if not folder.is_dir():
            raise Failure(f"{kernel}: there is no folder {given.parent}")
        # git may have started us, in a hook or in a bisection, with its own settings.
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")}
        self.environment["GIT_TERMINAL_PROMPT"] = "0"
        self.folder = folder
        top, said = self.ask("rev-parse", "--show-toplevel")
        if top is None:
            raise Failure(f"{kernel} lies in no git repository that can be read: {said}")
        self.folder = Path(top)
        self.file = folder / given.name
        self.path = self.file.relative_to(self.folder.resolve()).as_posix()

    def ask(self, *command):
        """(what git prints, ""), or (None, what it complains of)."""
        try:
            done = subprocess.run(["git", "-C", str(self.folder), *command], capture_output=True, stdin=subprocess.DEVNULL,
                                  env=self.environment, check=False)
        except OSError as error:
            raise Failure(f"git cannot be started: {error.strerror}") from None
        if done.returncode != 0:
            return None, (done.stderr.decode(errors="replace").strip().splitlines() or [f"git {command[0]} failed"])[-1]
        return done.stdout.decode(errors="replace").rstrip("\n"), ""

    def commit(self, ref):
        return self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")[0]

    def short(self, commit):
        return self.ask("rev-parse", "--short", commit)[0] or commit[:9]

    def parting(self, ref):
        """The commit at which HEAD has left ref; None where this clone does not hold it."""
        commit = self.commit(ref)
        return commit and self.ask("merge-base", commit, "HEAD")[0]

    def deepen(self, ref):
        """Fetches the history of a shallow clone, with the branch or the commit `ref`. What was complained of, if anything."""
        branch = ref.removeprefix("origin/")
        named = [f"+refs/heads/{branch}:refs/remotes/origin/{branch}"] if branch != ref else []
        said = self.ask("fetch", "--quiet", "--unshallow", "origin", *named)[1]
        if not said and re.fullmatch("[0-9a-f]{40,64}", ref) and not self.commit(ref):
            said = self.ask("fetch", "--quiet", "origin", ref)[1]
        return said

    def base(self, ref, say):
        """The commit at which HEAD has left ref. A shallow clone that does not hold it is deepened."""
        if ref in ("", "origin/"):
            raise Failure("the base is empty: the job is for pull requests and merge requests, where CI names the branch or the commit")
        if not self.commit("HEAD"):
            raise Failure(f"{self.folder} has no commit yet")
        found = self.parting(ref)
        if found:
            return found
        if self.ask("rev-parse", "--is-shallow-repository")[0] == "true":
            say(f"this clone is shallow, and lacks the commit at which this change has left '{ref}': fetching the history")
            said = self.deepen(ref)
            found = self.parting(ref)
            if not found:
                raise Failure(f"this clone is shallow, and its history could not be fetched "
                              f"({said or 'origin does not have ' + ref}); {DEEPER}")
            return found
        if not self.commit(ref):
            hint = f"; did you mean 'origin/{ref}'?" if self.commit(f"origin/{ref}") else f". git fetch origin may know it; {DEEPER}"
            raise Failure(f"'{ref}' is no commit here{hint}")
        raise Failure(f"'{ref}' and what is checked out have no commit in common")

    def kernel_at(self, commit, path):
        """Writes the kernel file of that commit to `path`. False where that commit has none."""
        done = subprocess.run(["git", "-C", str(self.folder), "cat-file", "blob", f"{commit}:{self.path}"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            path.write_bytes(done.stdout)
        return done.returncode == 0

    def is_changed(self):
        """Whether the file is another one than at HEAD."""
        return self.ask("diff", "--quiet", "HEAD", "--", self.path)[0] is None or not self.ask("ls-files", "--", self.path)[0]
