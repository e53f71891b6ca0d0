import logging
import os
import tempfile
import threading
import time
import unittest

import jobmeter
from jobmeter import JobMonitor, JobmeterError, ResourceProfiler, get_monitor, get_profiler, track_job


def run_simulation(seconds=0.2):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return {"returncode": 0, "stderr": ""}


class Profiles(unittest.TestCase):
    def test_direct_use(self):
        profiler = ResourceProfiler()
        profiler.start_profiling()
        held = bytearray(os.urandom(1) * 50_000_000)
        run_simulation(0.7)
        profile = profiler.stop_profiling()
        self.assertGreater(profile["duration_seconds"], 0.7)
        self.assertGreater(profile["samples_collected"], 0)
        self.assertEqual(profile["sampling_interval_seconds"], 0.5)
        self.assertGreater(profile["process_cpu"]["mean_percent"], 0)
        self.assertGreater(profile["process_memory"]["max_mb"], len(held) / 2**20)
        self.assertGreater(profile["memory"]["max_used_mb"], 0)
        self.assertIn("total_io_mb", profile["io_stats"])
        self.assertEqual(
            {"cpu", "memory", "process_cpu", "io_stats", "gpu_stats", "container_stats"} - set(profile),
            set(),
        )

    def test_several_at_once(self):
        first, second = ResourceProfiler(), ResourceProfiler(interval_seconds=0.1)
        first.start_profiling()
        second.start_profiling()
        run_simulation(0.3)
        self.assertEqual(second.stop_profiling()["sampling_interval_seconds"], 0.1)
        run_simulation(0.1)
        self.assertEqual(first.stop_profiling()["sampling_interval_seconds"], 0.5)
        self.assertIs(get_profiler(), get_profiler())

    def test_started_twice(self):
        profiler = ResourceProfiler()
        profiler.start_profiling()
        with self.assertRaisesRegex(JobmeterError, "running already"):
            profiler.start_profiling()
        profiler.stop_profiling()

    def test_a_container_that_is_not_there(self):
        monitor = jobmeter.ContainerResourceMonitor("no-such-container")
        monitor.start_monitoring()
        self.assertEqual(monitor.stop_monitoring()["container_stats"], {})
        with self.assertRaises(JobmeterError):
            monitor.get_container_info()


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.monitor = JobMonitor(log_dir=folder.name)

    def test_start_and_stop(self):
        monitor = self.monitor
        monitor.start_monitoring(
            task_id="my-task-123", tool="fenicsx", script="poisson.py", params={"mesh_size": 64}
        )
        used = time.process_time()
        run_simulation(0.5)
        used = time.process_time() - used
        job_stats = monitor.stop_monitoring(task_id="my-task-123", status="success", returncode=0)
        self.assertGreater(job_stats["duration_seconds"], 0.5)
        cpu = job_stats["resource_usage"]["cpu_total_seconds"]
        self.assertLess(abs(cpu - used), 0.06)
        self.assertGreater(job_stats["resource_usage"]["memory_peak_mb"], 5)
        self.assertEqual(job_stats["params"], {"mesh_size": 64})
        self.assertEqual(job_stats["command"][1:], jobmeter_command()[1:])
        with open(os.path.join(self.folder, "jobs_history.jsonl"), encoding="utf-8") as history:
            self.assertIn('"task_id":"my-task-123"', history.readline().replace(": ", ":"))

    def test_context_manager(self):
        with self.monitor.track_job("task-456", "lammps", "example.lammps", {}) as tracker:
            result = run_simulation()
            if result["returncode"] == 0:
                tracker.set_status("failed", returncode=2, error="bad input")
        self.assertEqual(tracker.stats["status"], "failed")
        self.assertEqual(self.monitor.get_job_stats("task-456")["returncode"], 2)

    def test_an_exception_is_recorded_and_thrown_on(self):
        with self.assertRaises(ZeroDivisionError):
            with self.monitor.track_job("task-7", "lammps"):
                1 / 0
        job = self.monitor.get_job_stats("task-7")
        self.assertEqual((job["status"], job["error"]), ("error", "ZeroDivisionError: division by zero"))

    def test_decorators(self):
        @track_job(tool="solver", script="solve.py")
        def solve(n):
            return n if n == 0 else solve(n - 1)

        @track_job
        def refine():
            """Refines."""
            return "refined"

        self.assertEqual((solve(2), refine(), refine.__doc__), (0, "refined", "Refines."))
        monitor = get_monitor()
        self.assertEqual(len(monitor.get_job_history(tool="solver")), 3)
        self.assertEqual(len(monitor.get_job_history(tool="refine")), 1)
        self.assertIs(monitor, get_monitor())

    def test_history_and_statistics(self):
        for index, status in enumerate(["success", "failed", "success", "timeout"]):
            with self.monitor.track_job(f"t{index}", "lammps" if index else "fenicsx") as tracker:
                tracker.set_status(status)
        jobs = self.monitor.get_job_history()
        self.assertEqual([job["task_id"] for job in jobs], ["t3", "t2", "t1", "t0"])
        self.assertEqual(len(self.monitor.get_job_history(limit=2)), 2)
        self.assertEqual(len(self.monitor.get_job_history(tool="lammps", status="success")), 1)
        self.assertIsNone(self.monitor.get_job_stats("no-such-task"))
        stats = self.monitor.get_summary_statistics()
        self.assertEqual((stats["total_jobs"], stats["success_rate"]), (4, 50))
        self.assertIn("total_cpu_time_seconds", stats)
        for tool_stats in stats["by_tool"].values():
            self.assertGreaterEqual(tool_stats["total_duration"] / tool_stats["count"], 0)
        self.assertEqual([j for j in jobs if j["resource_usage"]["memory_peak_mb"] > 4000], [])

    def test_log_lines(self):
        with self.assertLogs("jobmeter", "INFO") as told:
            with self.monitor.track_job("3f8a21b2c4d5", "fenicsx", "poisson.py", {"mesh_size": 64}):
                pass
            with self.monitor.track_job("9c8d7e6f5a4b", "fenicsx") as tracker:
                tracker.set_status("timeout")
            with self.monitor.track_job("7b9e3f1a8c2d", "lammps") as tracker:
                tracker.set_status("failed", returncode=1)
        start, end, _, late, _, failed = [(r.levelno, r.getMessage()) for r in told.records]
        self.assertEqual(
            start,
            (
                logging.INFO,
                "Starting job 3f8a21b2c4d5: tool=fenicsx, script=poisson.py, params={'mesh_size': 64}",
            ),
        )
        self.assertRegex(
            end[1], r"^Job 3f8a21b2c4d5 completed successfully - Duration: [\d.]+s, CPU: [\d.]+s$"
        )
        self.assertEqual(late, (logging.WARNING, "Job 9c8d7e6f5a4b timed out"))
        self.assertEqual(failed[0], logging.ERROR)
        self.assertRegex(failed[1], r"^Job 7b9e3f1a8c2d failed with return code 1 - Duration: ")


class Trackers(unittest.TestCase):
    """Whatever becomes of the record, the program of the user goes its own way."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.monitor = JobMonitor(log_dir=folder.name, enable_profiling=False)

    def test_a_mistyped_status_is_told_where_it_is_set(self):
        with self.monitor.track_job("typo", "lammps") as tracker:
            with self.assertRaisesRegex(JobmeterError, '"sucess" is not a status. Use one of success'):
                tracker.set_status("sucess")
            with self.assertRaisesRegex(JobmeterError, "returncode 1.5 is not a whole number"):
                tracker.set_status("failed", returncode=1.5)
        self.assertEqual(self.monitor.get_job_stats("typo")["status"], "success")

    def test_what_an_error_says_may_be_anything(self):
        class Odd(Exception):
            def __str__(self):
                raise RuntimeError("no words")

        for index, error in enumerate([KeyError("data"), {"code": 7}, Odd()]):
            with self.monitor.track_job(f"e{index}", "lammps") as tracker:
                tracker.set_status("failed", error=error)
        jobs = self.monitor.get_job_history()
        self.assertEqual([job["error"] for job in jobs], ["Odd", "{'code': 7}", "KeyError: 'data'"])
        with self.assertRaises(Odd):
            with self.monitor.track_job("thrown", "lammps"):
                raise Odd()
        self.assertEqual(self.monitor.get_job_stats("thrown")["error"], "Odd")

    def test_a_refusal_is_a_warning(self):
        with self.assertLogs("jobmeter", "WARNING") as told:
            with self.assertRaises(ZeroDivisionError):
                with self.monitor.track_job("long", "tool", None, {"text": "x" * 2_000_000}):
                    1 / 0
        self.assertIn("job long is not recorded: ", told.output[0])
        self.assertEqual(len(told.output), 1)

    def test_the_end_cannot_replace_an_exception_either(self):
        with self.assertLogs("jobmeter", "WARNING") as told:
            with self.assertRaises(ZeroDivisionError):
                with self.monitor.track_job("lost", "tool") as tracker:
                    tracker._status = {"status": "nonsense"}
                    tracker._threw = lambda _: None
                    1 / 0
        self.assertIn("job lost is not recorded: ", told.output[0])
        self.assertIsNone(tracker.stats)

    def test_a_fork_may_leave_the_block(self):
        read, write = os.pipe()
        child = None
        try:
            with self.monitor.track_job("forked", "tool"):
                child = os.fork()
                if child != 0:
                    _, status = os.waitpid(child, 0)
            if child == 0:
                os.write(write, b"left" if jobmeter._shared is None else b"started another")
        finally:
            if child == 0:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as words:
            self.assertEqual(words.read(), "left")
        self.assertEqual(status, 0)
        self.assertEqual(len(self.monitor.get_job_history()), 1)

    def test_a_status_that_was_set_stays_when_the_block_throws(self):
        with self.assertRaises(SystemExit):
            with self.monitor.track_job("set", "tool") as tracker:
                tracker.set_status("failed", returncode=3)
                raise SystemExit(3)
        self.assertEqual((tracker.stats["status"], tracker.stats["returncode"]), ("failed", 3))
        with self.assertRaises(KeyError):
            with self.monitor.track_job("over", "tool") as tracker:
                tracker.set_status("success")
                raise KeyError("data")
        self.assertEqual(tracker.stats["status"], "error")

    def test_calls_with_one_id_recurse_and_overlap(self):
        @self.monitor.track_job("fixed", "solver")
        def solve(n):
            return n if n == 0 else solve(n - 1)

        self.assertEqual(solve(2), 0)
        together = threading.Barrier(3)

        @self.monitor.track_job("same", "solver")
        def wait():
            together.wait(20)

        threads = [threading.Thread(target=wait) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        jobs = self.monitor.get_job_history()
        self.assertEqual([job["task_id"] for job in jobs], ["same"] * 3 + ["fixed"] * 3)
        self.assertEqual({job["status"] for job in jobs}, {"success"})

    def test_a_tracker_that_is_used_again_begins_anew(self):
        tracker = self.monitor.track_job("again", "tool")
        with tracker:
            tracker.set_status("failed")
        with tracker:
            pass
        statuses = [job["status"] for job in self.monitor.get_job_history()]
        self.assertEqual(statuses, ["success", "failed"])


def jobmeter_command():
    with open("/proc/self/cmdline", encoding="utf-8") as words:
        return words.read().split("\0")[:-1]


class LongErrors(unittest.TestCase):
    def test_a_job_with_a_long_error_is_recorded(self):
        monitor = JobMonitor(ledger=os.path.join(tempfile.mkdtemp(), "ledger.db"))
        with self.assertRaises(ValueError):
            with monitor.track_job("big", "tool"):
                raise ValueError("é" * 400_000)
        job = monitor.get_job_stats("big")
        self.assertEqual(job["status"], "error")
        self.assertIn("éé", job["error"])


if __name__ == "__main__":
    unittest.main()
