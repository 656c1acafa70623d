"""Pipelines of PyTorch's compiler, Inductor, in its Halide backend, scheduled by this plugin.

usage: inductor_check.py PLUGIN PTXAS_REPORT [NAME...]

PLUGIN is the file libautoschedule_gpu.so, NAME one of pipelines.py (default: all). Inductor writes the
generators anew. Each is scheduled for CUDA, with the flags that Inductor gives, and assembled by ptxas;
and for OpenCL, and run on the device that HL_OCL_DEVICE_TYPE names. What Inductor computes with these
kernels is compared with eager PyTorch. The exit status is 1 if anything fails.
"""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PLUGIN, PTXAS_REPORT, *NAMES = sys.argv[1:]
os.environ["HALIDE_LIB"] = str(pathlib.Path(PLUGIN).resolve().parent)
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())

import halide as hl
import numpy as np
import torch
from torch._inductor import config
from torch._inductor.async_compile import AsyncCompile

from pipelines import PIPELINES

# An A100's, as Inductor writes them for it: its processors are `parallelism`.
CUDA = "host-cuda-cuda_capability_80-user_context-strict_float-no_runtime-no_asserts"
CUDA_PARAMETERS = {"parallelism": "108"}
OPENCL = "host-opencl-cl_doubles-strict_float-no_asserts"
MOST_SECONDS = 5
COUNTER = itertools.count()
MAIN = 'if __name__ == "__main__":'


class Kernel:
    """A generator that Inductor wrote, and the kernel that it is called as."""

    def __init__(self, meta, source):
        self.meta, self.source = meta, source
        self.function = self.opencl()
        self.seconds, self.ptxas = self.cuda()

    def scheduled(self, target, parameters, use):
        """Calls use(generator, pipeline, target) on the scheduled pipeline; gives seconds (of processors, for
        others may use them too) and what it gave."""
        names = {"__name__": "kernel"}
        # A process has one generator of a name.
        source = self.source.replace('name="kernel"', f'name="kernel_{next(COUNTER)}"')
        exec(source.split(MAIN)[0], names)
        autoscheduler = hl.AutoschedulerParams("GPU", {"verbose": "0", **parameters})
        target = hl.Target(target)
        with hl.GeneratorContext(target, autoscheduler):
            generator = names["Kernel"]()
            pipeline = generator._build_pipeline()
            started = time.process_time()
            pipeline.apply_autoscheduler(target, autoscheduler)
            seconds = time.process_time() - started
            return seconds, use(generator, pipeline, target)

    def opencl(self):
        return self.scheduled(OPENCL, {}, lambda generator, pipeline, target:
                              pipeline.compile_to_callable(arguments_of(generator), target))[1]

    def cuda(self):
        """Seconds of the schedule, and ptxas's complaint or None."""
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder) / "kernel.ptx"
            seconds, _ = self.scheduled(CUDA, CUDA_PARAMETERS, lambda generator, pipeline, target:
                                        pipeline.compile_to({hl.OutputFileType.device_code: str(code)},
                                                            arguments_of(generator), "halide_kernel", target))
            done = subprocess.run([PTXAS_REPORT, "--gpu", "A100", str(code)], capture_output=True,
                                  text=True, check=False)
            return seconds, done.stderr if done.returncode != 0 else None

    def __call__(self, *values):
        """As Inductor calls it: a tensor or a number for each argument that is no other's alias."""
        arguments = self.meta.argtypes
        given = dict(zip((a.name for a in arguments if a.alias_of is None), values, strict=True))
        passed = [buffer_of(given[a.alias_of or a.name], a) if a.is_buffer() else given[a.name]
                  for a in arguments]
        self.function(*passed)
        for value in passed:
            if isinstance(value, hl.Buffer) and value.device_dirty():
                value.copy_to_host()


def arguments_of(generator):
    return [generator._get_input_parameter(argument.name)._to_argument()
            for argument in generator._get_arginfos()
            if argument.dir == hl.ArgInfoDirection.Input]


def number(text):
    """Of a C++ literal; shapes are constants here."""
    return int(text.removesuffix("L"))


def buffer_of(tensor, argument):
    """The tensor's memory, of the strides that Inductor gives the argument."""
    flat = torch.as_strided(tensor, [tensor.untyped_storage().nbytes() // tensor.itemsize], [1], 0).numpy()
    offset = tensor.storage_offset() + number(argument.offset)
    shape = [number(size) for size in argument.shape]
    strides = [number(stride) for stride in argument.stride]
    if "in_ptr" in argument.name:
        flat, offset, shape = with_all_around(flat, offset, shape, strides)
    in_bytes = [stride * tensor.itemsize for stride in strides]
    return hl.Buffer(np.lib.stride_tricks.as_strided(flat[offset:], shape, in_bytes), reverse_axes=False)


def with_all_around(flat, offset, shape, strides):
    """The same input as memory, offset and shape by which all of it comes to a device.

    Inductor's kernels read beyond the extents that it gives, where windows overlap say, and let a padded
    window begin before the tensor, whose values there it masks; on the way to a device is copied only what
    is within the extents. So there are zeros before and after, and each dimension goes on to the next
    stride.
    """
    flat = np.concatenate([np.zeros(max(0, -offset), flat.dtype), flat])
    offset = max(0, offset)
    order = sorted((stride, i) for i, stride in enumerate(strides) if stride > 0)
    shape = list(shape)
    for (stride, i), (following, _) in itertools.pairwise(order):
        shape[i] = max(shape[i], following // stride)
    if order:
        stride, last = order[-1]
        shape[last] = max(shape[last], -(-(flat.size - offset) // stride))
    end = offset + 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    return np.concatenate([flat, np.zeros(max(0, end - flat.size), flat.dtype)]), offset, shape


def check(name, kernels):
    """None, or what is wrong with what Inductor computes."""
    function, tensors = PIPELINES[name]
    torch._dynamo.reset()
    expected = function(*tensors)
    # Functions of PyTorch itself are compiled only as parts of others.
    compiled = torch.compile(lambda *given: function(*given), dynamic=False, fullgraph=True)
    got = compiled(*tensors)
    if not kernels:
        return "Inductor made no kernel of it"
    try:
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
    except AssertionError as error:
        return str(error)
    late = [kernel.seconds for kernel in kernels if kernel.seconds > MOST_SECONDS]
    complaints = [kernel.ptxas for kernel in kernels if kernel.ptxas]
    if late:
        return f"a schedule took {max(late):.1f} s"
    return complaints[0] if complaints else None


def main():
    config.cpu_backend = "halide"
    config.halide.scheduler_cpu = "GPU"
    config.fx_graph_cache = False
    hl.load_plugin(PLUGIN)
    kernels, failed = [], []

    def capture(_, meta, source):
        kernels.append(Kernel(meta, source))
        return kernels[-1]

    AsyncCompile.halide = capture
    print(f"{'pipeline':26} generators seconds ptxas result", flush=True)
    for name in NAMES or PIPELINES:
        kernels.clear()
        try:
            wrong = check(name, kernels)
        except Exception as error:  # of any layer; the next pipeline is tried all the same
            wrong = f"{type(error).__name__}: {error}"
        seconds = max((kernel.seconds for kernel in kernels), default=0)
        passes = "passes" if kernels and not any(kernel.ptxas for kernel in kernels) else "-"
        print(f"{name:26} {len(kernels):10} {seconds:7.2f} {passes:6} {'right' if wrong is None else wrong}",
              flush=True)
        if wrong is not None:
            failed.append(name)
    if failed:
        sys.exit(f"failed: {' '.join(failed)}")


if __name__ == "__main__":
    main()
