"""The tools of the package: programs beside the plugin."""

import os
import signal
import subprocess

from autoschedule_gpu.plugin import FOLDER

BIN = FOLDER / "bin"
# It is a part of others, which start it.
HIDDEN = {"pipeline_runner"}


class ToolError(RuntimeError):
    """A tool that ended with another status than 0; `status` is that."""

    def __init__(self, name, status, message):
        super().__init__(message or f"{name} ended with status {status}")
        self.status = status


def tool_names():
    return sorted(path.name for path in BIN.glob("*") if path.name not in HIDDEN)


def command_of(name, *arguments):
    """The command line of a tool. Raises ValueError if there is no such tool."""
    if name not in tool_names():
        raise ValueError(f"there is no tool {name}; there are: {', '.join(tool_names())}")
    return [str(BIN / name), *map(str, arguments)]


def output_of(name, *arguments):
    """What the tool prints. Raises ToolError with its message if it fails."""
    done = subprocess.run(command_of(name, *arguments), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolError(name, done.returncode, done.stderr.strip())
    return done.stdout


def status_of(name, *arguments):
    """Runs the tool and returns its status. Ctrl-C asks it to end, and this waits until it has."""
    with subprocess.Popen(command_of(name, *arguments)) as tool:
        while True:
            try:
                # Popen.wait would hold Ctrl-C back for a while.
                os.waitid(os.P_PID, tool.pid, os.WEXITED | os.WNOWAIT)
                status = tool.wait()
                # What a signal has ended has the status that a shell gives it.
                return 128 - status if status < 0 else status
            except KeyboardInterrupt:
                # A terminal has sent it to the tool, too; os.kill has not. The tool takes two
                # within a second for one (tools/common/stop_signal.h).
                tool.send_signal(signal.SIGINT)


def become(name, *arguments):
    """Ends this program, and runs the tool in its place."""
    command = command_of(name, *arguments)
    os.execv(command[0], command)
