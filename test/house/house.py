"""Checks every include against the table of the house, src/house.txt, the top level's contents, and
that every C++ test is built.

usage: house.py [--map] REPOSITORY

Prints one line `FILE:LINE: what is wrong` for each violation; the exit status is 1 if there is one.
With --map it prints the table as src/README.md shows it, and checks nothing.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

# Library, as the table calls it -> its headers (patterns). A header that matches none and has no
# suffix is the standard library's, and free.
LIBRARIES = {
    "Halide": ["Halide.h"],
    "HalideRuntime": ["HalideBuffer.h", "HalideRuntime*.h"],
    "TBB": ["tbb/*", "oneapi/*"],
    "Eigen": ["Eigen/*", "unsupported/Eigen/*"],
    "JSON": ["nlohmann/*"],
    "SQLite": ["sqlite3.h"],
    # The operating system: drivers are opened, and what may crash runs in a process of its own.
    "POSIX": ["dlfcn.h", "fcntl.h", "link.h", "poll.h", "sched.h", "signal.h", "stdlib.h", "sys/*", "unistd.h"],
}

# include/ is for users of the library: it shows nothing of src/ and needs no library.
PUBLIC_PREFIX = "autoschedule_gpu/"

# pip looks for pyproject.toml there, and nowhere else.
TOP_LEVEL = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "pyproject.toml",
             "apps", "cmake", "include", "src", "test", "tools", "weights", ".*"]

SOURCE_SUFFIXES = {".h", ".cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Room(NamedTuple):
    name: str  # "core/dag"
    may_include: list  # rooms and single headers, beside itself
    libraries: list
    holds: str
    line: int  # of the table

    @property
    def wing(self):
        return self.name.partition("/")[0]


class House(NamedTuple):
    wings: dict  # name -> what it is, from the top down
    rooms: dict  # name -> Room, in the order of the table


class Include(NamedTuple):
    where: str  # "src/core/dag/dag.h:12"
    header: str
    quoted: bool


def read_house(root):
    """The table. Raises ValueError for a line that is none of it."""
    house = House({}, {})
    for number, line in enumerate((root / "src/house.txt").read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("|")]
        if line.startswith("wing "):
            house.wings[columns[0].removeprefix("wing ")] = columns[1]
        elif len(columns) == 4:
            house.rooms[columns[0]] = Room(columns[0], columns[1].split(), columns[2].split(),
                                           columns[3], number)
        else:
            raise ValueError(f"src/house.txt:{number}: expected room | rooms | libraries | text")
    return house


def room_of(path, house):
    """The room of "scheduler/nest/nest.h", or of a file in a folder of its; None if it is in none."""
    folder = path.rpartition("/")[0]
    while folder and folder not in house.rooms:
        folder = folder.rpartition("/")[0]
    return house.rooms.get(folder)


def includes_below(root, folder):
    """Every #include of the sources in `folder` of the repository `root`, in a fixed order."""
    found = []
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES or not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            match = INCLUDE.match(line)
            if match:
                found.append(Include(f"{name}:{number}", match[2], match[1] == '"'))
    return found


def complaint_about_library(owner, libraries, header):
    """What is wrong with `owner` including <header>; None if nothing."""
    for library, patterns in LIBRARIES.items():
        if any(fnmatch.fnmatchcase(header, pattern) for pattern in patterns):
            if library in libraries:
                return None
            return f"{owner} may not include <{header}>: the table gives it no {library}"
    if "." in header or "/" in header:
        return f"<{header}> is of a library that the table does not know"
    return None


def complaint_about_room(room, header, house):
    """What is wrong with `room` including "header"; None if nothing."""
    if header.startswith(PUBLIC_PREFIX):
        return None
    other = room_of(header, house)
    if other is None:
        return f'"{header}" is in no room of the table; write it from src/ on, as "wing/room/file.h"'
    if other.name == room.name or other.name in room.may_include or header in room.may_include:
        return None
    return f'{room.name} may not include "{header}": only {", ".join(room.may_include) or "itself"}'


def check_table(house):
    """The table itself: rooms include only what is there, below them or beside them, in no circle."""
    height = {wing: -position for position, wing in enumerate(house.wings)}
    seen, violations = set(), []
    for room in reversed(house.rooms.values()):
        where = f"src/house.txt:{room.line}"
        if room.wing not in height:
            violations.append(f"{where}: there is no wing {room.wing}")
            continue
        for name in room.may_include:
            other = room_of(name, house) if name.endswith(".h") else house.rooms.get(name)
            if other is None:
                violations.append(f"{where}: there is no room {name}")
            elif height[other.wing] > height[room.wing]:
                violations.append(f"{where}: {room.name} names {name}, which is above it")
            elif other.name not in seen:
                violations.append(f"{where}: {room.name} names {name}, which stands before it")
        for library in room.libraries:
            if library not in LIBRARIES:
                violations.append(f"{where}: there is no library {library}")
        seen.add(room.name)
    return violations


def check_rooms(root, house):
    violations = []
    for include in includes_below(root, "src"):
        path = include.where.rpartition(":")[0].removeprefix("src/")
        room = room_of(path, house)
        if room is None:
            violations.append(f"{include.where}: its folder is no room of the table")
            continue
        complaint = (complaint_about_room(room, include.header, house) if include.quoted else
                     complaint_about_library(room.name, room.libraries, include.header))
        if complaint:
            violations.append(f"{include.where}: {complaint}")
    return violations


def check_public_headers(root):
    violations = []
    for include in includes_below(root, "include"):
        if include.quoted and include.header.startswith(PUBLIC_PREFIX):
            continue
        complaint = (f'a public header may not include "{include.header}"' if include.quoted
                     else complaint_about_library("include", [], include.header))
        if complaint:
            violations.append(f"{include.where}: {complaint}")
    return violations


def tracked_at_top_level(root):
    """What is the project's own there: a user may keep files of his beside it."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True,
                            text=True, check=False)
    if listed.returncode != 0:  # an archive of the sources, and no clone
        return []
    return sorted({name.partition("/")[0] for name in listed.stdout.split("\0") if name})


def check_top_level(root):
    return [f"{name}:1: has no place at the top level of the repository"
            for name in tracked_at_top_level(root)
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in TOP_LEVEL)]


def check_tests(root):
    """A test that no CMakeLists.txt names, by its path from there, is never compiled."""
    listed = {(lists.parent / name).resolve()
              for lists in root.glob("test/**/CMakeLists.txt")
              for name in re.findall(r"[\w./-]+_test\.cpp", lists.read_text())}
    return [f"{test.relative_to(root)}:1: is in no CMakeLists.txt, so it is never compiled"
            for test in sorted(root.glob("test/**/*_test.cpp")) if test.resolve() not in listed]


def check(root):
    """All violations in the repository at `root`, a pathlib.Path, as lines."""
    house = read_house(root)
    return (check_table(house) + check_rooms(root, house) + check_public_headers(root) +
            check_top_level(root) + check_tests(root))


def readme_map(house):
    """The table as src/README.md shows it, in Markdown."""
    lines = ["| wing | room (`src/`) | what it holds |", "|---|---|---|"]
    for wing, meaning in house.wings.items():
        lines.append(f"| **{wing}** | | {meaning} |")
        lines += [f"| | `{room.name}` | {room.holds} |"
                  for room in house.rooms.values() if room.wing == wing]
    return "\n".join(lines)


def main(arguments):
    if len(arguments) == 3 and arguments[1] == "--map":
        print(readme_map(read_house(pathlib.Path(arguments[2]))))
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    violations = check(pathlib.Path(arguments[1]))
    print(*violations, sep="\n", end="\n" if violations else "")
    print(f"{len(violations)} violations of the table of the house")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
