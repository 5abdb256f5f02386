"""Roots of other releases of Debian, made by debootstrap from where this system's own packages come from, with a clone of this
checkout in them and nothing else of this machine: for tests/device/drivers and tests/device/roots."""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OWN_AUTHORITIES = pathlib.Path("/usr/local/share/ca-certificates")


class Unavailable(Exception):
    """It cannot be had here; the reason."""


def mirror():
    """Where this system's packages come from."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)|$(BASE_URI)", "Created-By: Packages"],
                            capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        base = line.split("|")[1]
        if "/debian/dists/" in base:
            return base.split("/dists/")[0]
    raise Unavailable("apt tells no mirror of Debian")


def mounts_end_with_this_program():
    """Starts it again where its mounts are its own, and gone however it ends: a /dev that is left in a folder is not for `rm`."""
    if os.geteuid() == 0 and "CLREDUCE_OWN_MOUNTS" not in os.environ and shutil.which("unshare"):
        os.environ["CLREDUCE_OWN_MOUNTS"] = "yes"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])


class Root:
    """A release in a folder, made if it is not there."""

    def __init__(self, release, folder, packages="ca-certificates,git"):
        self.release, self.folder, self.packages = release, pathlib.Path(folder).resolve(), packages
        self.checkout = self.folder / "srv/clreduce"

    def make(self, say):
        if os.geteuid() != 0:
            raise Unavailable("debootstrap and chroot take root")
        if shutil.which("debootstrap") is None:
            subprocess.run(["apt-get", "install", "-y", "-qq", "debootstrap"], stdout=subprocess.DEVNULL, check=True)
        if not (self.folder / "etc/made").exists():
            say(f"making a bare root of {self.release} in {self.folder}")
            self.folder.mkdir(parents=True, exist_ok=True)
            included = [f"--include={self.packages}"] * bool(self.packages)
            subprocess.run(["debootstrap", "--variant=minbase", *included, self.release, str(self.folder), mirror()],
                           stdout=subprocess.DEVNULL, check=True)
            (self.folder / "etc/made").touch()
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        # A mirror that lags behind still has the drivers.
        (self.folder / "etc/apt/apt.conf.d/90-old-mirror").write_text('Acquire::Check-Valid-Until "false";\n', encoding="utf-8")
        # Who reaches the network through an authority of their own does so from there, too.
        own = self.folder / OWN_AUTHORITIES.relative_to("/")
        own.mkdir(parents=True, exist_ok=True)
        for certificate in OWN_AUTHORITIES.glob("*.crt"):
            shutil.copy(certificate, own)
        self.mount()
        if "ca-certificates" in self.packages:
            subprocess.run([*self.inside(), "update-ca-certificates"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def clone(self):
        """The commit that this checkout has."""
        if not self.checkout.exists():
            subprocess.run(["git", "clone", "-q", str(ROOT), str(self.checkout)], check=True)
        subprocess.run(["git", "-C", str(self.checkout), "fetch", "-q", str(ROOT), "HEAD"], check=True)
        subprocess.run(["git", "-C", str(self.checkout), "checkout", "-q", "FETCH_HEAD"], check=True)

    @staticmethod
    def kinds():
        return ((["-t", "proc", "proc"], "proc"), (["-t", "sysfs", "sysfs"], "sys"), (["--bind", "/dev"], "dev"))

    def mount(self):
        """/proc, /sys and /dev, for as long as something runs there; PoCL finds the machine's memory in /sys."""
        for kind, where in self.kinds():
            if not os.path.ismount(self.folder / where):
                subprocess.run(["mount", *kind, str(self.folder / where)], check=True)

    def unmount(self):
        for _, where in self.kinds():
            if os.path.ismount(self.folder / where):
                subprocess.run(["umount", "-l", str(self.folder / where)], check=False)

    def inside(self):
        """What begins a command there."""
        return ["chroot", str(self.folder), "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"]

    def in_checkout(self, command):
        return [*self.inside(), "sh", "-c", 'cd /srv/clreduce && exec "$@"', "sh", *command]
