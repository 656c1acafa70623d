"""Checks that no file includes what its module may not see, and that the top level stays as drawn.

usage: module_table.py REPOSITORY

Prints one line `FILE:LINE: what is wrong` for each violation; the exit status is 1 if there is one.
"""

import fnmatch
import pathlib
import re
import sys
from typing import NamedTuple

# Module -> what of ours it may include beside itself: whole modules, or single headers of one.
# The order is that of the way through the house: a module sees only modules above it.
MAY_INCLUDE = {
    "support": [],
    "gpu": ["support"],
    "dag": ["support"],
    "nest": ["dag", "support"],
    "space": ["nest", "dag", "gpu", "support"],
    "features": ["nest", "dag", "gpu", "support"],
    "samples": ["features/feature_list.h", "gpu", "support"],
    "model": ["features/feature_list.h", "gpu", "support"],
    "search": ["space", "features", "model", "nest", "gpu", "support"],
    "schedule": ["nest", "dag", "support"],
    "decisions": ["schedule", "features", "space", "nest", "dag", "gpu", "support"],
    "random_pipelines": ["support"],
    "traffic": ["gpu", "support"],
    "bridge": ["dag", "schedule", "traffic", "gpu/api_capabilities.h", "support"],
    "measure": ["schedule", "support", "gpu"],
    "plugin": ["support", "gpu", "dag", "nest", "space", "features", "samples", "model", "search",
               "schedule", "decisions", "bridge", "records/record_store.h", "measure/ptxas.h"],
    "compare": ["measure", "gpu", "support"],
    "probe": ["bridge", "traffic", "gpu", "support"],
    "contest": ["compare", "measure", "probe/probe_report.h", "traffic/count.h", "model",
                "features/feature_list.h", "gpu", "support"],
    "explain": ["compare", "samples", "features/feature_list.h", "support"],
    "trial": ["contest", "samples", "model/weights_file.h", "measure", "features/feature_list.h",
              "gpu", "support"],
    "collect": ["trial", "samples", "measure", "support"],
    "ablation": ["contest", "compare", "measure", "gpu", "support"],
    "train": ["model", "features/feature_list.h", "samples", "gpu", "compare/table.h", "support"],
    "records": ["measure/failure.h", "support"],
    "tune": ["trial", "records", "train", "samples", "model", "schedule", "compare", "contest",
             "measure", "features/feature_list.h", "gpu", "support"],
}

# Header (a pattern) -> the modules that may include it. A header of no library named here and
# with no suffix is the standard library's, and free.
LIBRARIES = {
    "Halide.h": ["bridge", "plugin", "probe", "measure", "random_pipelines"],
    "HalideBuffer.h": ["measure"],
    "HalideRuntime*.h": ["measure"],
    "tbb/*": ["support"],
    "oneapi/*": ["support"],
    "Eigen/*": ["model", "train", "tune"],
    "unsupported/Eigen/*": ["tune"],
    "nlohmann/*": ["gpu", "samples", "schedule", "decisions", "model", "train", "measure",
                   "compare", "probe", "contest", "collect", "ablation", "explain", "records", "tune", "plugin"],
    "sqlite3.h": ["records"],
    # The operating system: drivers are opened, and what may crash runs in a process of its own.
    "dlfcn.h": ["gpu", "measure"],
    "fcntl.h": ["samples", "bridge", "measure", "tune"],
    "poll.h": ["bridge", "measure", "tune"],
    "sched.h": ["measure"],
    "signal.h": ["bridge", "measure", "tune"],
    "stdlib.h": ["measure", "tune"],
    "sys/*": ["samples", "bridge", "measure", "probe", "records", "tune"],
    "unistd.h": ["support", "samples", "bridge", "measure", "records", "tune", "plugin"],
}

# Module -> how many of its files may include Halide.h, where that is limited.
MOST_HALIDE_FILES = {"measure": 1}

# include/ is for users of the library: it shows nothing of src/ and needs no library.
PUBLIC_PREFIX = "autoschedule_gpu/"

TOP_LEVEL = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
             "apps", "cmake", "include", "src", "test", "tools", "weights", ".*"]
# What building leaves behind and .gitignore names.
GENERATED = ["build", "build-*", "out", "__pycache__"]

SOURCE_SUFFIXES = {".h", ".cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Include(NamedTuple):
    where: str  # "src/dag/dag.h:12"
    file: str
    header: str
    quoted: bool


def includes_below(root, folder):
    """Every #include of the sources in `folder` of the repository `root`, in a fixed order."""
    found = []
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES or not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), start=1):
            match = INCLUDE.match(line)
            if match:
                found.append(Include(f"{name}:{number}", name, match[2], match[1] == '"'))
    return found


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def complaint_about_library(owner, header):
    """What is wrong with `owner`, a module or "include", including <header>; None if nothing."""
    for pattern, modules in LIBRARIES.items():
        if fnmatch.fnmatchcase(header, pattern):
            if owner in modules:
                return None
            return f"{owner} may not include <{header}>: only {', '.join(modules)} may"
    if "." in header or "/" in header:
        return f"<{header}> is of a library that the table does not know"
    return None


def complaint_about_module(module, header):
    """What is wrong with `module` including "header"; None if nothing."""
    if header.startswith(PUBLIC_PREFIX):
        return None
    other, slash, _ = header.partition("/")
    if not slash or other in (".", ".."):
        return f'write "{header}" from src/ on, as "module/file.h"'
    if other not in MAY_INCLUDE:
        return f'"{header}" is of no module in the table'
    allowed = MAY_INCLUDE[module]
    if other == module or other in allowed or header in allowed:
        return None
    return f'{module} may not include "{header}": only {", ".join(allowed) or "nothing of ours"}'


def check_modules(root):
    violations = []
    for path in sorted(root.glob("src/*")):
        if path.is_dir() and path.name not in MAY_INCLUDE:
            violations.append(f"src/{path.name}:1: no such module in the table")
    for module in MAY_INCLUDE:
        halide_files = []
        for include in includes_below(root, f"src/{module}"):
            check = complaint_about_module if include.quoted else complaint_about_library
            complaint = check(module, include.header)
            if complaint:
                violations.append(f"{include.where}: {complaint}")
            if include.header == "Halide.h" and include.file not in halide_files:
                halide_files.append(include.file)
                if len(halide_files) > MOST_HALIDE_FILES.get(module, len(halide_files)):
                    violations.append(f"{include.where}: {halide_files[0]} includes <Halide.h> "
                                      f"already, and no other file of {module} may")
    return violations


def check_public_headers(root):
    violations = []
    for include in includes_below(root, "include"):
        if include.quoted and include.header.startswith(PUBLIC_PREFIX):
            continue
        complaint = (f'a public header may not include "{include.header}"' if include.quoted
                     else complaint_about_library("include", include.header))
        if complaint:
            violations.append(f"{include.where}: {complaint}")
    return violations


def check_top_level(root):
    return [f"{path.name}:1: has no place at the top level of the repository"
            for path in sorted(root.iterdir()) if not matches(path.name, TOP_LEVEL + GENERATED)]


def check(root):
    """All violations in the repository at `root`, a pathlib.Path, as lines."""
    return check_modules(root) + check_public_headers(root) + check_top_level(root)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    violations = check(pathlib.Path(arguments[1]))
    print(*violations, sep="\n", end="\n" if violations else "")
    print(f"{len(violations)} violations of the module table")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
