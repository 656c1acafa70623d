"""Every README: its links and their anchors lead somewhere, every block of code says how it is tested,
commands name programs and options that there are, and quoted errors occur in the sources.

usage: readmes_test.py REPOSITORY BUILD
"""

import pathlib
import re
import shlex
import subprocess
import sys
import unittest

import readmes

ROOT, BUILD = map(pathlib.Path, sys.argv[1:])
README_OF_ERRORS = "src/plugins/README.md"
# Sources whose texts users see.
SOURCES = ("src", "tools")
# Tools whose first word says what to do. Of anything else, --help comes first: it is never run.
VERBS = {"autotune": ["worker"], "pipeline_runner": ["run"],
         "records": ["best", "export", "list", "merge", "prune", "verify"]}


def anchors(text):
    """What can stand behind # in a link to this text, as GitHub makes it of headings."""
    found = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", readmes.without_blocks(text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
        number, unique = 0, slug
        while unique in found:
            number += 1
            unique = f"{slug}-{number}"
        found.add(unique)
    return found


LITERAL = r'"((?:[^"\\\n]|\\.)*)"'


def literals(source):
    """The texts of a C++ source, a line each; those that follow each other are one."""
    return "\n".join(
        "".join(re.findall(LITERAL, some[0])).replace('\\"', '"').replace("\\\\", "\\")
        for some in re.finditer(rf"{LITERAL}(?:\s*\+?\s*{LITERAL})*", source))


def help_of(program):
    """All that --help says of a program and of its verbs."""
    verbs = VERBS.get(program.name, [])
    return "".join(subprocess.run([program, *verb, "--help"], capture_output=True, text=True,
                                  timeout=60, check=False).stdout
                   for verb in [[], *([verb] for verb in verbs)])


def programs():
    """Name -> path, of the tools that a README may tell to type."""
    found = {path.name: path for path in sorted((BUILD / "bin").iterdir())
             if not path.name.endswith((".generator", ".process"))}
    return found | {f"tools/{path.name}": path for path in sorted((ROOT / "tools").iterdir())
                    if path.is_file() and path.stat().st_mode & 0o111}


def commands(text):
    """Lists of words: what is typed in code, spans and blocks alike."""
    code = re.findall(r"(?ms)^```sh\n(.*?)^```$", text) + re.findall(r"(?m)^    (\S.*)$", text)
    code += re.findall(r"`([^`\n]+)`", readmes.without_blocks(text))
    for some in code:
        for line in some.replace("\\\n", " ").split("\n"):
            for command in re.split(r"&&|\||;|&(?=\s|$)|:::", line):
                try:
                    yield shlex.split(command, comments=True)
                except ValueError:
                    continue


class Readmes(unittest.TestCase):
    maxDiff = None

    def test_links_and_anchors_lead_somewhere(self):
        wrong = []
        for readme in readmes.readmes(ROOT):
            text = readmes.without_blocks(readme.read_text(encoding="utf-8"))
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, anchor = link.partition("#")
                target = readme.parent / path if path else readme
                if not target.exists():
                    wrong.append(f"{readme.relative_to(ROOT)}: {link} is not there")
                elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
                    wrong.append(f"{readme.relative_to(ROOT)}: {link} is no heading there")
        self.assertEqual(wrong, [])

    def test_readmes_that_sources_name_are_there(self):
        wrong = []
        for folder in (*SOURCES, "include", "test", "cmake"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix not in {".h", ".cpp", ".py", ".txt", ".cmake"}:
                    continue
                text = path.read_text(encoding="utf-8")
                for name in re.findall(r"(?<![\w}])[\w.][\w./]*/README\.md", text):
                    if not (ROOT / name).exists() and not (path.parent / name).exists():
                        wrong.append(f"{path.relative_to(ROOT)} names {name}")
        self.assertEqual(wrong, [])

    def test_blocks_say_how_they_are_tested(self):
        tests = {name for path in sorted((BUILD / "test").rglob("CTestTestfile.cmake"))
                 for name in re.findall(r"(?m)^add_test\(\[=\[(.*?)\]=\]", path.read_text())}
        wrong = []
        for readme in readmes.readmes(ROOT):
            for block in readmes.blocks(ROOT, readme):
                if not block.mark:
                    wrong.append(f"{block.where}: the code has no mark")
                for name in block.said.split() if block.mark == "run by" else []:
                    if name not in tests and not (ROOT / name).is_file():
                        wrong.append(f"{block.where}: there is no test {name}")
        self.assertEqual(wrong, [])

    def test_quoted_files_are_run_by_a_test(self):
        folder = ROOT / "test"
        texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*"))
                 if path.suffix in {".py", ".sh", ".txt"}}
        wrong = []
        for readme in readmes.readmes(ROOT):
            for block in readmes.blocks(ROOT, readme):
                if block.mark != "file":
                    continue
                if (ROOT / "test/use" / block.said).read_text(encoding="utf-8") != block.code:
                    wrong.append(f"{block.where}: {block.said} is another text")
                name = block.said.partition("/")[0]
                if not any(name in text for path, text in texts.items() if path.name != name):
                    wrong.append(f"{block.where}: no test names {name}")
        self.assertEqual(wrong, [])

    def test_options_of_tools_are_there(self):
        known, helps, wrong = programs(), {}, []
        for readme in readmes.readmes(ROOT):
            for words in commands(readme.read_text(encoding="utf-8")):
                while words and re.match(r"[A-Z_]+=", words[0]):
                    words = words[1:]
                if not words:
                    continue
                name = words[0].removeprefix("build/bin/").removeprefix("./")
                if words[0].startswith(("build/bin/", "tools/")) and name not in known:
                    if not (ROOT / words[0]).exists() and not (BUILD.parent / words[0]).exists():
                        wrong.append(f"{readme.relative_to(ROOT)}: there is no {words[0]}")
                    continue
                if name not in known or name == "search_benchmarks":
                    continue
                options = [re.match(r"--[a-z-]+", word)[0] for word in words
                           if re.match(r"--[a-z]", word)]
                if options and name not in helps:
                    helps[name] = help_of(known[name])
                wrong += [f"{readme.relative_to(ROOT)}: {name} has no {option}"
                          for option in options
                          if not re.search(rf"{option}(?![\w-])", helps[name])]
        self.assertEqual(sorted(set(wrong)), [])

    def test_what_runs_on_a_gpu_is_made_for_one(self):
        wrong = []
        for readme in readmes.readmes(ROOT):
            for words in commands(readme.read_text(encoding="utf-8")):
                line = " ".join(words)
                if "--device cuda" not in line:
                    continue
                name = pathlib.Path(words[0]).name
                if name == "collect" and re.search("--pipelines (both|.*apps)", line):
                    wrong += [line] if "--app-size full" not in line else []
                if name == "compare_autoschedulers":
                    wrong += [line] if "--gpu " not in line else []
        self.assertEqual(wrong, [])

    def test_quoted_errors_are_in_the_sources(self):
        texts = [literals(path.read_text(encoding="utf-8"))
                 for folder in SOURCES for path in sorted((ROOT / folder).rglob("*"))
                 if path.suffix in {".cpp", ".h"}]
        readme = (ROOT / README_OF_ERRORS).read_text(encoding="utf-8")
        table = re.search(r"<!-- errors -->\n(.*?)<!-- /errors -->", readme, re.S)[1]
        quoted = re.findall(r"(?m)^\| `([^`]+)` \|", table)
        self.assertGreater(len(quoted), 30)
        for error in quoted:
            parts = [part for part in error.split("…") if part.strip(" .:,()\"'")]
            with self.subTest(error):
                self.assertTrue(parts and any(all(part in text for part in parts)
                                              for text in texts))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
