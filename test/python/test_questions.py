"""What one question that is slow, large or strange may do to the rest: nothing."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import jobmeter
from jobmeter import JobMonitor, JobmeterError


class Questions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.monitor = JobMonitor(log_dir=folder.name, enable_profiling=False)

    def test_a_slow_answer_fails_one_question_alone(self):
        self.assertEqual(self.monitor.get_job_history(), [])
        sidecar = jobmeter._shared
        os.kill(sidecar._process.pid, signal.SIGSTOP)
        while state_of(sidecar._process.pid) != "T":
            time.sleep(0.001)
        try:
            with self.assertLogs("jobmeter", "WARNING") as told:
                with self.assertRaises(jobmeter._Unreachable):
                    sidecar.ask({"type": "job_summary"}, 0.3)
        finally:
            os.kill(sidecar._process.pid, signal.SIGCONT)
        self.assertIn("did not answer job_summary in 0.3 s", told.output[0])
        self.assertNotIn("any more", told.output[0])
        with self.monitor.track_job("after", "tool"):
            pass
        self.assertEqual(len(self.monitor.get_job_history()), 1)
        self.assertIs(jobmeter._shared, sidecar)
        self.assertEqual(sidecar._answers, {}, "answers that nobody waits for are kept")

    def test_a_long_history_comes_in_portions(self):
        params = {"mesh": "x" * 300_000}
        for index in range(30):
            with self.monitor.track_job(f"t{index}", "tool", None, params):
                pass
        longest = 0
        take = jobmeter._shared._take

        def measured(message):
            nonlocal longest
            longest = max(longest, len(json.dumps(message)))
            take(message)

        jobmeter._shared._take = measured
        self.addCleanup(lambda: delattr(jobmeter._shared, "_take"))
        jobs = self.monitor.get_job_history()
        self.assertEqual([job["task_id"] for job in jobs], [f"t{n}" for n in range(29, -1, -1)])
        self.assertEqual(jobs[7]["params"], params)
        self.assertLess(longest, 1_000_000)
        some = self.monitor.get_job_history(limit=7, tool="tool")
        self.assertEqual([job["task_id"] for job in some], [f"t{n}" for n in range(29, 22, -1)])

    def run_with(self, reply, code):
        """Runs code that asks a program which says hello, reads one line and then replies so."""
        program = os.path.join(self.folder, "program.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(
                f"#!{sys.executable}\n"
                "import sys\n"
                'print(\'{"type":"hello","protocol":1}\', flush=True)\n'
                "sys.stdin.readline()\n" + reply
            )
        os.chmod(program, 0o755)
        return subprocess.run(
            [sys.executable, "-c", "import jobmeter, logging\nlogging.basicConfig()\n" + code],
            env={**os.environ, "JOBMETER_PROGRAM": program},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def test_a_long_line_is_joined_once(self):
        # 160 MB in pieces of 64 KB: joined again with each piece, they would be 200 GB of copies.
        done = self.run_with(
            'sys.stdout.write(\'{"type":"answer","id":1,"result":{"text":"\')\n'
            "for _ in range(160):\n"
            '    sys.stdout.write("x" * 1_000_000)\n'
            "sys.stdout.write('\"}}\\n')\n"
            "sys.stdout.flush()\n"
            "sys.stdin.readline()\n",
            "print(len(jobmeter._sidecar().ask({'type': 'x'})['text']))",
        )
        self.assertEqual(done.stdout, "160000000\n", done.stderr[-500:])

    def test_what_is_too_long_to_be_sent_is_refused_at_once(self):
        with self.assertRaisesRegex(JobmeterError, "too long"):
            self.monitor.start_monitoring("long", "tool", None, {"text": "x" * 2_000_000})
        self.assertEqual(self.monitor.get_job_history(), [])

    def test_params_that_json_does_not_have(self):
        ring = {"nan": float("nan"), ("a", 1): {2: float("-inf")}, "fine": [1, "two"]}
        ring["self"] = ring
        with self.monitor.track_job("odd", "tool", None, ring):
            pass
        kept = self.monitor.get_job_stats("odd")["params"]
        self.assertEqual(kept["fine"], [1, "two"])
        self.assertEqual((kept["nan"], kept["('a', 1)"]), ("nan", {"2": "-inf"}))

    def test_many_words_on_standard_error_hold_nobody_up(self):
        done = self.run_with(
            'sys.stderr.write("grumble\\n" * 100_000 + "the last word\\n")\n'
            'print(\'{"type":"answer","id":1,"result":{"heard":true}}\', flush=True)\n'
            "sys.exit(3)\n",
            "print(jobmeter._sidecar().ask({'type': 'x'}, 10))\n"
            "jobmeter._shared._reader.join(10)\n",
        )
        self.assertEqual(done.stdout, "{'heard': True}\n", done.stderr[-500:])
        self.assertIn("exit code 3", done.stderr)
        self.assertIn("the last word", done.stderr)
        self.assertLess(len(done.stderr), 10_000)

    def test_marks_pass_between_the_portions_of_a_history(self):
        params = {"mesh": "x" * 250_000}
        for index in range(40):
            with self.monitor.track_job(f"t{index}", "tool", None, params):
                pass
        callback = jobmeter.ResourceMonitorCallback(export_timeseries=False, print=lambda _: None)
        callback.on_train_start()
        asked = threading.Thread(target=self.monitor.get_job_history)
        order = []
        ask = jobmeter._shared.ask

        def watched(message, *others):
            answer = ask(message, *others)
            order.append(message["type"])
            if order == ["job_history"]:
                looked.set()
            return answer

        looked = threading.Event()
        jobmeter._shared.ask = watched
        self.addCleanup(lambda: delattr(jobmeter._shared, "ask"))
        asked.start()
        self.assertTrue(looked.wait(20))
        began = time.monotonic()
        callback.get_cpu_memory_metrics()
        self.assertLess(time.monotonic() - began, 5)
        asked.join()
        callback.on_train_end()
        self.assertLess(order.index("look"), len(order) - 1 - order[::-1].index("job_history"))


def state_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


if __name__ == "__main__":
    unittest.main()
