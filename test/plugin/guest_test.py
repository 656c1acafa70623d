"""How the plugin behaves in programs that are not as it would like them.

usage: guest_test.py libautoschedule_gpu.so [unittest arguments]

Each case runs in a Python of its own, whose state it may spoil.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""

# What every case begins with: `schedule(...)` schedules a blur of that width, and returns the
# source of the schedule and the report.
PRELUDE = """
import ctypes, faulthandler, json, os, resource, signal, struct, sys, threading, time
import halide as hl

faulthandler.dump_traceback_later(100, exit=True)
libc = ctypes.CDLL(None, use_errno=True)
plugin, folder = sys.argv[1:]
hl.load_plugin(plugin)


def blur(width, name):
    x, y = hl.Var("x"), hl.Var("y")
    image = hl.ImageParam(hl.Float(32), 2, name + "_in")
    image.set_estimates([hl.Range(0, width + 2), hl.Range(0, 258)])
    rows, out = hl.Func(name + "_rows"), hl.Func(name)
    rows[x, y] = image[x, y] + image[x + 1, y] * 2 + image[x + 2, y]
    out[x, y] = rows[x, y] + rows[x, y + 1] * 2 + rows[x, y + 2]
    out.set_estimates([hl.Range(0, width), hl.Range(0, 256)])
    return hl.Pipeline(out)


def schedule(width=512, name="blur", target="host-opencl", **parameters):
    report = os.path.join(folder, name + ".json")
    wanted = {"gpu": "opencl-generic", "report": report, **parameters}
    if "cuda" in target:
        wanted["gpu"] = "A100"
    result = blur(width, name).apply_autoscheduler(
        hl.Target(target), hl.AutoschedulerParams("GPU", {k: str(v) for k, v in wanted.items()}))
    return result.schedule_source, json.load(open(report))


# Calls of the system that fail from now on: forks, or threads as well.
def forbid(threads):
    EPERM, EAGAIN, ENOSYS = 1, 11, 38
    CLONE, FORK, VFORK, CLONE3, CLONE_VM = 56, 57, 58, 435, 0x100
    load = lambda offset: (0x20, 0, 0, offset)
    equal = lambda value, yes, no: (0x15, yes, no, value)
    give = lambda code: (0x06, 0, 0, code)
    fail = lambda code: give(0x00050000 | code)
    program = [
        load(0),
        equal(CLONE3, 0, 1), fail(ENOSYS),
        equal(FORK, 0, 1), fail(EAGAIN),
        equal(VFORK, 0, 1), fail(EAGAIN),
        equal(CLONE, 0, 3),
        load(16), (0x45, 0 if threads else 1, 0, CLONE_VM), fail(EAGAIN),
        give(0x7FFF0000),
    ]
    if threads:
        program[8:11] = [fail(EAGAIN)] * 3
    code = b"".join(struct.pack("HBBI", *each) for each in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    class Filter(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]
    filter = Filter(len(program), ctypes.addressof(buffer))
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    if libc.prctl(22, 2, ctypes.byref(filter), 0, 0) != 0:
        print("SKIP: no filter of system calls", flush=True)
        os._exit(0)
"""


class Guest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_case(self, body, **kwargs):
        """What `body` prints last, as JSON."""
        environment = {"HL_OCL_DEVICE_TYPE": "cpu", **os.environ, **kwargs.pop("env", {})}
        done = subprocess.run(
            [sys.executable, "-B", "-c", PRELUDE + body, PLUGIN, self.folder.name],
            env={name: value for name, value in environment.items() if value is not None},
            capture_output=True, text=True, timeout=120, **kwargs)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if done.stdout.startswith("SKIP"):
            self.skipTest(done.stdout)
        return json.loads(done.stdout.splitlines()[-1])

    def plain(self):
        return self.run_case("print(json.dumps(schedule()[0]))")

    def check_trials(self, report, in_this_process=None):
        self.assertEqual(report["trial_lowerings_refused"], [])
        self.assertTrue(report["trials"]["chosen_was_tried"])
        self.assertGreaterEqual(report["trials"]["made"], 1)
        why = report["trials"]["in_this_process"]
        if in_this_process is None:
            self.assertIsNone(why)
        else:
            self.assertIn(in_this_process, why)

    def test_standard_streams_may_be_closed(self):
        for closed in [0, 1], [1, 2], [0, 1, 2]:
            source, report = self.run_case(f"""
out = os.fdopen(os.dup(1), "w")
for stream in {closed}: os.close(stream)
print(json.dumps(schedule(target="host-cuda-cuda_capability_80")), file=out)
""")
            self.check_trials(report)

    def test_children_may_be_ignored(self):
        source, report = self.run_case("""
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(json.dumps(schedule(target="host-cuda-cuda_capability_80")))
""")
        self.check_trials(report)

    def test_forks_may_be_forbidden(self):
        source, report = self.run_case("forbid(threads=False); print(json.dumps(schedule()))")
        self.check_trials(report, in_this_process="no process can be forked")
        self.assertEqual(source, self.plain())

    def test_threads_may_be_forbidden(self):
        source, report = self.run_case(
            "forbid(threads=True); print(json.dumps(schedule(threads=4)))")
        self.check_trials(report, in_this_process="no process can be forked")
        self.assertEqual(source, self.plain())

    def test_little_memory_is_no_crash(self):
        """An error of Halide's, or a schedule.

        The stacks of its threads, which stay for the next ones, are there before the limit. Made
        under it, they would leave so little that Halide's destructors, or the system as it gives a
        thread its own data, end the process, whatever the plugin does."""
        answers = self.run_case("""
schedule(name="before", strategy="plain", threads=2)
used = int(open("/proc/self/statm").read().split()[0]) * 4096
answers = []
for quarters in *range(13), 16, 24, 40, 400, 1200:
    resource.setrlimit(resource.RLIMIT_AS, (used + (quarters << 18), resource.RLIM_INFINITY))
    try:
        schedule(name=f"blur{quarters}", threads=2, beam_size=64)
        answers.append("a schedule")
    except hl.HalideError as error:
        assert "GPU autoscheduler" in str(error), error
        answers.append(str(error))
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(json.dumps(answers))
""")
        self.assertTrue(any("there is not enough memory" in answer for answer in answers), answers)
        self.assertEqual(answers[-1], "a schedule")

    def test_forks_may_wait_for_ever(self):
        """As for a lock that another thread held."""
        source, report = self.run_case("""
assert libc.__register_atfork(None, None, libc.pause, None) == 0
print(json.dumps(schedule()))
""")
        self.check_trials(report, in_this_process="waits for a lock")
        self.assertEqual(source, self.plain())

    def test_many_threads_at_work(self):
        source, report = self.run_case("""
enough = False
def work():
    k = 0
    while not enough:
        k += 1
        libc.free(ctypes.c_void_p(libc.malloc(k % 5000)))
        hl.Func(f"f{k}")
        time.sleep(0.001)
libc.malloc.restype = ctypes.c_void_p
threads = [threading.Thread(target=work, daemon=True) for _ in range(200)]
for thread in threads: thread.start()
result = schedule()
enough = True
for thread in threads: thread.join()
print(json.dumps(result))
""")
        self.assertEqual(report["trial_lowerings_refused"], [])
        self.assertEqual(source, self.plain())

    def test_several_threads_schedule_at_once(self):
        alone = [self.run_case(f"print(json.dumps(schedule({w}, 'blur{w}')[0]))")
                 for w in (256, 512, 1536)]
        together = self.run_case("""
found = {}
def work(width):
    found[width] = schedule(width, f"blur{width}")[0]
threads = [threading.Thread(target=work, args=(width,)) for width in (256, 512, 1536)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps([found[width] for width in (256, 512, 1536)]))
""")
        self.assertEqual(together, alone)

    def test_files_are_checked_before_the_search(self):
        for name in "report", "trace_out", "decisions_out", "trace", "decisions", "records":
            for path in "/proc/none/f", __file__ + "/f", str(pathlib.Path(__file__).parent):
                said = self.run_case(f"""
try:
    schedule(**{{"time_limit_s": 1000, "beam_size": 100000, "{name}": "{path}"}})
except hl.HalideError as error:
    print(json.dumps(str(error)))
""")
                self.assertIn(f"autoscheduler.{name}={path}: cannot be ", said)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_devices_are_written_to(self):
        said = self.run_case("""
os.symlink("/dev/full", folder + "/full")
try:
    schedule(report=folder + "/full")
except hl.HalideError as error:
    print(json.dumps(str(error)))
""")
        self.assertIn("full: could not write it: No space left on device", said)
        report = self.run_case("""
blur(512, "blur").apply_autoscheduler(hl.Target("host-opencl"), hl.AutoschedulerParams(
    "GPU", {"report": "/dev/stderr", "trace_out": "/dev/null"}))
print(json.dumps("done"))
""")
        self.assertEqual(report, "done")

    def test_trials_stop_when_time_is_up(self):
        """The child computes for ever."""
        source, report = self.run_case("""
def spin():
    while True: pass
spinning = ctypes.PYFUNCTYPE(None)(spin)
assert libc.__register_atfork(None, None, spinning, None) == 0
print(json.dumps(schedule(time_limit_s=0)))
""")
        self.assertFalse(report["trials"]["chosen_was_tried"])
        self.assertEqual(report["trials"]["stopped"], 1)
        self.assertEqual(report["search"]["stop_reason"], "time_limit")
        self.assertEqual(report["search"]["parts"][-1]["name"], "judge")
        self.assertLess(report["total_seconds"], 20)

    def test_needs_no_folder_to_work_in(self):
        for env in {"HOME": None}, {"TMPDIR": "/proc/none"}, {"TMPDIR": __file__ + "/none"}:
            source, report = self.run_case(
                "print(json.dumps(schedule(target='host-cuda-cuda_capability_80')))",
                cwd="/proc", env=env)
            self.check_trials(report)

    def test_needs_no_ptxas(self):
        source, report = self.run_case(
            "print(json.dumps(schedule(target='host-cuda-cuda_capability_80', ptxas='off')))")
        self.check_trials(report)
        self.assertIsNone(report["ptxas"])


if __name__ == "__main__":
    unittest.main()
