"""The expert's schedules at the ends of their parameters' ranges, within the limits of a GPU.

usage: parameter_limits_test.py COMPARE_AUTOSCHEDULERS GENERATORS_FOLDER APPS_SOURCE_FOLDER

Halide does not refuse values beyond the range of a GeneratorParam, so the range is a promise.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

# The folder below apps/, the parameter that a GPU limits, and a small size for the others.
LIMITED = [("max_filter", "radius", {"width": 192, "height": 160}),
           ("depthwise_separable_conv", "channels_in", {"width": 28, "height": 28}),
           ("kernels/attention", "head", {"positions": 256}),
           ("kernels/arg_max", "columns", {"rows": 128})]


def greatest(source, parameter):
    """The end of the range in GeneratorParam<int> NAME{"NAME", default, least, greatest}."""
    found = re.search(rf'"{parameter}", \d+, \d+, (\d+)(?: << (\d+))?\}}', source.read_text())
    return int(found[1]) << int(found[2] or 0)


def main(compare, generators, apps):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for path, parameter, others in LIMITED:
            app = path.rpartition("/")[2]
            value = greatest(pathlib.Path(apps) / path / f"{app}_generator.cpp", parameter)
            (folder / "apps" / app).mkdir(parents=True)
            sizes = {"sizes": {"full": {parameter: value, **others}}}
            (folder / "apps" / app / "app.json").write_text(json.dumps(sizes))
        subprocess.run([compare, "--apps-folder", str(folder / "apps"), "--generators", generators,
                        "--schedulers", "manual", "--device", "none", "--gpu", "A100",
                        "--repeats", "1", "--out", str(folder / "results")], check=False)
        rows = json.loads((folder / "results" / "results.json").read_text())
    wrong = [f"{row['app']}: {row['reason']}" for row in rows if row["status"] != "ok"]
    if len(rows) != len(LIMITED):
        wrong.append(f"expected {len(LIMITED)} rows, found {len(rows)}")
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
