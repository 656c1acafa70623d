"""The bundle for machines with only a driver, in a folder and an environment of its own.

usage: bundle_test.py MAKE_DEVICE_BUNDLE BUILD_FOLDER

The environment has a C compiler and no way to find this project's libraries but the bundle's own.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile


def made_at_once(make, build, *bundles):
    """Makes bundles at the same time, none of which finds libHalide compressed; what is wrong."""
    kept = pathlib.Path(build) / "device_bundle"
    for path in kept.glob("libHalide*.1.xz*"):
        path.unlink()
    calls = [subprocess.Popen([make, str(bundle), "--build", build, "--fast"])
             for bundle in bundles]
    ends = [call.wait() for call in calls]
    wrong = [] if set(ends) == {0} else [f"bundles that are made at the same time end with {ends}"]
    packed = [path for folder in (kept, *bundles) for path in folder.glob("libHalide*.xz")]
    wrong += [f"{path.name} is damaged" for path in packed
              if subprocess.run(["xz", "--test", path], check=False).returncode != 0]
    return wrong + [f"{path.name} was left behind" for path in kept.glob("*.partial*")]


def main(arguments):
    make, build = arguments[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bundle = folder / "bundle"
        wrong = made_at_once(make, build, folder / "other", bundle)
        environment = {name: os.environ[name] for name in os.environ if name.startswith("HL_OCL")}
        environment |= {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
        moved = folder / "elsewhere"
        bundle.rename(moved)
        # The first calls unpack what is there, here two at the same time.
        first = [subprocess.Popen([f"./run_{what}", "--help"], cwd=moved, env=environment,
                                  stdout=subprocess.DEVNULL) for what in ("tuning", "collection")]
        unpacked = [call.wait() for call in first]
        subprocess.run(["./run_comparison", "--apps", "unsharp", "--schedulers",
                        "gpu,manual,anderson2021", "--device", "opencl", "--size", "reduced",
                        "--repeats", "1", "--jobs", "2", "--out", "results"],
                       check=True, cwd=moved, env=environment)
        rows = json.loads((moved / "results" / "results.json").read_text())
        subprocess.run(["./run_collection", "--pipelines", "random:1", "--device", "opencl",
                        "--samples", "1", "--out", "samples"],
                       check=True, cwd=moved, env=environment)
        again = subprocess.run([make, str(moved), "--build", build, "--fast"],
                               capture_output=True, text=True)
        samples = (moved / "samples" / "opencl.samples").stat().st_size
        page = (moved / "results" / "index.html").stat().st_size
    wrong += [f"{row['scheduler']}: {row['reason']}" for row in rows if row["status"] != "ok"]
    wrong += [f"{row['scheduler']} is not verified" for row in rows if row["verified"] is not True]
    if unpacked != [0, 0]:
        wrong.append(f"calls that unpack at the same time end with {unpacked}")
    if again.returncode == 0 or "else than a bundle: results samples." not in again.stderr:
        wrong.append(f"a bundle is made over results: {again.stderr}")
    if len(rows) != 3:
        wrong.append(f"expected 3 rows, found {len(rows)}")
    if samples < 1000:
        wrong.append(f"the file of samples has {samples} bytes")
    if page > 16_000_000:
        wrong.append(f"the page has {page} bytes")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
