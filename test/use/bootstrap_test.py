"""tools/bootstrap in a scratch clone and without the network: what it does to an environment that
is there, and which ptxas it takes.

usage: bootstrap_test.py BOOTSTRAP

pip is real and takes wheels from a folder, which have the right names and next to nothing in them.
Their CMake writes down its arguments and a cache, their Ninja does nothing.
"""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from pip._vendor.packaging.specifiers import SpecifierSet

BOOTSTRAP = pathlib.Path(sys.argv.pop(1))
TEXT = BOOTSTRAP.read_text(encoding="utf-8")
HALIDE = re.search(r"HALIDE_VERSIONS=\((\S+)", TEXT)[1]
PTXAS = re.search(r'PTXAS_REQUIREMENT="(.*)"', TEXT)[1]
REQUIREMENTS = [f"halide=={HALIDE}", PTXAS, *re.findall(r'(?m)^    "(\S+==\S+)"$', TEXT)]

CMAKE = r"""#!/bin/bash
printf '%s\n' "$@" >"$SCRATCH/cmake_arguments"
while (($#)); do
    case "$1" in
    -S) source=$2 ;;
    -B) build=$2 ;;
    -D*PTXAS=*) ptxas=${1#*=} ;;
    -D*PROGRAM=*) ninja=${1#*=} ;;
    esac
    shift
done
mkdir -p "$build"
touch "$build/build.ninja"
cat >"$build/CMakeCache.txt" <<CACHE
CMAKE_HOME_DIRECTORY:INTERNAL=$source
CMAKE_CACHEFILE_DIR:INTERNAL=$build
CMAKE_GENERATOR:INTERNAL=Ninja
CMAKE_MAKE_PROGRAM:FILEPATH=$ninja
CMAKE_COMMAND:INTERNAL=$0
Halide_DIR:PATH=$source
AUTOSCHEDULE_GPU_PTXAS:FILEPATH=$ptxas
CACHE
"""


def write_program(path, text="#!/bin/sh\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def write_wheel(folder, requirement):
    name, _, version = requirement.replace("-", "_").partition("==")
    programs = {"cmake": CMAKE, "ninja": "#!/bin/sh\n"}
    files = {f"{name}-{version}.dist-info/METADATA":
             f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
             f"{name}-{version}.dist-info/WHEEL":
             "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    if name in programs:
        files[f"{name}-{version}.data/scripts/{name}"] = programs[name]
    if requirement == PTXAS:
        files["nvidia/cuda_nvcc/bin/ptxas"] = "#!/bin/sh\n"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100755 << 16
            wheel.writestr(entry, text)
        record = f"{name}-{version}.dist-info/RECORD"
        wheel.writestr(record, "".join(f"{path},,\n" for path in [*files, record]))


class Bootstrap(unittest.TestCase):
    def setUp(self):
        for name in "ptxas", "nvcc":
            if os.path.exists(f"/usr/bin/{name}"):
                self.skipTest("the system has a toolkit among its own programs")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name).resolve()
        self.clone = self.scratch / "clone"
        self.venv = self.clone / ".venv"
        self.script = self.clone / "tools" / "bootstrap"
        self.write_script(TEXT)
        self.wheels = self.scratch / "wheels"
        self.wheels.mkdir()
        for requirement in REQUIREMENTS:
            write_wheel(self.wheels, requirement)
        # All Debian packages are there.
        self.programs = self.scratch / "programs"
        write_program(self.programs / "dpkg-query",
                      '#!/bin/sh\nfor name; do echo "installed $name"; done\n')
        self.toolkit = write_program(self.scratch / "toolkit" / "bin" / "ptxas")

    def write_script(self, text):
        # The toolkit that this machine may have is none here.
        write_program(self.script, text.replace("/usr/local/cuda/", "/none/"))

    def call(self, *arguments, path=(), **variables):
        """The process that has ended, and `path` before the usual folders without a ptxas."""
        usual = [folder for folder in os.environ["PATH"].split(":")
                 if not any(os.path.exists(f"{folder}/{name}") for name in ("ptxas", "nvcc"))]
        environment = {"PATH": ":".join(map(str, [self.programs, *path, *usual])),
                       "HOME": str(self.scratch), "SCRATCH": str(self.scratch),
                       "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)} | variables
        return subprocess.run([self.script, *arguments], capture_output=True, text=True,
                              check=False, env=environment)

    def bootstrap(self, *arguments, **settings):
        done = self.call(*arguments, **settings)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def assert_environment_works(self):
        version = subprocess.run([self.venv / "bin/python", "-c", "import importlib.metadata as m; "
                                  "print(m.version('ninja'))"], capture_output=True, text=True)
        self.assertIn(f"ninja=={version.stdout.strip()}", REQUIREMENTS, version.stderr)
        self.assertTrue((self.venv / ".bootstrap-stamp").exists())
        self.assertFalse((self.venv / ".bootstrap-unfinished").exists())
        self.assertEqual(sorted(path.name for path in self.clone.glob(".venv*")), [".venv"])

    def ptxas_of_cmake(self):
        written = (self.scratch / "cmake_arguments").read_text(encoding="utf-8")
        return re.search("(?m)^-DAUTOSCHEDULE_GPU_PTXAS=(.*)$", written)[1]

    def test_a_failed_change_leaves_the_environment_as_it_was(self):
        self.assertIn("making the virtual environment", self.bootstrap("--no-build"))
        self.assert_environment_works()
        later = TEXT.replace('"ninja==', '"ninja==99.')
        self.assertNotEqual(later, TEXT)
        self.write_script(later)
        for _ in range(2):
            failed = self.call("--no-build")
            self.assertEqual(failed.returncode, 1)
            self.assertIn("pip could not install the wheels", failed.stderr)
            self.assertIn(".venv is again what it was", failed.stdout)
            self.assert_environment_works()
        # One that can't be taken over is replaced only when the other is complete.
        (self.venv / ".bootstrap-unfinished").touch()
        marker = self.venv / "of_the_old_one"
        marker.touch()
        # Its python is the first on PATH.
        self.assertEqual(self.call("--no-build", path=[self.venv / "bin"]).returncode, 1)
        self.assertTrue(marker.exists())
        self.write_script(TEXT)
        self.assertIn("making the virtual environment",
                      self.bootstrap("--no-build", path=[self.venv / "bin"]))
        self.assertFalse(marker.exists())
        self.assert_environment_works()
        self.assertNotIn("installing", self.bootstrap("--no-build"))

    def test_a_change_that_was_killed_is_taken_back(self):
        self.bootstrap("--no-build")
        shutil.copytree(self.venv, self.clone / ".venv.before", symlinks=True)
        (self.venv / ".bootstrap-unfinished").touch()
        (self.venv / ".bootstrap-stamp").unlink()
        self.assertIn(".venv is again what it was", self.bootstrap("--no-build"))
        self.assert_environment_works()
        # All was done but for the earlier one's end.
        shutil.copytree(self.venv, self.clone / ".venv.before", symlinks=True)
        self.assertNotIn("again what it was", self.bootstrap("--no-build"))
        self.assert_environment_works()

    def test_the_ptxas_of_an_environment_is_no_toolkits(self):
        self.bootstrap("--target", "some")
        self.assertEqual(self.ptxas_of_cmake(), str(self.venv / "bin/ptxas"))
        stamp = (self.venv / ".bootstrap-stamp").read_text(encoding="utf-8")
        for path in [self.venv / "bin"], [self.toolkit.parent]:
            said = self.bootstrap("--target", "some", path=path)
            self.assertNotIn("installing", said)
            self.assertNotIn("configuring", said)
            self.assertEqual((self.venv / ".bootstrap-stamp").read_text(encoding="utf-8"), stamp)
        # Nor is it in the environment of another Halide.
        other = re.search(r"HALIDE_VERSIONS=\(\S+ (\S+)\)", TEXT)[1]
        write_wheel(self.wheels, f"halide=={other}")
        self.bootstrap("--halide", other, "--no-build", path=[self.venv / "bin"])
        self.assertIn(PTXAS, (self.clone / f".venv-halide-{other}" / ".bootstrap-stamp")
                      .read_text(encoding="utf-8"))

    def test_a_toolkit_that_was_chosen_stays_while_it_is_there(self):
        # Known by nvcc alone, through a link from elsewhere.
        nvcc = write_program(self.toolkit.with_name("nvcc"))
        links = self.scratch / "links"
        links.mkdir()
        (links / "nvcc").symlink_to(nvcc)
        self.bootstrap("--target", "some", path=[links])
        self.assertEqual(self.ptxas_of_cmake(), str(self.toolkit))
        self.assertFalse((self.venv / "bin/ptxas").exists())
        said = self.bootstrap("--target", "some")  # nothing on PATH leads to it
        self.assertNotIn("installing", said)
        self.assertNotIn("configuring", said)
        self.toolkit.unlink()
        said = self.bootstrap("--target", "some", path=[links])
        self.assertIn(PTXAS, said)
        self.assertIn("configuring (build/ was made with tools that are gone)", said)
        self.assertEqual(self.ptxas_of_cmake(), str(self.venv / "bin/ptxas"))

    def test_there_is_every_wheel_for_every_python(self):
        pythons = re.search('PYTHON_VERSIONS="(.*)"', TEXT)[1].split()
        for requirement in REQUIREMENTS:
            name, _, version = requirement.partition("==")
            try:
                found = importlib.metadata.metadata(name)
            except importlib.metadata.PackageNotFoundError:
                continue  # this environment does not have that
            if found["Version"] == version:
                allowed = SpecifierSet(found["Requires-Python"] or "")
                self.assertEqual([some for some in pythons if some not in allowed], [], name)


if __name__ == "__main__":
    unittest.main()
