"""Plants violations in a small repository and looks whether house.py finds each, and no other."""

import pathlib
import subprocess
import tempfile
import unittest

import house

TABLE = """# A table.

wing tune | measuring
tune/run | scheduler/nest scheduler/features/list.h core/dag | Halide POSIX | runs

wing scheduler | the brain
scheduler/features | scheduler/nest core/dag | | features
scheduler/nest | core/dag | | nests

wing core | data
core/dag | core/support | | pipelines
core/support | | TBB | ids
"""


class TableOfTheHouse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/house.txt", TABLE)
        self.write("src/core/dag/dag.h", "#pragma once", "#include <vector>",
                   '#include "core/support/id.h"')
        self.write("src/tune/run/run.cpp", "#include <Halide.h>", "#include <sys/wait.h>",
                   '#include "scheduler/features/list.h"', '#include "autoschedule_gpu/rule.h"')
        self.write("include/autoschedule_gpu/rule.h", "#include <span>",
                   '#include "autoschedule_gpu/nest.h"')

    def write(self, name, *lines):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def track(self, *names):
        subprocess.run(["git", "-C", self.root, "init", "-q"], check=True)
        subprocess.run(["git", "-C", self.root, "add", *names], check=True)

    def assert_found(self, where, what):
        found = house.check(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(where + ": "), found)
        self.assertIn(what, found[0])

    def test_a_repository_that_keeps_the_table_has_no_violation(self):
        self.assertEqual(house.check(self.root), [])

    def test_an_include_against_the_direction_is_found(self):
        self.write("src/core/dag/loop.cpp", "// why", "", ' #  include "scheduler/nest/nest.h"')
        self.assert_found("src/core/dag/loop.cpp:3",
                          'core/dag may not include "scheduler/nest/nest.h"')

    def test_one_header_of_a_room_does_not_open_the_rest_of_it(self):
        self.write("src/tune/run/x.h", '#include "scheduler/features/memo.h"')
        self.assert_found("src/tune/run/x.h:1", 'tune/run may not include')

    def test_a_room_that_names_what_is_above_it_is_found(self):
        self.write("src/house.txt", TABLE.replace("core/support | | TBB", "core/support | tune/run | TBB"))
        self.assert_found("src/house.txt:12", "names tune/run, which is above it")

    def test_a_circle_within_a_wing_is_found(self):
        self.write("src/house.txt", TABLE.replace("scheduler/nest | core/dag",
                                                  "scheduler/nest | scheduler/features core/dag"))
        self.assert_found("src/house.txt:8", "names scheduler/features, which stands before it")

    def test_a_room_that_is_not_there_is_found(self):
        self.write("src/house.txt", TABLE.replace("core/dag | core/support",
                                                  "core/dag | core/suport core/support"))
        self.assert_found("src/house.txt:11", "there is no room core/suport")

    def test_a_library_outside_its_rooms_is_found(self):
        for header in ("<Halide.h>", "<tbb/parallel_for.h>"):
            with self.subTest(header):
                self.write("src/scheduler/nest/beam.cpp", f"#include {header}")
                self.assert_found("src/scheduler/nest/beam.cpp:1", "the table gives it no")

    def test_halide_in_quotes_is_found_too(self):
        self.write("src/scheduler/nest/beam.cpp", '#include "Halide.h"')
        self.assert_found("src/scheduler/nest/beam.cpp:1", "from src/ on")

    def test_an_unknown_library_is_found(self):
        self.write("src/core/dag/dag.cpp", "#include <boost/graph/graph.hpp>")
        self.assert_found("src/core/dag/dag.cpp:1", "does not know")

    def test_a_relative_include_is_found(self):
        self.write("src/core/dag/dag.cpp", '#include "../support/id.h"')
        self.assert_found("src/core/dag/dag.cpp:1", "wing/room/file.h")

    def test_a_folder_that_is_no_room_is_found(self):
        self.write("src/core/misc/things.h", "#include <vector>")
        self.assert_found("src/core/misc/things.h:1", "no room")

    def test_a_public_header_that_shows_src_is_found(self):
        self.write("include/autoschedule_gpu/options.h", '#include "core/support/error.h"')
        self.assert_found("include/autoschedule_gpu/options.h:1", "public header")

    def test_a_public_header_that_needs_halide_is_found(self):
        self.write("include/autoschedule_gpu/options.h", "#include <Halide.h>")
        self.assert_found("include/autoschedule_gpu/options.h:1", "include may not include")

    def test_a_test_that_is_never_compiled_is_found(self):
        self.write("test/unit/core/dag/dag_test.cpp", "#include <vector>")
        self.assert_found("test/unit/core/dag/dag_test.cpp:1", "is in no CMakeLists.txt")
        self.write("test/unit/core/dag/CMakeLists.txt", "tests(SOURCES an_dag_test.cpp)")
        self.assert_found("test/unit/core/dag/dag_test.cpp:1", "is in no CMakeLists.txt")
        self.write("test/unit/core/CMakeLists.txt", "tests(SOURCES a_test.cpp dag/dag_test.cpp)")
        self.assertEqual(house.check(self.root), [])

    def test_a_stray_file_that_is_tracked_at_the_top_level_is_found(self):
        self.write("NOTES.md", "text")
        self.track("NOTES.md", "src")
        self.assert_found("NOTES.md:1", "top level")

    def test_files_of_the_user_at_the_top_level_are_fine(self):
        self.write("my_notes.txt", "text")
        self.write("build/CMakeCache.txt", "")
        self.track("src")
        self.assertEqual(house.check(self.root), [])

    def test_the_map_has_every_wing_and_room(self):
        text = house.readme_map(house.read_house(self.root))
        for name in ("**tune**", "`tune/run` | runs", "**core**", "`core/support` | ids"):
            self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main()
