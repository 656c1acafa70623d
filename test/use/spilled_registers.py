"""What becomes of a schedule whose kernels spill, with stand-ins for NVIDIA's assembler.

usage: spilled_registers.py libautoschedule_gpu.so unsharp.generator

The first schedule of unsharp is one that the assembler is asked about. (That of harris keeps so much
that it is taken to spill; then the first that is asked about, and said to spill, is its successor.)
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

plugin, generator = sys.argv[1:]
work = pathlib.Path(os.environ["WORK"])
work.mkdir(parents=True, exist_ok=True)


def stand_in(name, body):
    program = work / name
    program.write_text(
        "#!/bin/sh\n"
        "if [ \"$1\" = --help ]; then echo \"'sm_80'\"; exit 0; fi\n"
        "for argument; do case \"$argument\" in *.ptx) ptx=\"$argument\"; esac; done\n" + body
    )
    program.chmod(0o755)
    return program


# Says of the kernels of the first schedule that it sees that they spill, and of others that they do
# not.
SPILLS = rf"""
bytes=0
if mkdir {work / "seen"} 2>/dev/null; then bytes=8; fi
sed -n 's/.*\.entry \([^(]*\)(.*/\1/p' "$ptx" | while read -r kernel; do
    echo "ptxas info : Compiling entry function '$kernel' for 'sm_80'"
    echo "ptxas info : Function properties for $kernel"
    echo "    $bytes bytes stack frame, $bytes bytes spill stores, $bytes bytes spill loads"
    echo "ptxas info : Used 64 registers"
done
"""


def run(ptxas):
    report = work / "report.json"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [generator, "-g", "unsharp", "-n", "f", "-o", work, "-e", "schedule", "-p", plugin]
        + ["target=host-cuda-cuda_capability_80", "autoscheduler=GPU", "autoscheduler.gpu=A100"]
        + [f"autoscheduler.ptxas={ptxas}", f"autoscheduler.report={report}"],
        capture_output=True,
        text=True,
        check=False,
    )
    result = json.loads(report.read_text()) if report.exists() else None
    return done, result


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


_, off = run("off")
check(off["ptxas"] is None and off["ptxas_not_used"] == "switched off", "off is reported")

# Without being told, it looks around and says what it found.
_, auto = run("auto")
check(auto["ptxas"] or "ptxas not found" in auto["ptxas_not_used"], "auto is reported")

# What spills is given up for a schedule whose kernels keep less in registers.
shutil.rmtree(work / "seen", ignore_errors=True)
spills = stand_in("spills", SPILLS)
_, other = run(spills)
check(other["ptxas"] == str(spills), "the program is reported")
check(other["nest"] != off["nest"], "a schedule that spills is given up")
check(sum(k["spill_bytes"] or 0 for k in other["kernels"]) == 0, "the new one does not spill")
check(other["predicted_us"] <= 1.1 * off["predicted_us"], "and is predicted as nearly as fast")

# An assembler that fails is no reason to fail.
_, broken = run(stand_in("breaks", "echo 'ptxas fatal : no' >&2; exit 255\n"))
check(broken["nest"] == off["nest"], "a broken assembler changes nothing")
check("ptxas fatal : no" in broken["ptxas_not_used"], "and its words are reported")

# One that was asked for and is not there is.
done, result = run(work / "missing")
check(done.returncode != 0 and result is None, "a missing assembler is refused")
check("autoscheduler.ptxas" in done.stderr and "missing is not a program" in done.stderr, done.stderr)
done, result = run("/bin/true")
check(done.returncode != 0 and result is None, "a program of another kind is refused")
check("autoscheduler.ptxas: /bin/true is no ptxas" in done.stderr, done.stderr)
print("spilled registers: all as expected")
