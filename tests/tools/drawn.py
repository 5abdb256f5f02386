"""What of a test runs, as sections of check.sh do: all, or a sample by seed."""
import random
import sys


def drawn(share, n, parts):
    """All parts if share is "all"; otherwise n of them, in their order, which the seed in share draws; where it is empty the seed
    differs from run to run. It is told with the command that does the same again."""
    parts = list(parts)
    if share == "all":
        return parts
    given = sys.argv[:-1] if share else sys.argv
    share = share or str(random.randrange(1, 10**6))
    print(f"seed {share}: the same again by {' '.join(given)} {share}", flush=True)
    random.seed(int(share))  # what else is drawn follows, too
    return [parts[i] for i in sorted(random.sample(range(len(parts)), min(n, len(parts))))]
