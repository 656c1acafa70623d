"""python -m autoschedule_gpu TOOL ARGUMENTS...: runs a tool of the package."""

import sys

from autoschedule_gpu import inductor
from autoschedule_gpu.plugin import plugin_path
from autoschedule_gpu.tools import become, tool_names

USAGE = f"""usage: python -m autoschedule_gpu TOOL [ARGUMENTS...]
       python -m autoschedule_gpu plugin_path
       python -m autoschedule_gpu inductor [--install]

TOOL is one of: {', '.join(tool_names())}.
Each has a --help of its own. For instance
  python -m autoschedule_gpu autotune --help
  my.generator -p "$(python -m autoschedule_gpu plugin_path)" autoscheduler=GPU ...
"""


def main(arguments):
    if not arguments:
        print(USAGE, end="", file=sys.stderr)
        return 2
    name, *rest = arguments
    if name in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if name == "plugin_path":
        print(plugin_path())
        return 0
    if name == "inductor":
        return run_inductor(rest)
    try:
        become(name, *rest)
    except ValueError as error:
        print(f"python -m autoschedule_gpu: {error}", file=sys.stderr)
        return 2


def run_inductor(arguments):
    try:
        print(inductor.main(arguments), end="")
    except (inductor.InductorError, ValueError, FileNotFoundError) as error:
        print(f"python -m autoschedule_gpu inductor: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
