"""One schedule for four sizes takes no more than 15 % longer at any of them than one made for that size
alone, as the model has it: for the README's example, and for a product of matrices.

usage: several_sizes_test.py SEVERAL_SIZES_SH PLUGIN EXPLAIN_SCHEDULE UNSHARP UNSHARP_SIZES MAT_MUL
"""

import json
import os
import pathlib
import subprocess
import sys

script, plugin, explain, unsharp, unsharp_sizes, mat_mul = sys.argv[1:]
work = pathlib.Path(os.environ["WORK"])
work.mkdir(parents=True, exist_ok=True)
MOST_REGRET = 0.15


def product(name, rows, columns, depth):
    return {"name": name, "outputs": {"output": [[0, columns], [0, rows]]},
            "inputs": {"a": [[0, depth], [0, rows]], "b": [[0, columns], [0, depth]]}}


products = work / "mat_mul.sizes.json"
products.write_text(json.dumps({
    "format": "autoschedule_gpu.sizes", "version": 1,
    "sizes": [product("full", 1536, 2560, 1536), product("half", 768, 1280, 768),
              product("reduced", 128, 256, 64), product("odd", 131, 53, 301)]}))

for name, generator, sizes in [("unsharp", unsharp, unsharp_sizes), ("mat_mul", mat_mul, products)]:
    told = subprocess.run(
        ["bash", script, generator, name, plugin, sizes, explain, work / name],
        check=True, capture_output=True, text=True).stdout
    report = json.loads((work / name / "report.json").read_text())
    wanted = json.loads(pathlib.Path(sizes).read_text())["sizes"]
    assert [size["name"] for size in report["sizes"]] == [size["name"] for size in wanted]
    for size in report["sizes"]:
        assert size["name"] in told, told
        assert size["regret"] <= MOST_REGRET, f"{name}: {size}"
        print(name, size["name"], f"{size['predicted_us']:.2f} us", f"{100 * size['regret']:.1f} %")
    assert report["schedules_for_sizes"] > 1, "these sizes ask for different schedules"
