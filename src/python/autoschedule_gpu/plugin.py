"""Where the plugin is, and how it gets into this process."""

import functools
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent


def plugin_path():
    """The path of the plugin, as a generator's `-p` and `halide.load_plugin` take it.

    Raises FileNotFoundError where the package has none: it is run from the sources then.
    """
    path = FOLDER / "lib" / "libautoschedule_gpu.so"
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is not there. tools/make_wheel builds a wheel that has it; install that.")
    return str(path)


@functools.cache
def load():
    """Loads the plugin, so that `Pipeline.apply_autoscheduler` knows "GPU". Once is enough."""
    import halide  # its library must be in the process before the plugin, which takes that one

    halide.load_plugin(plugin_path())
