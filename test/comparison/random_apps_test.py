"""Random pipelines as applications, and the calls that can't be taken.

usage: random_apps_test.py MAKE_RANDOM_APPS COMPARE_AUTOSCHEDULERS BUILD_FOLDER
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def refused(make, *arguments):
    """Says what is wrong if a bad call is taken, or is refused without a sentence."""
    done = subprocess.run([make, *arguments], capture_output=True, text=True)
    if done.returncode == 2 and done.stderr.startswith("make_random_apps: "):
        return []
    return [f"{arguments}: exit status {done.returncode}, '{done.stderr}'"]


def main(arguments):
    make, compare, build = arguments[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wrong = refused(make) + refused(make, str(folder / "x"), "--seeds", "5:5")
        wrong += refused(make, str(folder / "x"), "--build", str(folder))
        if (folder / "x").exists():
            wrong.append("a refused call left a folder")
        subprocess.run([make, str(folder / "random"), "--seeds", "3:5", "--work", "small",
                        "--build", build], check=True)
        subprocess.run([compare, "--apps-folder", str(folder / "random" / "apps"),
                        "--generators", str(folder / "random" / "generators"),
                        "--schedulers", "gpu,root", "--device", "opencl", "--size", "full",
                        "--repeats", "1",
                        "--jobs", "2", "--out", str(folder / "results")], check=True)
        rows = json.loads((folder / "results" / "results.json").read_text())
    wrong += [f"{row['app']}, {row['scheduler']}: {row.get('reason')}"
              for row in rows if row["status"] != "ok" or not row["kernels"]]
    # Their odd size is the same one, which was not verified twice.
    wrong += [f"{row['app']}, {row['scheduler']}: verified at {row['verified_sizes']}"
              for row in rows if [size["size"] for size in row["verified_sizes"]] != ["full"]]
    found = sorted((row["app"], row["scheduler"]) for row in rows)
    expected = [(f"random_000{seed}", scheduler) for seed in (3, 4) for scheduler in ("gpu", "root")]
    if found != expected:
        wrong.append(f"expected {expected}, found {found}")
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
