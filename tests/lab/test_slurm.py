"""A plan as a job array of a real Slurm of one node: ``make slow`` installs it."""

from __future__ import annotations

import os
import platform
import secrets
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from lab_games import BY_MACHINE

from contienda.lab.plan_file import load_plan
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.shards import merge
from contienda.lab.table import table_of
from contienda.lab.where import Where

ARRAY = Path(__file__).parents[2] / "examples" / "slurm" / "array.sh"
CONF = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
PLAN = """
name = "small"
game = "tictactoe"
games = 20
players = ["random", "alphabeta:depth=2"]
opponents = ["random"]
"""


@pytest.fixture
def slurm(tmp_path):
    """The environment of a Slurm of one node, with its own keys and folders; gone afterwards."""
    tmp_path.chmod(0o755)
    (tmp_path / "key").write_bytes(secrets.token_bytes(1024))
    (tmp_path / "key").chmod(0o600)
    for name in ("state", "spool"):
        (tmp_path / name).mkdir()
    host = platform.node().partition(".")[0]
    conf = tmp_path / "slurm.conf"
    conf.write_text(CONF.format(host=host, folder=tmp_path, cores=len(os.sched_getaffinity(0))))
    environment = os.environ | {"SLURM_CONF": str(conf)}
    files = {"key-file": "key", "socket": "munge.sock", "pid-file": "munge.pid", "log-file": "munge.log"}
    options = [f"--{name}={tmp_path / file}" for name, file in files.items()]
    try:
        subprocess.run(["munged", "--force", f"--seed-file={tmp_path / 'seed'}", *options], check=True)
        for daemon in ("slurmctld", "slurmd"):
            subprocess.run([daemon, "-c"], check=True, env=environment)
        deadline = time.monotonic() + 60
        while "idle" not in subprocess.run(["sinfo"], capture_output=True, text=True, env=environment).stdout:
            assert time.monotonic() < deadline, (tmp_path / "slurmctld.log").read_text()[-2000:]
            time.sleep(0.5)
        yield environment
    finally:
        for file in ("slurmd.pid", "slurmctld.pid", "munge.pid"):
            if (tmp_path / file).exists():
                os.kill(int((tmp_path / file).read_text()), signal.SIGTERM)


@pytest.mark.slow
def test_a_job_array_is_what_one_machine_plays(slurm, tmp_path):
    plan = tmp_path / "small.toml"
    plan.write_text(PLAN)
    path = f"{Path(sys.executable).parent}:{slurm['PATH']}"
    # A node without as many processors as the script asks for would keep it waiting.
    order = [
        "sbatch",
        "--wait",
        "--array=1-3",
        "--cpus-per-task=1",
        f"--output={tmp_path}/out.%a",
        str(ARRAY),
        str(plan),
    ]
    done = subprocess.run(order, env=slurm | {"PATH": path}, capture_output=True, text=True, timeout=600)
    told = "\n".join(file.read_text() for file in sorted(tmp_path.glob("out.*")))
    assert done.returncode == 0, done.stderr + told
    merged = merge(sorted(tmp_path.glob("small.*-of-3.sqlite")), tmp_path / "all.sqlite")
    assert (merged.games, merged.missing, merged.absent) == (40, 0, [])
    with closing(Results(tmp_path / "one.sqlite", load_plan(plan))) as one:
        assert run(one, Where("threads", 1)).complete
        with closing(Results(tmp_path / "all.sqlite")) as joined:
            assert table_of(joined).drop(BY_MACHINE).equals(table_of(one).drop(BY_MACHINE))
