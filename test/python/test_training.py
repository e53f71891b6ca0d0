import copy
import csv
import gc
import os
import pickle
import tempfile
import time
import unittest

import stub_lightning

lightning_callback = stub_lightning.install("lightning.pytorch")
pytorch_lightning_callback = stub_lightning.install("pytorch_lightning")

from jobmeter import JobmeterError, ResourceMonitorCallback  # noqa: E402


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class TrainingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.logs = os.path.join(folder.name, "resource_logs")
        self.printed = []

    def callback(self, **options):
        options.setdefault("timeseries_path", self.logs)
        return ResourceMonitorCallback(print=self.printed.append, **options)

    def rows(self, epoch):
        with open(os.path.join(self.logs, f"epoch_{epoch}.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Named(ResourceMonitorCallback):
    def __init__(self, title, **options):
        super().__init__(**options)
        self.title = title


class Lightning(TrainingTest):
    def test_is_a_callback_of_both_packages(self):
        callback = self.callback()
        self.assertIsInstance(callback, lightning_callback)
        self.assertIsInstance(callback, pytorch_lightning_callback)
        self.assertIsInstance(callback, ResourceMonitorCallback)

    def test_three_epochs_under_a_trainer(self):
        callback = self.callback(log_interval=5)
        work = lambda epoch, batch: burn(0.03)  # noqa: E731
        trainer = stub_lightning.Trainer([callback], max_epochs=3, batches=11, train_batch=work)
        trainer.fit()
        self.assertEqual(sorted(os.listdir(self.logs)), [f"epoch_{n}.csv" for n in range(3)])
        blocks = [text for text in self.printed if text.startswith("[Resources] Batch")]
        heads = [text.split("\n")[0] for text in blocks]
        self.assertEqual(heads, [f"[Resources] Batch {n}:" for n in (0, 5, 10)] * 3)
        self.assertRegex(blocks[1], r"  CPU: \d+\.\d% \(process: \d+\.\d%\)\n  Memory: \d+/\d+ MB")
        last = self.rows(2)[-1]
        self.assertEqual(list(last)[:2], ["step", "timestamp"])
        self.assertEqual([row["step"] for row in self.rows(1)], ["0", "5", "10"])
        self.assertGreater(float(last["cpu_process_percent"]), 0)
        self.assertGreaterEqual(float(last["batch_time_mean_ms"]), 30)
        self.assertGreaterEqual(float(last["batch_time_p95_ms"]), float(last["batch_time_mean_ms"]))

    def test_metrics_go_to_the_loggers_of_the_trainer(self):
        trainer = stub_lightning.Trainer(
            [self.callback(log_interval=2)], max_epochs=2, batches=3, train_batch=lambda *_: None
        )
        trainer.fit()
        for logger in trainer.loggers:
            self.assertEqual([step for step, _ in logger.logged], [1, 3, 4, 6])
            self.assertIn("resources/memory_percent", logger.logged[0][1])

    def test_lowered_thresholds_trigger_alerts_at_once(self):
        callback = self.callback(gpu_util_threshold=0.99, memory_threshold=0.01)
        trainer = stub_lightning.Trainer([callback], 1, 1, train_batch=lambda *_: None)
        trainer.fit()
        self.assertRegex(callback.alerts[-1], r"^⚠️ High memory usage: [\d.]+% \(threshold: 1%\)$")
        self.assertIn("\n[Resources] ⚠️ ALERTS:\n  - ", self.printed[0])

    def test_defaults_raise_no_alert_here(self):
        callback = self.callback(io_wait_threshold=1.0)
        stub_lightning.Trainer([callback], 1, 11, train_batch=lambda *_: burn(0.02)).fit()
        self.assertEqual(callback.alerts, [])

    def test_validation_is_not_loading_of_data(self):
        callback = self.callback(log_interval=1)
        trainer = stub_lightning.Trainer([callback], 1, 2, train_batch=lambda *_: None)

        def validate(module):
            trainer._call("on_validation_start", module)
            time.sleep(0.3)
            trainer._call("on_validation_end", module)

        work = trainer.train_batch

        def train(epoch, batch):
            work(epoch, batch)
            if batch == 0:
                validate(None)

        trainer.train_batch = train
        trainer.fit()
        self.assertLess(float(self.rows(0)[1]["data_time_mean_ms"]), 150)

    def test_only_rank_zero_monitors(self):
        trainer = stub_lightning.Trainer(
            [self.callback()], 1, 3, train_batch=lambda *_: None, rank=1
        )
        trainer.fit()
        self.assertFalse(os.path.exists(self.logs))
        self.assertEqual(self.printed, [])

    def test_an_exception_of_the_training_is_thrown_on(self):
        def fail(epoch, batch):
            raise KeyError("data")

        callback = self.callback()
        with self.assertRaises(KeyError):
            stub_lightning.Trainer([callback], 1, 3, train_batch=fail).fit()
        self.assertIsNone(callback._sidecar)

    def test_a_logger_that_fails_is_one_warning(self):
        trainer = stub_lightning.Trainer([self.callback(log_interval=1)], 1, 4, lambda *_: None)

        def refuse(metrics, step=None):
            raise OSError("disk full")

        trainer.loggers[0].log_metrics = refuse
        with self.assertLogs("jobmeter", "WARNING") as told:
            trainer.fit()
        self.assertEqual(sum("disk full" in line for line in told.output), 1)

    def test_can_be_sent_to_other_processes(self):
        callback = pickle.loads(pickle.dumps(ResourceMonitorCallback(log_interval=3)))
        self.assertIsInstance(callback, lightning_callback)
        self.assertEqual(callback._request["options"]["log_interval"], 3)

    def test_subclasses_are_sent_as_what_they_are(self):
        given = Named("first", log_interval=3)
        given.on_train_start()
        self.assertIsInstance(given, lightning_callback)
        for callback in (pickle.loads(pickle.dumps(given)), copy.deepcopy(given)):
            self.assertIs(type(callback), type(given))
            self.assertEqual((callback.title, callback._log_interval), ("first", 3))
            self.assertIsNone(callback._sidecar)
            self.assertNotEqual(callback._name, given._name)
        given.on_train_end()

    def test_the_last_alerts_are_kept(self):
        callback = self.callback(log_interval=1, memory_threshold=0.01, export_timeseries=False)
        callback.on_train_start()
        callback.on_epoch_start(0)
        for batch in range(1100):
            callback.on_batch_end(batch)
        self.assertEqual(callback.on_epoch_end(0)["alerts"], 1100)
        callback.on_train_end()
        self.assertEqual(len(callback.alerts), 1000)


class PlainLoop(TrainingTest):
    def test_in_a_loop_of_your_own(self):
        callback = self.callback(log_interval=5)
        callback.on_train_start()
        for epoch in range(2):
            callback.on_epoch_start(epoch)
            for batch in range(11):
                time.sleep(0.002)  # loading
                callback.on_batch_start(batch)
                burn(0.005)
                callback.on_batch_end(batch)
            summary = callback.on_epoch_end(epoch)
            self.assertEqual((summary["epoch"], summary["batches"]), (epoch, 11))
            self.assertGreaterEqual(summary["metrics"]["data_time_mean_ms"], 2)
            self.assertGreaterEqual(summary["metrics"]["batch_time_mean_ms"], 5)
        callback.on_train_end()
        self.assertEqual(len(self.rows(1)), 3)

    def test_documented_methods(self):
        callback = self.callback(gpu_util_threshold=0.5)
        metrics = {"gpu_0_util": 42.3, "memory_percent": 92.1, "io_wait_pct": 35.0}
        alerts = callback.check_alerts({**metrics, "gpu_0_temp_c": 83.0})
        self.assertEqual(
            alerts,
            [
                "⚠️ GPU underutilized: 42.3% (threshold: 50%)",
                "⚠️ High memory usage: 92.1% (threshold: 90%)",
                "⚠️ I/O bottleneck: 35.0% wait time (threshold: 30%)",
                "⚠️ GPU temperature high: 83°C",
            ],
        )
        callback.export_timeseries(metrics, 0)
        self.assertEqual(self.rows(0)[0]["gpu_0_util"], "42.3")
        time.sleep(0.15)  # rates need a tenth of a second
        memory = callback.get_cpu_memory_metrics()
        self.assertGreater(memory["memory_system_mb"], memory["memory_available_mb"])
        with open("/proc/self/statm", encoding="ascii") as statm:
            own = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        # Its own size, and nothing of the sidecar's, which is a child of it.
        self.assertLess(abs(memory["memory_process_mb"] - own), 0.35 * own)
        self.assertIn("disk_read_mb", callback.get_io_metrics())
        self.assertTrue(all(name.startswith("gpu_") for name in callback.get_gpu_metrics()))
        callback.on_train_end()

    def test_nothing_is_started_after_the_end(self):
        callback = self.callback(log_interval=1)
        self.train(callback)
        count = len(self.printed)
        self.assertEqual(callback.get_cpu_memory_metrics(), {})
        callback.on_batch_end(0)
        self.assertIsNone(callback._sidecar)
        self.assertEqual(len(self.printed), count)
        alerts = callback.check_alerts({"memory_percent": 99.0})
        self.assertEqual(alerts, ["⚠️ High memory usage: 99.0% (threshold: 90%)"])
        callback.export_timeseries({"memory_percent": 99.0}, 77)
        self.assertEqual(self.rows(0)[-1]["step"], "77")
        self.assertIsNone(callback._sidecar)
        self.assertEqual(self.train(callback)["batches"], 4)

    def test_disabled_starts_nothing(self):
        import jobmeter

        before = jobmeter._shared
        callback = self.callback(enabled=False)
        callback.on_train_start()
        callback.on_epoch_start(0)
        callback.on_batch_start(0)
        callback.on_batch_end(0)
        self.assertIsNone(callback.on_epoch_end(0))
        callback.on_train_end()
        self.assertIs(jobmeter._shared, before)
        self.assertFalse(os.path.exists(self.logs))

    def test_options_that_make_no_sense_are_refused(self):
        for wrong in ({"log_interval": 0}, {"memory_threshold": 90}, {"io_wait_threshold": -1}):
            with self.assertRaises(ValueError):
                self.callback(**wrong)
        with self.assertRaises(TypeError):
            self.callback(log_intervall=5)

    def test_options_from_yaml(self):
        os.makedirs(self.logs)
        path = os.path.join(self.logs, "resource_monitor.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                "resource_monitor:\n"
                "  _target_: ocr.callbacks.resource_monitor.ResourceMonitorCallback\n"
                "  log_interval: 3  # Log every 3 batches\n"
                f"  timeseries_path: {self.logs}\n"
            )
        callback = ResourceMonitorCallback.from_yaml(path, print=self.printed.append)
        callback.on_train_start()
        callback.on_epoch_start(0)
        for batch in range(4):
            callback.on_batch_end(batch)
        callback.on_epoch_end(0)
        callback.on_train_end()
        self.assertEqual([row["step"] for row in self.rows(0)], ["0", "3"])
        with open(path, "a", encoding="utf-8") as file:
            file.write("  memory_treshold: 0.5\n")
        callback = ResourceMonitorCallback.from_yaml(path)
        with self.assertLogs("jobmeter", "WARNING") as told:
            callback.on_train_start()
        self.assertRegex(told.output[0], r'yaml:5:3 .*Did you mean "memory_threshold"\?')
        callback.on_batch_end(0)

    def yaml(self, text):
        os.makedirs(self.logs, exist_ok=True)
        path = os.path.join(self.logs, "resource_monitor.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def train(self, callback, batches=4):
        callback.on_train_start()
        callback.on_epoch_start(0)
        for batch in range(batches):
            callback.on_batch_end(batch)
        summary = callback.on_epoch_end(0)
        callback.on_train_end()
        return summary

    def test_options_in_the_program_win_over_the_file(self):
        path = self.yaml(
            "resource_monitor:\n"
            "  enabled: false\n"
            "  log_interval: 3\n"
            f"  timeseries_path: {self.logs}\n"
            "  memory_threshold: 0.01\n"
        )
        callback = ResourceMonitorCallback.from_yaml(
            path, enabled=True, log_interval=1, export_timeseries=False, print=self.printed.append
        )
        self.assertEqual(self.train(callback)["batches"], 4)
        self.assertEqual(len(self.printed), 4)
        self.assertFalse(os.path.exists(os.path.join(self.logs, "epoch_0.csv")))
        self.assertEqual(len(callback.alerts), 4)
        for wrong in ({"log_interval": 0}, {"memory_threshold": 90}):
            with self.assertRaises(ValueError):
                ResourceMonitorCallback.from_yaml(path, **wrong)
        with self.assertRaises(TypeError):
            ResourceMonitorCallback.from_yaml(path, log_intervall=5)

    def test_paths_in_the_file_begin_where_the_program_is(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        for text, folder in (("  timeseries_path: here/logs\n", "here/logs"), ("", "resource_logs")):
            path = self.yaml("resource_monitor:\n  log_interval: 1\n" + text)
            place = tempfile.TemporaryDirectory()
            self.addCleanup(place.cleanup)
            os.chdir(place.name)
            callback = ResourceMonitorCallback.from_yaml(path, print=self.printed.append)
            os.chdir(before)
            expected = os.path.join(os.path.realpath(place.name), folder, "epoch_0.csv")
            self.assertEqual(os.path.realpath(self.train(callback)["timeseries"]), expected)

    def test_disabled_by_the_file_starts_nothing(self):
        import jobmeter

        def refuse():
            raise AssertionError("the program was started")

        started, jobmeter._sidecar = jobmeter._sidecar, refuse
        self.addCleanup(setattr, jobmeter, "_sidecar", started)
        off = [
            "resource_monitor:\n  enabled: false\n",
            "other:\n  enabled: true\nresource_monitor: # ours\n\n"
            "    log_interval: 3\n    enabled: False # off\n",
            "resource_monitor:\n  _target_: a.b\n# a comment\n  'enabled' :  FALSE\nnext: 1\n",
            "\ufeff%YAML 1.2\n---\nresource_monitor:\r\n  enabled: false\r\n",
            "resource_monitor: {log_interval: 3, enabled: false}\n",
        ]
        for text in off:
            with self.subTest(text):
                self.assertIsNone(self.train(ResourceMonitorCallback.from_yaml(self.yaml(text))))

    def test_the_reader_of_enabled_is_not_fooled(self):
        on = [
            "other:\n  enabled: false\nresource_monitor:\n  log_interval: 3\n",
            "resource_monitor:\n  log_interval: 3\nother:\n  enabled: false\n",
            "resource_monitor:\n  # enabled: false\n  log_interval: 3\n",
            "resource_monitor:\n  _target_: >\n    enabled: false\n  log_interval: 3\n",
            "resource_monitor:\n  timeseries_path: 'enabled: false'\n",
            "note: |\n  resource_monitor:\n    enabled: false\n"
            "resource_monitor:\n  log_interval: 3\n",
            "resource_monitor: {timeseries_path: 'enabled: false'}\n",
        ]
        for text in on:
            with self.subTest(text):
                given = {"print": self.printed.append, "export_timeseries": False}
                callback = ResourceMonitorCallback.from_yaml(self.yaml(text), **given)
                self.assertEqual(self.train(callback)["batches"], 4)


class Several(TrainingTest):
    def test_callbacks_do_not_end_each_other(self):
        first = self.callback(log_interval=1, memory_threshold=0.01)
        told = []
        second = ResourceMonitorCallback(
            log_interval=2, memory_threshold=1.0, export_timeseries=False, print=told.append
        )
        first.on_train_start()
        first.on_epoch_start(5)
        first.on_batch_end(0)
        self.assertEqual(first._ask({"type": "look"}) is None, False)
        second.get_gpu_metrics()
        second.on_epoch_start(9)
        for batch in range(3):
            first.on_batch_end(batch + 1)
            second.on_batch_end(batch)
        self.assertEqual(second.on_epoch_end(9)["batches"], 3)
        second.on_train_end()
        first.on_batch_end(4)
        summary = first.on_epoch_end(5)
        self.assertEqual((summary["epoch"], summary["batches"]), (5, 5))
        first.on_train_end()
        heads = [text.split("\n")[0] for text in self.printed]
        self.assertEqual(heads, [f"[Resources] Batch {n}:" for n in range(5)])
        heads = [text.split("\n")[0] for text in told]
        self.assertEqual(heads, ["[Resources] Batch 0:", "[Resources] Batch 2:"])
        self.assertEqual((len(first.alerts), second.alerts), (5, []))

    def test_one_that_nobody_has_any_more_is_ended(self):
        callback = self.callback()
        callback.on_train_start()
        sidecar, name = callback._sidecar, callback._name
        self.assertIn("metrics", sidecar.ask({"type": "look", "monitor": name}))
        del callback
        gc.collect()
        with self.assertRaisesRegex(JobmeterError, "nothing is monitored"):
            sidecar.ask({"type": "look", "monitor": name})
        self.assertNotIn(name, sidecar._seen)


if __name__ == "__main__":
    unittest.main()
