"""Plants violations in a small repository and looks whether module_table finds each, and no other."""

import pathlib
import tempfile
import unittest

import module_table


class ModuleTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/dag/dag.h", "#pragma once", "#include <vector>", '#include "support/id.h"')
        self.write("src/model/network.cpp", "#include <Eigen/Dense>", '#include "gpu/gpu_model.h"',
                   '#include "features/feature_list.h"', '#include "autoschedule_gpu/cost_model.h"')
        self.write("src/measure/run.cpp", "#include <Halide.h>", "#include <sys/wait.h>")
        self.write("include/autoschedule_gpu/cost_model.h", "#include <span>",
                   '#include "autoschedule_gpu/options.h"')

    def write(self, name, *lines):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def assert_found(self, where, what):
        found = module_table.check(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(where + ": "), found)
        self.assertIn(what, found[0])

    def test_a_repository_that_keeps_the_table_has_no_violation(self):
        self.assertEqual(module_table.check(self.root), [])

    def test_an_include_against_the_direction_is_found(self):
        self.write("src/dag/loop.cpp", "// why", "", ' #  include "nest/nest.h"')
        self.assert_found("src/dag/loop.cpp:3", 'dag may not include "nest/nest.h"')

    def test_one_header_of_a_module_does_not_open_the_rest_of_it(self):
        self.write("src/model/roofline.h", '#include "features/memo.h"')
        self.assert_found("src/model/roofline.h:1", 'model may not include "features/memo.h"')

    def test_halide_is_found_outside_its_modules(self):
        self.write("src/search/beam.cpp", "#include <Halide.h>")
        self.assert_found("src/search/beam.cpp:1", "only bridge, plugin, probe, measure, random_pipelines may")

    def test_halide_in_quotes_is_found_too(self):
        self.write("src/search/beam.cpp", '#include "Halide.h"')
        self.assert_found("src/search/beam.cpp:1", 'write "Halide.h" from src/ on')

    def test_a_second_file_of_measure_with_halide_is_found(self):
        self.write("src/measure/verify.cpp", "#include <vector>", "#include <Halide.h>")
        self.assert_found("src/measure/verify.cpp:2", "src/measure/run.cpp includes <Halide.h>")

    def test_a_library_outside_its_modules_is_found(self):
        self.write("src/search/beam.cpp", "#include <tbb/parallel_for.h>")
        self.assert_found("src/search/beam.cpp:1", "only support may")

    def test_an_unknown_library_is_found(self):
        self.write("src/dag/dag.cpp", "#include <boost/graph/graph.hpp>")
        self.assert_found("src/dag/dag.cpp:1", "does not know")

    def test_a_relative_include_is_found(self):
        self.write("src/dag/dag.cpp", '#include "../support/id.h"')
        self.assert_found("src/dag/dag.cpp:1", "module/file.h")

    def test_a_module_that_is_not_in_the_table_is_found(self):
        self.write("src/misc/things.h", "#pragma once")
        self.assert_found("src/misc:1", "no such module")

    def test_a_public_header_that_shows_src_is_found(self):
        self.write("include/autoschedule_gpu/options.h", '#include "support/error.h"')
        self.assert_found("include/autoschedule_gpu/options.h:1", "public header")

    def test_a_public_header_that_needs_halide_is_found(self):
        self.write("include/autoschedule_gpu/options.h", "#include <Halide.h>")
        self.assert_found("include/autoschedule_gpu/options.h:1", "include may not include")

    def test_a_stray_file_at_the_top_level_is_found(self):
        self.write("NOTES.md", "text")
        self.assert_found("NOTES.md:1", "top level")

    def test_dot_files_and_build_folders_at_the_top_level_are_fine(self):
        self.write(".clang-format", "")
        self.write("build/CMakeCache.txt", "")
        self.write("build-debug/CMakeCache.txt", "")
        self.assertEqual(module_table.check(self.root), [])


if __name__ == "__main__":
    unittest.main()
