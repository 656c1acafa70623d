"""autotune on a CUDA device: what it measures there computes what the reference does.

usage: cuda_test.py BIN_FOLDER

Skipped where there is no such device.
"""

import ctypes
import pathlib
import sys
import unittest

from tuned import Tuned

Tuned.BIN = pathlib.Path(sys.argv.pop(1)).resolve()


def first_device():
    """The name by which the driver calls it, and why there is none; one of them is empty."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return "", str(error)
    device, name = ctypes.c_int(), ctypes.create_string_buffer(256)
    for call, arguments in ((driver.cuInit, (0,)),
                            (driver.cuDeviceGet, (ctypes.byref(device), 0)),
                            (driver.cuDeviceGetName, (name, len(name), device))):
        failed = call(*arguments)
        if failed:
            return "", f"error {failed} of {call.__name__}"
    return name.value.decode(), ""


class Cuda(Tuned):
    def test_an_application_is_tuned_on_the_device(self):
        name, lack = first_device()
        if lack:
            print(f"SKIPPED: no CUDA device: {lack}")  # ctest looks for that
            self.skipTest(lack)
        self.tune("--device", "cuda", "--budget", "3t")
        summary = self.summary()
        self.assertIn(name, summary["device"])
        self.assertIn("target=host-cuda", summary["command"])
        self.assertGreaterEqual(summary["measured"], 1)
        self.assertGreater(summary["best"]["median_ms"], 0)
        self.assertLessEqual(summary["best"]["median_ms"], summary["default"]["median_ms"])
        records = self.check_records()
        self.assertGreaterEqual(len(records), 1)
        for record in records:
            self.assertIn(name, record["device"])
        header, _ = self.schedule()
        self.assertTrue(any("gpu_threads" in line for line in header), header)


if __name__ == "__main__":
    unittest.main(verbosity=2)
