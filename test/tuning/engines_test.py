"""Workers of autotune under GNU parallel and as a Slurm job array, one of them killed in the middle.

usage: engines_test.py BIN_FOLDER

Left out where the engine is not installed (Debian: parallel; slurmctld, slurmd, slurm-client).
Slurm's daemons are started for the test alone, on this machine, and need root.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from tuned import Tuned

Tuned.BIN = pathlib.Path(sys.argv.pop(1)).resolve()

OPTIONS = ("--mode", "autotune", "--batch", "16", "--iterations", "1", "--seed", "1", "--sampler",
           "mixed")

SLURM = """ClusterName=test
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port}
SlurmdPort={next_port}
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def pids_of(text):
    """Processes with that text in their command line."""
    found = []
    for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in words and int(line.parent.name) != os.getpid():
            found.append(int(line.parent.name))
    return found


class Engines(Tuned):
    def tuner(self):
        process = subprocess.Popen(self.command(*OPTIONS, "--queue"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        while not self.records.exists():
            time.sleep(0.05)
        return process

    def worker(self):
        return [self.BIN / "autotune", "worker", "--records", self.records, "--idle", "5", "--quiet"]

    def kill_one_worker(self):
        """The first that has something to do: it has compiled, for there are records."""
        while not self.listed():
            time.sleep(0.2)
        workers = [pid for pid in pids_of(f"worker --records {self.records}")
                   if os.readlink(f"/proc/{pid}/exe").endswith("/autotune")]
        self.assertGreater(len(workers), 0)
        os.kill(workers[0], signal.SIGKILL)

    def check_all_is_there(self, tuner):
        self.assertEqual(tuner.wait(timeout=600), 0)
        together = {record["code_hash"] for record in self.check_records()}
        self.records = self.folder / "alone.records"
        self.tune(*OPTIONS, out=self.folder / "alone")
        self.assertEqual({record["code_hash"] for record in self.listed()}, together)

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel(self):
        tuner = self.tuner()
        engine = subprocess.Popen(["parallel", "-N0", "-j", "2", *self.worker(), ":::", "1", "2"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.kill_one_worker()
        engine.wait(timeout=600)
        self.check_all_is_there(tuner)

    @unittest.skipUnless(shutil.which("slurmctld") and shutil.which("sbatch") and os.getuid() == 0,
                         "Slurm is not installed, or this is not root")
    def test_a_slurm_job_array(self):
        self.start_slurm()
        tuner = self.tuner()
        subprocess.run(["sbatch", "--array=1-2", f"--output={self.folder}/worker-%a.log", "--wrap",
                        "exec " + " ".join(map(str, self.worker()))], check=True,
                       capture_output=True, env=self.slurm)
        self.kill_one_worker()
        self.check_all_is_there(tuner)

    def start_slurm(self):
        host = socket.gethostname().split(".")[0]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        conf = self.folder / "slurm.conf"
        conf.write_text(SLURM.format(host=host, folder=self.folder, port=port, next_port=port + 1,
                                     cpus=os.cpu_count()))
        self.slurm = {**os.environ, "SLURM_CONF": str(conf)}
        for daemon in (["slurmctld", "-D", "-i"], ["slurmd", "-D", "-N", host]):
            process = subprocess.Popen([*daemon, "-f", conf], env=self.slurm,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
        for _ in range(100):
            state = subprocess.run(["sinfo", "-h", "-o", "%T"], env=self.slurm, capture_output=True,
                                   text=True).stdout.strip()
            if state == "idle":
                return
            time.sleep(0.3)
        logs = "".join((self.folder / f"{name}.log").read_text()[-1500:]
                       for name in ("slurmctld", "slurmd") if (self.folder / f"{name}.log").exists())
        self.fail(f"no node of Slurm is idle: {state}\n{logs}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
