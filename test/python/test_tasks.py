import os
import sys
import tempfile
import unittest

from jobmeter import JobMonitor, JobmeterError, TaskPipeline

SCRIPT = "import sys; print('mesh', sys.argv[1]); sys.exit(int(sys.argv[2]))\n"


class Tasks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.script = os.path.join(self.folder, "poisson.py")
        with open(self.script, "w") as file:
            file.write(SCRIPT)
        tool = [sys.executable, "{script}", "{params.mesh_size}", "{params.code}"]
        self.ledger = os.path.join(self.folder, "ledger.db")
        tools = {"fenicsx": tool, "wait": ["sleep", "{params.seconds}"]}
        self.pipeline = TaskPipeline(tools, ledger=self.ledger)

    def submit(self, size=64, code=0):
        return self.pipeline.submit_task("fenicsx", self.script, {"mesh_size": size, "code": code})

    def test_a_task_is_measured_and_recorded(self):
        task_id = self.submit()
        result = self.pipeline.wait_for_task(task_id)
        self.assertEqual((result["status"], result["stdout"]), ("success", "mesh 64\n"))
        self.assertGreater(result["duration_seconds"], 0)
        self.assertGreater(result["resource_usage"]["cpu_total_seconds"], 0)
        self.assertGreater(result["resource_usage"]["memory_peak_mb"], 1)
        job = JobMonitor(ledger=self.ledger).get_job_stats(task_id)
        self.assertEqual((job["tool"], job["params"]["mesh_size"]), ("fenicsx", 64))

    def test_a_workflow_runs_one_after_the_other_and_stops_at_a_failure(self):
        def task(code):
            params = {"mesh_size": 32, "code": code}
            return {"tool": "fenicsx", "script": self.script, "params": params}

        task_ids = self.pipeline.submit_workflow([task(0), task(3), task(0)], sequential=True)
        results = self.pipeline.wait_for_workflow(task_ids)
        self.assertEqual([r["status"] for r in results], ["success", "failed", "cancelled"])
        self.assertEqual(results[1]["returncode"], 3)

    def test_waiting_may_end_before_the_task_and_the_task_may_be_ended(self):
        task_id = self.pipeline.submit_task("wait", None, {"seconds": 30})
        with self.assertRaises(TimeoutError):
            self.pipeline.wait_for_task(task_id, timeout=0.1)
        self.assertTrue(self.pipeline.cancel_task(task_id))
        self.assertEqual(self.pipeline.wait_for_task(task_id)["status"], "cancelled")
        self.assertFalse(self.pipeline.cancel_task(task_id))

    def test_what_cannot_be_run_is_an_error(self):
        with self.assertRaisesRegex(JobmeterError, "fenicsx"):
            self.pipeline.submit_task("fenix", self.script, {})
        with self.assertRaisesRegex(JobmeterError, "no script"):
            self.pipeline.submit_task("fenicsx", "missing.py", {"mesh_size": 1, "code": 0})
        with self.assertRaises(JobmeterError):
            self.pipeline.get_task_status("nobody")
        with self.assertRaisesRegex(JobmeterError, "list of texts"):
            TaskPipeline({"x": "ls -la"}, ledger=self.ledger).submit_task("x")


if __name__ == "__main__":
    unittest.main()
