"""What a test in Python has checked."""


class Suite:
    """A line for each thing that is not as it must be, and for each that is where `tells`; in the end how many there were."""

    def __init__(self, tells=False):
        self.tells, self.checks, self.failures = tells, 0, 0

    def judge(self, what, good, evidence=""):
        self.checks += 1
        self.failures += not good
        if not good:
            print(f"FAIL  {what}\n    {str(evidence).strip()}", flush=True)
        elif self.tells:
            print(f"ok    {what}", flush=True)

    def end(self):
        """The exit status."""
        print(f"{self.checks} checks, {self.failures} failures")
        return 1 if self.failures else 0
