"""Checks that a README says what the code does.

usage: readme_test.py README TEST_USE_FOLDER [MARKER=COMMAND]...

The table between the comments `MARKER` and `/MARKER` is what COMMAND prints, a program with its
arguments as a shell reads them; every code block that names a file of the test folder on the line
before it is that file, word for word; every relative link leads to something.
"""

import pathlib
import re
import shlex
import subprocess
import sys


def main(readme_path, examples, *tables):
    readme = pathlib.Path(readme_path)
    text = readme.read_text(encoding="utf-8")
    problems = []

    for marker, command in (table.split("=", 1) for table in tables):
        table = re.search(rf"<!-- {marker} -->\n(.*?)<!-- /{marker} -->", text, re.S)
        printed = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True).stdout
        if not table:
            problems.append(f"the README has no table of {marker} between its markers")
        elif table.group(1).strip() != printed.strip():
            problems.append(f"the table of {marker} differs from what {command} prints")

    quoted = re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", text, re.S)
    if not quoted:
        problems.append("the README quotes no file")
    for name, block in quoted:
        if (pathlib.Path(examples) / name).read_text(encoding="utf-8") != block:
            problems.append(f"the README's copy of {name} differs from the file that is tested")

    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        if not (readme.parent / link).exists():
            problems.append(f"the README links to {link}, which is not there")

    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
