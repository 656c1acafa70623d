"""collect: its samples, its failures, its options; that it goes on wherever it was ended.

usage: collection_test.py BIN_FOLDER COLLECT_SAMPLES_SH MAKE_UNTRAINED_WEIGHTS
"""

import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

BIN, EXAMPLE, MAKE_WEIGHTS = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))


def samples_in(path):
    """(pipeline, schedule, code hash, times) of every whole sample; the layout is in weights/README.md."""
    data = path.read_bytes() if path.exists() else b""
    found, at, number = [], 16, 0
    while at + 16 <= len(data):
        (length,) = struct.unpack_from("<I", data, at)
        end = at + 8 + length + 8
        if end > len(data):
            break
        if number > 0:
            found.append(parse_sample(data[at + 8:end - 8]))
        at, number = end, number + 1
    return found


def parse_sample(payload):
    (code_hash,), at = struct.unpack_from("<Q", payload), 8
    texts = []
    for _ in range(2):
        (length,) = struct.unpack_from("<I", payload, at)
        texts.append(payload[at + 4:at + 4 + length].decode())
        at += 4 + length
    (times,) = struct.unpack_from("<I", payload, at)
    return (*texts, code_hash, struct.unpack_from(f"<{times}d", payload, at + 4))


class Collection(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "out"
        self.samples = self.out / "opencl.samples"

    def command(self, *options):
        return [BIN / "collect", "--out", self.out, *options]

    def call(self, *options):
        return subprocess.run(self.command(*options), capture_output=True, text=True)

    def misses(self):
        path = self.out / "opencl.failures.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_the_example_of_the_readme(self):
        result = subprocess.run(["bash", EXAMPLE, BIN, self.out], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        samples = samples_in(self.samples)
        # Where the machine is too busy to time a pipeline, the other one has its turn; so how many
        # samples each of them has isn't certain.
        self.assertEqual(len(samples), 4)
        self.assertEqual({pipeline for pipeline, *_ in samples}, {"random:0", "random:1"})
        for _, schedule, code_hash, times in samples:
            self.assertRegex(schedule, "^size=small strategy=")
            self.assertNotEqual(code_hash, 0)
            self.assertTrue(all(ms > 0 for ms in times))
        shown = subprocess.run([BIN / "samples_info", "--json", self.samples], capture_output=True,
                               text=True, check=True).stdout
        origin = json.loads(shown)[0]["origin"]
        self.assertRegex(origin["device"], "^opencl: .")
        self.assertEqual(origin["gpu"]["name"], "opencl-generic")
        for known in ("driver", "halide", "plugin", "date", "command"):
            self.assertTrue(origin[known], known)
        self.assertEqual(list(self.out.glob("work*")), [])

    def end_when_there_are_more(self, options, how):
        """Starts a collection and ends it as soon as the file of samples has grown."""
        before = self.samples.stat().st_size if self.samples.exists() else 0
        process = subprocess.Popen(self.command(*options), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        while process.poll() is None:
            if self.samples.exists() and self.samples.stat().st_size > before + 1000:
                process.send_signal(how)
                break
            time.sleep(0.005)
        out, _ = process.communicate()
        return process.returncode, out

    def test_goes_on_after_an_interrupt_and_after_it_was_killed(self):
        options = ("--pipelines", "random:2-3", "--samples", "6", "--jobs", "1")
        code, out = self.end_when_there_are_more(options, signal.SIGINT)
        self.assertEqual(code, 130)
        self.assertIn("to go on: collect --out", out)
        first = samples_in(self.samples)
        self.assertGreaterEqual(len(first), 1)
        self.assertIn(f"{len(first)} of them new", out)

        code, _ = self.end_when_there_are_more(options, signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        second = samples_in(self.samples)
        self.assertEqual(second[:len(first)], first)
        self.assertLess(len(second), 6)

        result = self.call(*options)
        self.assertEqual(result.returncode, 0, result.stderr)
        samples = samples_in(self.samples)
        self.assertEqual(samples[:len(second)], second)
        self.assertEqual(len(samples), 6)
        self.assertIn(f"{6 - len(second)} of them new", result.stdout)
        for key in (lambda s: s[:2], lambda s: (s[0], s[2])):  # by schedule, and by code
            self.assertEqual(len({key(sample) for sample in samples}), 6)
        # What says nothing about the schedule is tried again.
        misses = [miss for miss in self.misses() if miss["kind"] not in ("noise", "lost")]
        self.assertEqual(len(samples) + len(misses),
                         len({sample[:2] for sample in samples} |
                             {(miss["pipeline"], miss["schedule"]) for miss in misses}))

        again = self.call(*options)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("0 of them new", again.stdout)
        self.assertEqual(samples_in(self.samples), samples)

    def test_what_does_not_end_is_a_failure_with_a_reason(self):
        result = self.call("--pipelines", "random:1", "--samples", "1", "--run-timeout", "0.001")
        self.assertEqual(result.returncode, 1)
        self.assertIn("name more pipelines", result.stderr)
        # Draws of a pipeline so small may repeat.
        late = [miss for miss in self.misses() if miss["kind"] != "duplicate"]
        self.assertEqual({miss["kind"] for miss in late}, {"timeout"})
        for miss in late:
            self.assertEqual(miss["pipeline"], "random:0")
            self.assertRegex(miss["reason"], "did not end within")
            self.assertIn("pipeline_runner", miss["command"])
        self.assertEqual(samples_in(self.samples), [])

    def linker_on_a_full_disk(self):
        """The environment in which it links references alone."""
        folder = self.out.parent / "linker"
        folder.mkdir()
        (folder / "cc").write_text(f"""#!/bin/sh
case "$*" in *reference*) exec {shutil.which("cc")} "$@";; esac
echo "ld: final link failed: No space left on device" >&2
exit 1
""")
        (folder / "cc").chmod(0o700)
        return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}

    def test_a_full_disk_is_no_failure_of_a_schedule(self):
        options = ("--pipelines", "random:1", "--samples", "1")
        full = subprocess.run(self.command(*options), capture_output=True, text=True,
                              env=self.linker_on_a_full_disk())
        self.assertEqual(full.returncode, 1, full.stderr)
        self.assertIn("(No space left on device); once there is room, the same command goes on",
                      full.stderr)
        self.assertEqual([miss for miss in self.misses() if miss["kind"] in ("compile", "setup")],
                         [])
        result = self.call(*options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(samples_in(self.samples)), 1)

    def test_a_folder_is_for_one_process(self):
        options = ("--pipelines", "random:1", "--samples", "2")
        with subprocess.Popen(self.command(*options), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as first:
            first.stderr.readline()  # it has begun
            second = self.call(*options)
            first.kill()
        self.assertEqual(second.returncode, 1)
        self.assertIn("another process collects in", second.stderr)

    def test_bad_usage_is_one_line_that_says_what_there_is(self):
        good = {"--pipelines": "random:1", "--samples": "1"}
        for option, value, text in [("--pipelines", "dice", "random:N"),
                                    ("--pipelines", "apps:luck", "unsharp"),
                                    ("--pipelines", "random:0", "'random:0'"),
                                    ("--samples", "0", "--samples"),
                                    ("--device", "cpu", "opencl or cuda"),
                                    ("--gpu", "H9000", "H200"),
                                    ("--sampler", "luck", "mixed or paper"),
                                    ("--phases", "never", "alternate"),
                                    ("--work", "huge", "small"),
                                    ("--seed", "x", "--seed")]:
            with self.subTest(option=option, value=value):
                words = [word for pair in (good | {option: value}).items() for word in pair]
                result = self.call(*words)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(text, result.stderr)
        self.assertEqual(self.call("--pipelines", "random:1").returncode, 2)
        self.assertFalse(self.out.exists())

    def test_weights_of_another_device_are_refused_before_anything_is_drawn(self):
        weights = self.out.parent / "a100.weights"
        subprocess.run([MAKE_WEIGHTS, "A100", weights], check=True)
        result = self.call("--pipelines", "random:1", "--samples", "1", "--gpu", "H200",
                           "--weights", str(weights))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "--weights: .*a100.weights")
        self.assertFalse(self.out.exists())

    def test_a_damaged_file_is_refused_and_kept(self):
        self.out.mkdir()
        self.samples.write_bytes(b"no samples at all")
        result = self.call("--pipelines", "random:1", "--samples", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn(str(self.samples), result.stderr)
        self.assertEqual(self.samples.read_bytes(), b"no samples at all")


if __name__ == "__main__":
    unittest.main(verbosity=2)
