"""What tests of drivers that break share: PoCL, which they break, and the processes that the program starts for drivers."""
import pathlib
import sys

POCL = pathlib.Path("/etc/OpenCL/vendors/pocl.icd")


def need_pocl():
    """Ends the test, as skipped, where it is not there."""
    if not POCL.exists():
        print(f"skipped: {POCL} is not there, and faults are made of PoCL")
        sys.exit(77)


def workers_of(parent, mark=None):
    """Ids of the processes that the process has started; of those whose environment has the mark, if one is given."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            is_child = int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent
            if is_child and (mark is None or mark in (folder / "environ").read_bytes().split(b"\0")):
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
    return found
