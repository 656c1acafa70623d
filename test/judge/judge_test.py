"""The cost model, or the roofline of what is counted (--counted), ranks schedules of which simulated times are
known. Usage: judge_test.py JUDGE_MODEL DATA [--counted]"""

import re
import subprocess
import sys

PAIRWISE, REGRET = 0.95, 0.03


def main():
    judge_model, data, *flags = sys.argv[1:]
    done = subprocess.run([judge_model, "--data", data, *flags], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.returncode
    last = done.stdout.rstrip().splitlines()[-1]
    found = re.fullmatch(r"pairs (\d+) pairwise ([\d.]+) regret ([\d.]+)", last)
    assert found, last
    pairs, pairwise, regret = int(found[1]), float(found[2]), float(found[3])
    assert pairs >= 25, f"{pairs} pairs are too few to tell"
    assert pairwise >= PAIRWISE, f"pairwise {pairwise} < {PAIRWISE}"
    assert regret <= REGRET, f"regret {regret} > {REGRET}"


main()
