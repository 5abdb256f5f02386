"""A copy of a program in which a text stands in another's place: kernels lie in programs as they are."""
import pathlib
import sys


def patched_copy(program, folder, old, new, once=False):
    """Writes it into the folder, every `old` replaced by `new` and blanks, and returns its path. The text must be there, and once if that is
    asked for; what takes its place is no longer."""
    there = pathlib.Path(program).read_bytes()
    found = there.count(old.encode())
    if len(new) > len(old) or found == 0 or (once and found > 1):
        sys.exit(f"'{old}' is there {found} times, or is shorter than '{new}'")
    copy = pathlib.Path(folder) / pathlib.Path(program).name
    copy.write_bytes(there.replace(old.encode(), new.ljust(len(old)).encode()))
    copy.chmod(0o755)
    return copy
