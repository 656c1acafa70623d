"""PyTorch's compiler, Inductor, with this scheduler: what to set, and where it looks for the plugin."""

import importlib.util
import os
import pathlib

from autoschedule_gpu.plugin import plugin_path

USAGE = """usage: python -m autoschedule_gpu inductor [--install]

Prints the lines with which torch.compile uses Halide and the scheduler GPU. Inductor looks for the
plugin beside Halide's library; --install puts a link to it there.
"""
# Inductor makes this file's name of the scheduler's.
LIBRARY = "libautoschedule_gpu.so"


class InductorError(RuntimeError):
    """Something that Inductor needs is missing or in the way."""


def package_folder(name):
    """The folder of an installed package, which is not imported: torch takes seconds."""
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise InductorError(f"the Python package {name} is not installed here: pip install {name}")
    return pathlib.Path(found.submodule_search_locations[0])


def place_of_plugin():
    """The path at which Inductor finds the plugin. Raises InductorError without PyTorch or Halide."""
    if not (package_folder("torch") / "_inductor" / "codegen" / "halide.py").exists():
        raise InductorError("this PyTorch has no Halide backend; a newer one is needed")
    libraries = sorted(package_folder("halide").glob("lib*/libHalide.so*"))
    if not libraries:
        raise InductorError("the Python package halide has no libHalide.so")
    return libraries[0].parent / LIBRARY


def install():
    """Puts a link to the plugin where Inductor finds it; gives its path. Once more changes nothing."""
    place, plugin = place_of_plugin(), plugin_path()
    if os.path.lexists(place) and not place.is_symlink():
        raise InductorError(f"{place} is there, and is no link; move it away first")
    if place.is_symlink() and os.readlink(place) == plugin:
        return place
    # Renamed into place, for another process may be looking for it.
    made = place.with_name(f".{LIBRARY}.{os.getpid()}")
    try:
        made.symlink_to(plugin)
        made.replace(place)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise InductorError(f"{place} can't be made: {error.strerror}; "
                            f"set HALIDE_LIB={pathlib.Path(plugin).parent} instead") from error
    return place


def settings(installed):
    """The lines that a user's program and shell need."""
    shell = "" if installed else f"# In the shell, unless --install put a link beside Halide's library:\n" \
        f"#   export HALIDE_LIB={pathlib.Path(plugin_path()).parent}\n"
    return f"""{shell}import torch
import torch._inductor.config as config

config.cuda_backend = "halide"
config.halide.scheduler_cuda = "GPU"
# Inductor gives the scheduler the number of the device's multiprocessors, as `parallelism`.
compiled = torch.compile(model)
"""


def main(arguments):
    """Runs the command; returns what it prints. Raises InductorError and ValueError (bad arguments)."""
    if arguments in (["-h"], ["--help"]):
        return USAGE
    if arguments not in ([], ["--install"]):
        raise ValueError(f"inductor takes --install or nothing, not {' '.join(arguments)}")
    if arguments:
        return f"# {install()}\n{settings(installed=True)}"
    place = place_of_plugin()
    return settings(installed=place.is_symlink() and place.exists())
