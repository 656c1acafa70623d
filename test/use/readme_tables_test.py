"""Checks that tables of READMEs are what programs print.

usage: readme_tables_test.py README MARKER COMMAND [README MARKER COMMAND]...

The table between the comments `MARKER` and `/MARKER` is what COMMAND prints, a program with its
arguments as a shell reads them.
"""

import pathlib
import re
import shlex
import subprocess
import sys


def problem_of(readme, marker, command):
    """What is wrong with a table; None if nothing."""
    text = pathlib.Path(readme).read_text(encoding="utf-8")
    table = re.search(rf"<!-- {marker} -->\n(.*?)<!-- /{marker} -->", text, re.S)
    if not table:
        return f"{readme} has no table of {marker} between its markers"
    printed = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True).stdout
    if table.group(1).strip() != printed.strip():
        return f"{readme}: the table of {marker} differs from what {command} prints"
    return None


def main(*arguments):
    problems = [problem_of(*arguments[i:i + 3]) for i in range(0, len(arguments), 3)]
    print(*filter(None, problems), sep="\n", file=sys.stderr)
    return 1 if any(problems) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
