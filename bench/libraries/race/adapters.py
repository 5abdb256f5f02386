"""The adapters of bench/libraries/adapters: read, their libraries installed where that can be done, compiled.

An adapter begins with its manifest, lines `//@ key: value` (`#@` in Python):
    name        of the peer, as --peers takes it
    library     its full name
    functions   those of its reductions that race, separated by blanks (or scans, histograms)
    scans       those of its scans
    histograms  those of its histograms
    apt         Debian packages that it needs (optional)
    pip         Python packages that it needs, by their module names (optional)
    source      a file below the source folder that must be given as --NAME, for what no package holds (optional)
    include     folders of headers, absolute or below the source folder (optional)
    link        flags for the linker (optional)
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

KEYS = ("name", "library", "functions", "scans", "histograms", "apt", "pip", "source", "include", "link")
REQUIRED = ("name", "library")
FUNCTIONS = ("functions", "scans", "histograms")  # at least one of them


class ManifestError(Exception):
    """A manifest that breaks the rules; the text names file and line."""


class Adapter:
    """One peer: what its manifest says, and once it is made ready a command to start it or a reason why not."""

    def __init__(self, path, manifest):
        self.path = path
        self.name, self.library = manifest["name"], manifest["library"]
        self.functions = {key: manifest.get(key, "").split() for key in FUNCTIONS}
        self.apt, self.pip = manifest.get("apt", "").split(), manifest.get("pip", "").split()
        self.source, self.link = manifest.get("source"), manifest.get("link", "").split()
        self.include = manifest.get("include", "").split()
        self.folder = None  # of the source, by option
        self.command = None
        self.reason = None


def read_manifest(path):
    manifest = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r"(?://|#)@\s*(\w+):\s*(.*\S)\s*$", line)
        if not found:
            break
        if found[1] not in KEYS:
            raise ManifestError(f"{path}:{number}: unknown key '{found[1]}'; expected one of {', '.join(KEYS)}")
        manifest[found[1]] = found[2]
    missing = [key for key in REQUIRED if key not in manifest]
    if not any(key in manifest for key in FUNCTIONS):
        missing.append(" or ".join(FUNCTIONS))
    if manifest and missing:
        raise ManifestError(f"{path}: the manifest lacks {', '.join(missing)}")
    return manifest


def read_all(folders):
    found = {}
    for path in [path for folder in folders for ending in ("*.cpp", "*.py") for path in sorted(folder.glob(ending))]:
        manifest = read_manifest(path)
        if not manifest:
            continue
        if manifest["name"] in found:
            raise ManifestError(f"{path}: {found[manifest['name']].path} has the same name, {manifest['name']}")
        found[manifest["name"]] = Adapter(path, manifest)
    return [found[name] for name in sorted(found)]


class Workshop:
    """Makes adapters ready, in a folder of the build tree."""

    def __init__(self, root, build, may_install):
        self.root, self.build, self.may_install = root, build, may_install
        self.shared = root / "bench/libraries/adapters"
        self.pythons = [build / "venv" / "bin" / "python", Path("/usr/bin/python3"), Path(sys.executable)]
        build.mkdir(parents=True, exist_ok=True)

    def make_ready(self, adapters):
        waiting = []
        for adapter in adapters:
            if adapter.source and not adapter.folder:
                adapter.reason = f"no package holds it; name its source folder: --{adapter.name} FOLDER"
            elif not self.attempt(adapter):
                waiting.append(adapter)
        if not waiting:
            return
        if not self.may_install:
            for adapter in waiting:
                adapter.reason += f" (not installed, by option: {' '.join(adapter.apt + adapter.pip)})"
            return
        said = self.install_apt(sorted({p for a in waiting for p in a.apt}))
        said += self.install_pip(sorted({p for a in waiting for p in a.pip}))
        for adapter in waiting:
            if not self.attempt(adapter) and said:
                adapter.reason += f" ({said})"

    def attempt(self, adapter):
        """True if the adapter can be started; else its reason says why not."""
        adapter.command = adapter.reason = None
        if adapter.path.suffix == ".py":
            self.attempt_python(adapter)
        else:
            self.attempt_compiling(adapter)
        return adapter.command is not None

    def attempt_python(self, adapter):
        for python in self.pythons if adapter.pip else [Path(sys.executable)]:
            if not python.exists():
                continue
            script = "".join(f"import {module}\n" for module in adapter.pip)
            tried = subprocess.run([python, "-c", script], capture_output=True, text=True)
            if tried.returncode == 0:
                adapter.command, adapter.reason = [str(python), "-B", str(adapter.path)], None
                return
            adapter.reason = (tried.stderr.strip().splitlines() or ["it cannot be imported"])[-1]

    def attempt_compiling(self, adapter):
        program, log = self.build / adapter.name, self.build / (adapter.name + ".log")
        below = [adapter.folder] if adapter.folder else []
        include = [self.shared, *below, *((adapter.folder or Path("/")) / folder for folder in adapter.include)]
        command = [*shlex.split(os.environ.get("CXX", "c++")), "-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-w",
                   *(f"-I{folder}" for folder in include), str(adapter.path), "-o", str(program), *adapter.link, "-lOpenCL"]
        sources = [adapter.path, self.shared / "peer.hpp"]
        stamp = self.build / (adapter.name + ".command")
        signature = shlex.join(command) + "".join(f"\n{path.stat().st_mtime_ns}" for path in sources)
        if not (program.exists() and stamp.exists() and stamp.read_text() == signature):
            try:
                built = subprocess.run(command, capture_output=True, text=True)
            except OSError as error:
                adapter.reason = f"the compiler cannot be started: {error}"
                return
            log.write_text(shlex.join(command) + "\n" + built.stdout + built.stderr)
            if built.returncode != 0:
                lines = [line for line in built.stderr.splitlines() if "error" in line or "cannot find" in line]
                adapter.reason = (lines or ["it does not compile"])[0].replace(str(adapter.path), adapter.path.name)
                return
            stamp.write_text(signature)
        adapter.command = [str(program)]

    def install_apt(self, packages):
        """By bench/setup/setup.sh; returns what went wrong."""
        if not packages:
            return ""
        script = '. "$1"/bench/setup/setup.sh; drivers=system; install_packages "$2" "${@:3}"'
        done = subprocess.run(["bash", "-c", script, "bash", self.root, self.build / "packages.log", *packages],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        sys.stderr.write(done.stderr)
        return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["apt-get failed"])[-1]

    def install_pip(self, packages):
        """Into an environment of its own in the build tree; returns what went wrong."""
        if not packages:
            return ""
        log = self.build / "pip.log"
        script = ('. "$1"/bench/setup/setup.sh; find_python; say "installing Python packages into $2: ${*:3}"; '
                  '"$python" -m venv --without-pip "$2" && '
                  '"$python" -m pip --python "$2"/bin/python install --disable-pip-version-check "${@:3}"')
        done = subprocess.run(["bash", "-c", script, "bash", self.root, self.build / "venv", *packages],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        log.write_text(done.stdout + done.stderr)
        sys.stderr.write("".join(line + "\n" for line in done.stderr.splitlines() if line.startswith("clreduce: ")))
        return "" if done.returncode == 0 else f"pip failed, see {log}"
