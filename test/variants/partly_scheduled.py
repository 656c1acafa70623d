"""Applications of which a part of the expert's directives is kept, and the plugin schedules the rest.

For each seed, the application and its directives are drawn (partly_scheduled.cpp), the plugin
schedules what is left, and what comes of it runs on OpenCL at a small size and is compared with the
reference. Prints a line for each seed, and fails if any computes something wrong, crashes, is
refused, or has other directives than were kept.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from described import description, input_options, tolerance_options

APPS = ["bgu", "bilateral_grid", "camera_pipe", "conv_layer", "depthwise_separable_conv", "harris",
        "hist_equalize", "iir_blur", "interpolate", "learned_demosaic", "lens_blur",
        "local_laplacian", "mat_mul", "max_filter", "nl_means", "stencil_chain", "unsharp"]
SIZES = ["reduced", "reduced_odd"]
SEARCH = ["gpu=A100", "beam_size=4", "num_passes=1"]


class Failed(Exception):
    """A step did not do what it should; the text says what it said."""


def run(step, command, timeout):
    """The standard output of a command that must end well."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{step}: took more than {timeout} s") from None
    if done.returncode != 0:
        raise Failed(f"{step}: {last_words(done)}")
    return done.stdout


def last_words(done):
    """What a program says of its end."""
    if done.returncode < 0:
        return f"crashed with signal {-done.returncode}"
    text = (done.stderr + done.stdout).strip()
    error = text.rfind("Error: ")
    return " ".join((text[error:] if error >= 0 else text[-2000:]).split())


class Bench:
    """Builds pipelines below a folder and runs them."""

    def __init__(self, options, folder):
        self.bin = options.build / "bin"
        self.lib = options.build / "lib"
        self.apps = options.build / "apps"
        self.timeout = options.timeout
        self.folder = folder
        self.references = {}

    def generator(self, app, size, name, target, words):
        sizes = description(self.apps, app)["sizes"][size]
        return [str(self.bin / f"{app}.generator"), "-g", app, "-f", name, "-n", name, "-o",
                str(self.folder), "-e", "object,schedule" if "autoscheduler" in " ".join(words)
                else "object", f"target={target}", *words,
                *(f"{key}={value}" for key, value in sizes.items())]

    def link(self, name):
        library = self.folder / f"{name}.so"
        run("linker", ["cc", "-shared", "-o", library, self.folder / f"{name}.o", "-lpthread",
                       "-ldl", "-lm"], self.timeout)
        return library

    def reference(self, app, size):
        if (app, size) not in self.references:
            name, expected = f"{app}_{size}", self.folder / f"{app}_{size}_expected"
            run("reference", self.generator(app, size, name, "host", []), self.timeout)
            run("reference", [self.bin / "pipeline_runner", "reference", "--library",
                              self.link(name), "--name", name, "--out", expected,
                              *input_options(description(self.apps, app))], self.timeout)
            self.references[app, size] = expected
        return self.references[app, size]

    def command(self, app, size, seed, keep):
        words = ["manual=true", "autoscheduler=PartlyScheduled", f"autoscheduler.seed={seed}",
                 f"autoscheduler.keep={keep}", f"autoscheduler.kept={self.folder}/kept.txt",
                 *(f"autoscheduler.{word}" for word in SEARCH)]
        command = self.generator(app, size, "variant", "host-opencl", words)
        plugins = f"{self.lib}/libautoschedule_gpu.so,{self.lib}/libpartly_scheduled.so"
        return command + ["-p", plugins]

    def verify(self, app, size):
        run("run", [self.bin / "pipeline_runner", "run", "--library", self.link("variant"),
                    "--name", "variant", "--expected", self.reference(app, size), "--samples", "0",
                    "--warmup", "1", *tolerance_options(description(self.apps, app))],
            self.timeout)

    def kept(self):
        path = self.folder / "kept.txt"
        lines = path.read_text().splitlines() if path.exists() else []
        return dict(line.rsplit(" ", 1) for line in lines)


def shown(kept):
    """Of each Func what is kept: "luma: all"; what goes is only counted."""
    named = [f"{name}: {what}" for name, what in kept.items() if what != "nothing"]
    return ", ".join(named or ["nothing"]) + f" (of {len(kept)})"


def check(bench, options, seed):
    """Prints the line of a seed; returns whether all is well."""
    apps = options.apps.split(",")
    app, size = apps[seed % len(apps)], SIZES[seed // len(apps) % len(SIZES)]
    command = bench.command(app, size, seed, options.keep)
    (bench.folder / "kept.txt").unlink(missing_ok=True)
    try:
        run("generator", command, bench.timeout)
        bench.verify(app, size)
        verdict = "ok"
    except Failed as failure:
        verdict = str(failure)
    print(f"{seed:3} {app} {size}, kept {shown(bench.kept())}: {verdict}", flush=True)
    if verdict != "ok":
        print("    " + shlex.join(map(str, command)), flush=True)
    return verdict == "ok"


def seeds(text):
    """The seeds of "7" or "0:50"."""
    if not re.fullmatch(r"\d+(:\d+)?", text):
        raise argparse.ArgumentTypeError(f"expected FIRST:END or one number, found '{text}'")
    first, _, end = text.partition(":")
    return range(int(first), int(end or int(first) + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--seeds", type=seeds, default=range(50), help="FIRST:END, or one")
    parser.add_argument("--apps", default=",".join(APPS), help="names separated by commas")
    parser.add_argument("--keep", type=int, default=60,
                        help="percent of the Funcs that keep all of their directives")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one step")
    parser.add_argument("--folder", type=pathlib.Path, help="where files stay (else: they go)")
    options = parser.parse_args()
    options.build = options.build.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(options, folder)
        wrong = [seed for seed in options.seeds if not check(bench, options, seed)]
    print(f"{len(options.seeds) - len(wrong)} of {len(options.seeds)} are right" +
          (f"; wrong: {wrong}" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
