"""What all tests of READMEs need: which there are, and how their blocks of code are found."""

import pathlib
import re
import subprocess
from typing import NamedTuple

MARK = re.compile(r"<!-- (file|run|run by|text)(?:: (.*))? -->")


class Block(NamedTuple):
    where: str  # "src/tune/README.md:12"
    mark: str  # "file", "run", "run by", "text"; "": there is none
    said: str  # what stands behind the mark's colon
    code: str


def readmes(root):
    """Every README.md of the repository `root`, a pathlib.Path, but of what is built."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard", "*README.md"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = sorted(set(filter(None, listed.stdout.split("\0"))))
        return [root / name for name in names if (root / name).exists()]
    folders = ("apps", "include", "src", "test", "tools", "weights")  # an archive, and no clone
    return [root / "README.md", *(readme for folder in folders
                                  for readme in sorted((root / folder).rglob("README.md")))]


def blocks(root, readme):
    """The blocks of code of a README: between fences, or indented by four after an empty line."""
    lines = readme.read_text(encoding="utf-8").split("\n")
    name = readme.relative_to(root).as_posix()
    found, at = [], 0
    mark = ("", "")  # of the lines before, if only empty ones came after it
    while at < len(lines):
        line, begin = lines[at], at
        if line.startswith("```"):
            at += 1
            while lines[at] != "```":
                at += 1
            code = lines[begin + 1:at]
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            while at + 1 < len(lines) and (lines[at + 1].startswith("    ") or not lines[at + 1]):
                at += 1
            code = [text[4:] for text in lines[begin:at + 1]]
        else:
            marked = MARK.fullmatch(line.strip())  # in lists, too
            if marked:
                mark = (marked[1], marked[2] or "")
            elif line.strip():
                mark = ("", "")
            at += 1
            continue
        found.append(Block(f"{name}:{begin + 1}", *mark, "\n".join(code).rstrip("\n") + "\n"))
        mark = ("", "")
        at += 1
    return found


def without_blocks(text):
    """The Markdown without what is between fences."""
    return re.sub(r"(?ms)^```.*?^```$", "", text)
