"""A program of the build with one file changed: that is compiled as the build does, and linked in front of the rest."""
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run_in(build, command):
    """Of the build folder: its standard output; ends the test where the command fails."""
    ended = subprocess.run(command, cwd=build, capture_output=True, text=True, shell=isinstance(command, str), check=False)
    if ended.returncode != 0:
        sys.exit(f"{command}: {ended.stderr}")
    return ended.stdout


def compiled(build, source, text, folder):
    """The object of the changed file, compiled with the flags of the build, quickly and without a word."""
    copy, made = folder / pathlib.Path(source).name, folder / "mutant.o"
    copy.write_text(text)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] == str(ROOT / source):
            words = shlex.split(entry["command"])
            words[words.index("-o") + 1], words[words.index("-c") + 1] = str(made), str(copy)
            run_in(build, [word for word in words if not re.match("-(O|W)", word)] + ["-O1", "-w"])
            return made
    sys.exit(f"{source} is not built here")


def linked(build, target, made, folder):
    """The program, or the module, with the object in the place of the build's own; it is put into the folder."""
    line = run_in(build, ["ninja", "-t", "commands", "-s", target]).strip().removeprefix(": && ").removesuffix(" && :")
    words = shlex.split(line)
    words[words.index("-o") + 1] = str(folder / pathlib.Path(target).name)
    objects = [i for i, word in enumerate(words) if word.endswith(".o")]
    if target.endswith(".so"):
        words[objects[0]] = str(made)
    else:
        words.insert(objects[0], str(made))
    run_in(build, words)
