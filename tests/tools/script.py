"""What scripts of tests/ in Python begin with: their help, and the libraries that Debian has and Python has not."""
import importlib
import sys

# By the names that they are imported by.
PACKAGES = {"jsonschema": "python3-jsonschema", "junitparser": "python3-junitparser", "numpy": "python3-numpy", "scipy": "python3-scipy",
            "selenium": "python3-selenium", "yaml": "python3-yaml"}


def asks_for_help():
    return "--help" in sys.argv[1:]


def begin(text):
    """Where --help is asked for: prints the text that the script begins with, and ends."""
    if asks_for_help():
        print(text.strip())
        sys.exit(0)


def library(name):
    """The module. Where it is not installed the script ends with 77 and names the package; only --help needs none, and gets None."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if asks_for_help():
            return None
        package = PACKAGES[name.partition(".")[0]]
        print(f"skipped: needs {package} (apt-get install {package}): {error}")
        sys.exit(77)
