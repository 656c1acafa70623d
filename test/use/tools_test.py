"""What every tool says of itself, and how it ends on a bad call.

usage: tools_test.py TOOL...
"""

import pathlib
import re
import subprocess
import sys
import unittest

TOOLS = [pathlib.Path(path) for path in sys.argv[1:]]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Tools(unittest.TestCase):
    def each(self, *arguments):
        for tool in TOOLS:
            with self.subTest(tool.name):
                yield tool.name, run(tool, *arguments)

    def test_tell_their_version(self):
        for name, done in self.each("--version"):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, rf"\A{name} \d+\.\d+\.\d+ for Halide \d+\.\d+\.\d+\n\Z")

    def test_help_has_an_example_and_exit_statuses(self):
        for name, done in self.each("--help"):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, rf"For instance\n(  .*\n)*  {name}\b")
            self.assertIn("Exit status: 0 ", done.stdout)

    def test_the_parameters_that_judge_model_names_exist(self):
        tools = {tool.name: tool for tool in TOOLS}
        named = re.findall(r"(?:--param|such\s+as)\s+(\w+)=", run(tools["judge_model"], "--help").stdout)
        self.assertGreaterEqual(len(named), 2)
        there_are = run(tools["list_parameters"]).stdout
        for name in named:
            self.assertIn(f"| `{name}` |", there_are)

    def test_a_bad_call_is_told_in_one_line_that_names_the_tool(self):
        for name, done in self.each("--no-such-option"):
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertRegex(done.stderr, rf"\A{name}: .*{name} --help says what there is\n\Z")

    def test_a_file_that_is_missing_is_named(self):
        for name, done in self.each():
            self.assertNotRegex(done.stderr, rf"^{name}: files? is required")

    def test_a_manual_page_has_what_help_has(self):
        for name, done in self.each("--man"):
            self.assertEqual(done.returncode, 0, done.stderr)
            for section in (f".TH {name.upper()} 1", ".SH NAME", ".SH OPTIONS", ".SH EXAMPLES",
                            ".SH \"EXIT STATUS\"", "\\-\\-version"):
                self.assertIn(section, done.stdout)

    def test_bash_completes_options(self):
        for name, done in self.each("--completion"):
            asked = f"{done.stdout}\nCOMP_WORDS=({name} --vers) COMP_CWORD=1\n" + (
                f"_autoschedule_gpu_{name}; echo ${{COMPREPLY[0]}}; complete -p {name}")
            answer = run("bash", "-c", asked)
            self.assertEqual(answer.stdout.splitlines()[0], "--version", answer.stderr)
            self.assertIn(f"_autoschedule_gpu_{name} {name}", answer.stdout)

    def test_bash_completes_verbs_and_their_options(self):
        for tool in TOOLS:
            if tool.name != "records":
                continue
            script = run(tool, "--completion").stdout
            for words, expected in (("pru", "prune"), ("prune --dry", "--dry-run")):
                answer = run("bash", "-c", f"{script}\nCOMP_WORDS=(records {words})\n"
                             f"COMP_CWORD={len(words.split())}\n"
                             "_autoschedule_gpu_records; echo ${COMPREPLY[0]}")
                self.assertEqual(answer.stdout.strip(), expected, answer.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
