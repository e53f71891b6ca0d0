"""What happens to a training whose jobmeter is missing, dies or hangs: it goes on."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

# Each in a process of its own: the sidecar is shared by all of a process.
LOOP = """
import logging, os, signal, sys, time
logging.basicConfig(format="%(levelname)s %(message)s", stream=sys.stderr)
import jobmeter
callback = jobmeter.ResourceMonitorCallback(log_interval=1, timeseries_path=sys.argv[1])
callback.on_train_start()
callback.on_epoch_start(0)
HAPPENS
began = time.monotonic()
for batch in range(BATCHES):
    callback.on_batch_start(batch)
    callback.on_batch_end(batch)
took = time.monotonic() - began
callback.on_epoch_end(0)
callback.on_train_end()
monitor = jobmeter.JobMonitor()
with monitor.track_job("t", "tool"):
    pass
profiler = jobmeter.ResourceProfiler()
profiler.start_profiling()
profile = profiler.stop_profiling()
print("DONE", took, profile["cpu"], monitor.get_job_history(), flush=True)
"""


class Failures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_loop(self, happens="pass", batches=20, **environment):
        code = LOOP.replace("HAPPENS", happens).replace("BATCHES", str(batches))
        done = subprocess.run(
            [sys.executable, "-c", code, self.folder],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("DONE", done.stdout)
        return done

    def warnings(self, done):
        return [line for line in done.stderr.splitlines() if line.startswith("WARNING")]

    def test_missing(self):
        done = self.run_loop(JOBMETER_PROGRAM="/no/such/jobmeter")
        self.assertEqual(len(self.warnings(done)), 1, done.stderr)
        self.assertIn("/no/such/jobmeter", self.warnings(done)[0])
        self.assertIn("{'mean_percent': None", done.stdout)

    def test_another_program_by_that_name(self):
        done = self.run_loop(JOBMETER_PROGRAM="true")
        self.assertEqual(len(self.warnings(done)), 1, done.stderr)

    def test_dies(self):
        kill = "os.kill(jobmeter._shared._process.pid, signal.SIGKILL)"
        done = self.run_loop(kill, batches=2000)
        gone = [line for line in self.warnings(done) if "has ended" in line]
        self.assertEqual(len(gone), 1, done.stderr)

    def test_a_logger_that_fails_does_not_hide_the_death(self):
        done = self.run_loop(
            "def refuse(_):\n"
            "    raise OSError('disk full')\n"
            "callback._print = refuse\n"
            "callback.on_batch_end(0)\n"
            "callback.on_epoch_end(0)\n"
            "os.kill(jobmeter._shared._process.pid, signal.SIGKILL)",
            batches=2000,
        )
        for words in ("disk full", "has ended"):
            told = [line for line in self.warnings(done) if words in line]
            self.assertEqual(len(told), 1, done.stderr)

    def test_hangs(self):
        # More marks than the pipe and what may wait for it hold; none of them is waited for.
        done = self.run_loop_only(
            "os.kill(jobmeter._shared._process.pid, signal.SIGSTOP)\n"
            "jobmeter._Sidecar.ask = lambda *_: {}\n"
            "import atexit\n"
            "atexit.register(lambda: os.kill(jobmeter._shared._process.pid, signal.SIGKILL))",
            batches=40_000,
        )
        self.assertLess(float(done.stdout.split()[1]), 20)
        self.assertIn("some marks are lost", done.stderr)

    def run_loop_only(self, happens, batches):
        head = LOOP[: LOOP.index("monitor = ")]
        code = head.replace("HAPPENS", happens).replace("BATCHES", str(batches))
        return subprocess.run(
            [sys.executable, "-c", code + 'print("DONE", took, flush=True)', self.folder],
            capture_output=True,
            text=True,
            timeout=90,
            check=True,
        )

    def sidecar_of(self, code):
        """Starts a program that monitors, and answers it with the pid of its sidecar."""
        program = subprocess.Popen(
            [sys.executable, "-c", code, self.folder], stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(program.stdout.close)
        return program, int(program.stdout.readline())

    def assert_ends(self, pid):
        deadline = time.monotonic() + 10
        while is_alive(pid):
            self.assertLess(time.monotonic(), deadline, f"{pid} lives on")
            time.sleep(0.02)

    STARTED = """
import sys, os, time, jobmeter
callback = jobmeter.ResourceMonitorCallback(timeseries_path=sys.argv[1])
callback.on_train_start()
print(jobmeter._shared._process.pid, flush=True)
"""

    def test_the_sidecar_ends_with_a_program_that_is_killed(self):
        program, sidecar = self.sidecar_of(self.STARTED + "time.sleep(60)")
        self.assertTrue(is_alive(sidecar))
        program.kill()
        program.wait()
        self.assert_ends(sidecar)

    def test_and_with_one_whose_children_live_on(self):
        # A fork that went past our own care holds a copy of the pipe.
        fork = "import ctypes\nif ctypes.CDLL(None).fork() == 0:\n    time.sleep(8)\n    os._exit(0)\n"
        program, sidecar = self.sidecar_of(self.STARTED + fork + "os._exit(0)")
        program.wait()
        self.assert_ends(sidecar)

    def test_a_fork_neither_measures_nor_holds_the_sidecar(self):
        code = self.STARTED + (
            "child = os.fork()\n"
            "if child == 0:\n"
            "    callback.on_batch_end(0)\n"
            "    callback.on_train_end()\n"
            "    os._exit(7)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)\n"
            "callback.on_batch_end(0)\n"
            "callback.on_epoch_end(0)\n"
            "callback.on_train_end()\n"
        )
        program, sidecar = self.sidecar_of(code)
        printed = program.stdout.read()
        self.assertEqual(program.wait(), 0)
        self.assertTrue(printed.startswith("7\n"), printed)
        self.assertEqual(printed.count("[Resources] Batch 0:"), 1)
        self.assert_ends(sidecar)

    def test_ctrl_c_is_for_the_training_alone(self):
        *head, report = self.STARTED.strip().split("\n")
        code = "\n".join(head) + (
            f"\ntry:\n    {report}\n    time.sleep(60)\n"
            "except KeyboardInterrupt:\n    print(callback._ask({'type': 'look'}))\n"
        )
        program, sidecar = self.sidecar_of(code)
        program.send_signal(signal.SIGINT)
        os.kill(sidecar, signal.SIGINT)
        self.assertIn("memory_percent", program.stdout.read())
        self.assertEqual(program.wait(), 0)
        self.assert_ends(sidecar)

    def test_a_jobmeter_of_another_protocol(self):
        hello = json.dumps({"type": "hello", "protocol": 99})
        script = os.path.join(self.folder, "other")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho '{hello}'\ncat > /dev/null\n")
        os.chmod(script, 0o755)
        done = self.run_loop(JOBMETER_PROGRAM=script)
        self.assertEqual(len(self.warnings(done)), 1, done.stderr)
        self.assertIn("protocol 99", done.stderr)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    unittest.main()
