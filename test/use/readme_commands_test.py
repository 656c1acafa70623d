"""Runs the commands of READMEs as they stand, those of blocks that are marked `run`.

usage: readme_commands_test.py REPOSITORY BUILD README...

All of a README's are run in one folder of their own, $WORK/NAME, in which the repository's folders and
the build folder have the names that they have in a clone. A mark may name what is replaced, so that
commands for a GPU and for an hour do here: `<!-- run: A -> B; C -> D -->`.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import readmes


def clone(folder, root, build):
    """An empty folder that looks like a clone of `root`, with what is built and nothing that was made."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("apps", "include", "src", "test", "tools", "weights", ".venv"):
        (folder / name).symlink_to(root / name)
    (folder / "build").symlink_to(build)
    (folder / "out").mkdir()


def run(block, folder):
    code = block.code
    for replacement in filter(None, block.said.split("; ")):
        old, new = replacement.split(" -> ")
        if old not in code:
            return f"{block.where}: '{old}' is to be replaced, and is not there"
        code = code.replace(old, new)
    print(f"\n{block.where}\n{code}", flush=True)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=folder, check=False)
    return f"{block.where}: exit status {done.returncode}" if done.returncode else None


def main(root, build, *names):
    root, work, problems = pathlib.Path(root), pathlib.Path(os.environ["WORK"]), []
    for name in names:
        folder = work / name.replace("/", "_")
        clone(folder, root, build)
        found = [block for block in readmes.blocks(root, root / name) if block.mark == "run"]
        if not found:
            problems.append(f"{name}: no block is marked 'run'")
        problems += filter(None, [run(block, folder) for block in found])
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
