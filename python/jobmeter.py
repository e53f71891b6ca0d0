"""jobmeter for Python: what a training or a job did with the machine.

One file that needs nothing but Python 3.9 or newer and the jobmeter program: copy it beside your
script, or put its folder on PYTHONPATH. It starts ``jobmeter sidecar``, which does all the
measuring, and speaks with it in lines of JSON (docs/training.md of jobmeter describes them).

    from jobmeter import ResourceMonitorCallback
    trainer = Trainer(callbacks=[ResourceMonitorCallback(log_interval=5)])

    from jobmeter import track_job
    with track_job("task-456", "lammps", "example.lammps", {}) as tracker:
        run_simulation()

The program is found by, in this order: the command in the environment variable JOBMETER_PROGRAM,
the installation that this file is part of, and ``jobmeter`` on the PATH. Where it is missing or
dies there is one warning by ``logging.getLogger("jobmeter")``, and what is measured goes on.
"""

from __future__ import annotations

import atexit
import collections
import contextlib
import json
import logging
import math
import operator
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
import uuid
import weakref
from typing import Any, Callable, Iterator, Optional

__all__ = [
    "ContainerResourceMonitor",
    "JobMonitor",
    "JobmeterError",
    "ResourceMonitorCallback",
    "ResourceProfiler",
    "TaskPipeline",
    "get_monitor",
    "get_profiler",
    "track_job",
]

_PROTOCOL = 1
_log = logging.getLogger("jobmeter")


class JobmeterError(Exception):
    """What the program refused, such as an option that makes no sense."""


class _Unreachable(Exception):
    """The program is missing, has died or does not answer."""


# ----------------------------------------------------------------------------
# The sidecar


class _Sidecar:
    """A running ``jobmeter sidecar`` that watches this process."""

    # Of what waits to be written while the program does not read. Marks beyond it are dropped: the
    # training must never wait for its monitor.
    _MOST_WAITING_BYTES = 1 << 20

    # Longer lines are not read by the program.
    _MOST_LINE_BYTES = 1 << 20

    # Answers come in order. Behind one that is overdue nobody waits for long: a program that hangs
    # would cost the training the whole time with every question.
    _SECONDS_BEHIND_OVERDUE = 2.0

    # Of what the program says on standard error the end is kept.
    _MOST_WORDS_BYTES = 4096

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self._waiting = bytearray()
        self._answers: dict[int, Any] = {}
        self._answered = threading.Condition(self._lock)
        self._overdue: set[int] = set()
        self._next_id = 1
        self._death: Optional[str] = None
        self._told: set[str] = set()
        self._seen: dict[str, collections.deque[dict[str, Any]]] = {}
        self._left: collections.deque[str] = collections.deque()
        try:
            self._process = subprocess.Popen(
                [*_program(), "sidecar", "--pid", str(self._owner)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C is for the training, which tells the sidecar when it ends.
                start_new_session=True,
            )
        except OSError as error:
            raise _Unreachable(f"jobmeter could not be started: {error}") from None
        self._input = self._process.stdin.fileno()
        os.set_blocking(self._input, False)
        self._words = b""
        self._listener = threading.Thread(target=self._listen, name="jobmeter-words", daemon=True)
        self._reader = threading.Thread(target=self._read, name="jobmeter", daemon=True)
        self._listener.start()
        self._reader.start()

    @property
    def is_ours(self) -> bool:
        """Not in a fork, which has a copy of this."""
        return os.getpid() == self._owner

    @property
    def is_usable(self) -> bool:
        return self._death is None and self.is_ours

    def seen_by(self, monitor: str) -> collections.deque[dict[str, Any]]:
        """Where the metrics of a monitor will come."""
        return self._seen.setdefault(monitor, collections.deque(maxlen=10_000))

    def forget(self, monitor: str) -> None:
        """Of a monitor that has ended."""
        self._seen.pop(monitor, None)

    def leave(self, monitor: str) -> None:
        """Ends a monitor with the next message; may be called at any moment, such as by ``gc``."""
        self._left.append(monitor)

    def send(self, message: dict[str, Any]) -> None:
        """Sends without ever waiting; what cannot be sent is dropped."""
        if not self.is_usable:
            return
        with self._lock:
            self._end_left()
            if len(self._waiting) > self._MOST_WAITING_BYTES:
                self._tell("lost", "jobmeter does not read what it is sent; some marks are lost")
            else:
                self._waiting += _line(message)
            self._flush()

    def ask(self, message: dict[str, Any], seconds: float = 20.0) -> Any:
        """Sends and waits for the answer, up to so many seconds."""
        if not self.is_usable:
            raise _Unreachable(self._death or "the sidecar belongs to another process")
        with self._lock:
            self._end_left()
            if self._overdue:
                seconds = min(seconds, self._SECONDS_BEHIND_OVERDUE)
            deadline = time.monotonic() + seconds
            number, self._next_id = self._next_id, self._next_id + 1
            line = _line({**message, "id": number})
            if len(line) > self._MOST_LINE_BYTES:
                raise JobmeterError(f"{message['type']} is too long: {len(line)} bytes")
            self._waiting += line
            while self._flush() and time.monotonic() < deadline:
                # Not asleep on the pipe: the answers that make room in it need the lock.
                self._answered.wait(0.01)
            while number not in self._answers:
                if self._death is not None:
                    raise _Unreachable(self._death)
                if not self._answered.wait(max(0, deadline - time.monotonic())):
                    self._overdue.add(number)
                    slow = f"jobmeter did not answer {message['type']} in {seconds:g} s"
                    _log.warning("%s", slow)
                    raise _Unreachable(slow)
            answer = self._answers.pop(number)
        if answer["type"] == "error":
            raise JobmeterError(answer["message"])
        return answer["result"]

    def close(self, seconds: float = 2.0) -> None:
        """Ends the sidecar; it would end by itself when this process does."""
        if not self.is_ours:
            return
        with self._lock:
            self._death = self._death or "it was closed"
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def forget_in_child(self) -> None:
        """A fork has copies of the pipes: the sidecar would not see the end of ours."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                stream.close()

    def _end_left(self) -> None:
        while self._left:
            monitor = self._left.popleft()
            self.forget(monitor)
            self._waiting += _line({"type": "monitor_end", "monitor": monitor})

    def _flush(self) -> bool:
        """Writes what the pipe takes; whether something is left."""
        while self._waiting and self._death is None:
            try:
                written = os.write(self._input, self._waiting[:65536])
            except BlockingIOError:
                return True
            except OSError as error:
                self._die(f"jobmeter has ended ({error.strerror})")
                return False
            del self._waiting[:written]
        return False

    def _read(self) -> None:
        # Joined when the line is whole: an answer of megabytes comes in hundreds of parts.
        parts: list[bytes] = []
        while True:
            part = self._process.stdout.read(65536)
            if not part:
                break
            first, *others = part.split(b"\n")
            parts.append(first)
            for rest in others:
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    self._take(json.loads(b"".join(parts)))
                parts = [rest]
        code = self._process.wait()
        # A process that the program left behind may hold its standard error open.
        self._listener.join(1)
        words = self._words.decode(errors="replace").strip()
        self._die(f"jobmeter has ended (exit code {code}){': ' + words if words else ''}")

    def _listen(self) -> None:
        """Reads standard error all the time: a program whose words nobody reads stands still."""
        while True:
            part = self._process.stderr.read(65536)
            if not part:
                return
            self._words = (self._words + part)[-self._MOST_WORDS_BYTES :]

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "metrics":
            seen = self._seen.get(message.get("monitor"))
            if seen is not None:
                seen.append(message)
        elif kind == "warning":
            _log.warning("%s", message["message"])
        elif kind == "log":
            _log.log(_LEVELS.get(message["level"], logging.INFO), "%s", message["message"])
        elif kind == "answer" or (kind == "error" and message["id"] is not None):
            with self._lock:
                if message["id"] in self._overdue:
                    self._overdue.discard(message["id"])
                else:
                    self._answers[message["id"]] = message
                    self._answered.notify_all()
        elif kind == "error":
            self._tell("error", f"jobmeter: {message['message']}")
        elif kind == "hello" and message["protocol"] != _PROTOCOL:
            self._die(f"jobmeter speaks protocol {message['protocol']}, this file {_PROTOCOL}")

    def _die(self, reason: str) -> None:
        with self._lock:
            if self._death is not None:
                return
            self._death = reason
            self._answered.notify_all()
        self._tell("death", f"{reason}; nothing is measured any more")

    def _tell(self, kind: str, words: str) -> None:
        """Of each kind once."""
        if kind not in self._told:
            self._told.add(kind)
            _log.warning("%s", words)


_LEVELS = {"info": logging.INFO, "warn": logging.WARNING, "error": logging.ERROR}


def _line(message: dict[str, Any]) -> bytes:
    try:
        text = json.dumps(message, default=str, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        text = json.dumps(_as_json(message), default=str)
    return text.encode() + b"\n"


def _as_json(value: Any, depth: int = 0) -> Any:
    """The same with texts for what JSON does not have: NaN, names that are no texts, rings."""
    if depth > 20:
        return "..."
    if isinstance(value, dict):
        return {str(name): _as_json(one, depth + 1) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_json(one, depth + 1) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _program() -> list[str]:
    named = os.environ.get("JOBMETER_PROGRAM")
    if named:
        return shlex.split(named)
    folder = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    beside = os.path.join(folder, "bin", "jobmeter.cjs")
    if os.path.exists(beside):
        own = (os.path.join(folder, "runtime", "node"), shutil.which("node"))
        for node in own:
            if node is not None and os.path.exists(node):
                return [node, beside]
    found = shutil.which("jobmeter")
    if found is None:
        raise _Unreachable("jobmeter is not on the PATH; JOBMETER_PROGRAM can name it")
    return [found]


_shared: Optional[_Sidecar] = None
_shared_lock = threading.Lock()
_is_missing = False


def _sidecar() -> _Sidecar:
    """The one that all parts of this process share, started when it is first needed."""
    global _shared, _is_missing
    with _shared_lock:
        if _shared is not None and _shared.is_usable:
            return _shared
        if _is_missing or (_shared is not None and _shared._owner == os.getpid()):
            raise _Unreachable("jobmeter cannot be reached")
        try:
            _shared = _Sidecar()
        except _Unreachable as error:
            _is_missing = True
            _log.warning("%s; nothing is measured", error)
            raise
        return _shared


def _close() -> None:
    if _shared is not None:
        _shared.close()


def _after_fork() -> None:
    global _shared, _shared_lock
    _shared_lock = threading.Lock()
    if _shared is not None:
        _shared.forget_in_child()
        _shared = None


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _asked(message: dict[str, Any], otherwise: Any, seconds: float = 20.0) -> Any:
    """The answer; where jobmeter cannot be reached, which is told once, what stands for it."""
    try:
        return _sidecar().ask(message, seconds)
    except _Unreachable:
        return otherwise


# ----------------------------------------------------------------------------
# Training


def _lightning_bases() -> tuple[type, ...]:
    """``Callback`` of whichever Lightning was imported; both packages have one of their own."""
    found = []
    for name in ("lightning.pytorch", "pytorch_lightning"):
        base = getattr(sys.modules.get(name), "Callback", None)
        if isinstance(base, type):
            found.append(base)
    return tuple(found)


class ResourceMonitorCallback:
    """Watches GPUs, CPU, memory and I/O while a model is trained.

    Every ``log_interval`` batches it prints them, warns of what holds the training back, hands them
    to the trainer's loggers (as ``resources/<name>``) and adds a line to
    ``<timeseries_path>/epoch_<N>.csv``. It is a ``Callback`` of PyTorch Lightning if that
    (``lightning`` or ``pytorch_lightning``) was imported before it is made. In a loop of your own
    call ``on_train_start()``, ``on_epoch_start(epoch)``, ``on_batch_start(batch)``,
    ``on_batch_end(batch)``, ``on_epoch_end(epoch)`` and ``on_train_end()``.

    With several processes (DDP) only that of rank zero monitors: it sees all GPUs of its machine.
    """

    _MOST_ALERTS = 1000

    _made: dict[tuple[type, ...], type] = {}

    def __new__(cls, *_args: Any, **_options: Any) -> ResourceMonitorCallback:
        bases = tuple(base for base in _lightning_bases() if not issubclass(cls, base))
        if bases and (cls, *bases) not in cls._made:
            own = {"__doc__": cls.__doc__, "_made_from": cls}
            cls._made[(cls, *bases)] = type(cls.__name__, (cls, *bases), own)
        return object.__new__(cls._made[(cls, *bases)] if bases else cls)

    def __init__(
        self,
        enabled: bool = True,
        log_interval: int = 10,
        gpu_monitoring: bool = True,
        cpu_monitoring: bool = True,
        io_monitoring: bool = True,
        alert_gpu_underutilization: bool = True,
        alert_memory_pressure: bool = True,
        alert_io_bottleneck: bool = True,
        gpu_util_threshold: float = 0.5,
        memory_threshold: float = 0.9,
        io_wait_threshold: float = 0.3,
        export_timeseries: bool = True,
        timeseries_path: str = "resource_logs",
        print: Optional[Callable[[str], Any]] = None,  # noqa: A002
    ) -> None:
        self._request: dict[str, Any] = {
            "options": {
                "enabled": enabled,
                "log_interval": log_interval,
                "gpu_monitoring": gpu_monitoring,
                "cpu_monitoring": cpu_monitoring,
                "io_monitoring": io_monitoring,
                "alert_gpu_underutilization": alert_gpu_underutilization,
                "alert_memory_pressure": alert_memory_pressure,
                "alert_io_bottleneck": alert_io_bottleneck,
                "gpu_util_threshold": gpu_util_threshold,
                "memory_threshold": memory_threshold,
                "io_wait_threshold": io_wait_threshold,
                "export_timeseries": export_timeseries,
                # The sidecar may be in another directory than this program is by then.
                "timeseries_path": os.path.abspath(timeseries_path),
            }
        }
        if isinstance(log_interval, bool) or not isinstance(log_interval, int) or log_interval < 1:
            raise ValueError(f"log_interval must be a whole number from 1 on, not {log_interval!r}")
        for name in ("gpu_util_threshold", "memory_threshold", "io_wait_threshold"):
            if not 0 <= self._request["options"][name] <= 1:
                raise ValueError(f"{name} must be a number from 0 to 1, not {locals()[name]!r}")
        self._print = print
        self._enabled = enabled
        self._log_interval = log_interval
        self._reset()

    @classmethod
    def from_yaml(cls, path: str, **options: Any) -> ResourceMonitorCallback:
        """Options from a file with ``resource_monitor:``, over which those given here win.

        The errors of the file are told at the start.
        """
        with open(path, encoding="utf-8") as file:
            text = file.read()
        callback = cls(**options)
        settings = callback._request["options"]
        callback._request = {
            "yaml": text,
            "file": path,
            "options": {name: settings[name] for name in options if name in settings},
            "directory": os.getcwd(),
        }
        if "enabled" not in options:
            callback._enabled = not _is_off_in(text)
        return callback

    def _reset(self) -> None:
        # The sidecar may have several monitors for this program.
        self._name = uuid.uuid4().hex
        self._sidecar: Optional[_Sidecar] = None
        self._is_ended = False
        self._seen: collections.deque[dict[str, Any]] = collections.deque()
        self._leave: Optional[weakref.finalize] = None
        self._trainer: Any = None
        self._batch_seconds: list[float] = []
        self._data_seconds: list[float] = []
        self._started_at: Optional[float] = None
        self._ended_at: Optional[float] = None
        self._steps: dict[tuple[int, int], int] = {}
        self.current_epoch = 0
        self.alerts: list[str] = []

    # Workers of other processes get the options, not what is running.
    def __reduce__(self) -> Any:
        running = ("_sidecar", "_seen", "_leave", "_trainer")
        kept = {name: value for name, value in self.__dict__.items() if name not in running}
        # A class that was made here has no name by which another process would find it.
        cls = type(self)
        return _remade, (cls.__dict__.get("_made_from", cls),), kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._reset()

    # -- in any loop

    def on_train_start(self, trainer: Any = None, pl_module: Any = None) -> None:
        if not self._enabled or not getattr(trainer, "is_global_zero", True):
            return
        self._trainer = trainer
        self._is_ended = False
        try:
            sidecar = _sidecar()
            start = {"type": "monitor", "monitor": self._name, **self._request}
            settings = sidecar.ask(start)["settings"]
        except _Unreachable:
            return
        except JobmeterError as error:
            _log.warning("the resource monitor is off: %s", error)
            return
        self._log_interval = settings["log_interval"]
        if not settings["enabled"]:
            sidecar.leave(self._name)
            return
        self._sidecar = sidecar
        self._seen = sidecar.seen_by(self._name)
        if self._leave is None:
            # For a training that was broken off, as in a notebook.
            self._leave = weakref.finalize(self, sidecar.leave, self._name)
            self._leave.atexit = False

    def on_epoch_start(self, epoch: Any = None, *_others: Any) -> None:
        # Old versions of Lightning have a hook of this name, and give it the trainer.
        if self._sidecar is None or not isinstance(epoch, int):
            return
        self.current_epoch = epoch
        self._send_times(None)
        self._send({"type": "epoch_start", "epoch": epoch})
        self._started_at, self._ended_at = None, time.perf_counter()

    def on_batch_start(self, batch: Any = None, *_others: Any) -> None:
        if self._sidecar is None:
            return
        now = time.perf_counter()
        if self._ended_at is not None:
            self._data_seconds.append(now - self._ended_at)
        self._started_at = now

    def on_batch_end(self, batch: Any, *_others: Any) -> None:
        if self._sidecar is None or not isinstance(batch, int):
            return
        now = time.perf_counter()
        begun = self._started_at if self._started_at is not None else self._ended_at
        if begun is not None:
            self._batch_seconds.append(now - begun)
        self._started_at, self._ended_at = None, now
        if batch % self._log_interval == 0:
            if self._trainer is not None and self._sidecar.is_usable:
                self._steps[(self.current_epoch, batch)] = self._trainer.global_step
            self._send_times(batch)
        elif len(self._batch_seconds) >= 1000:
            self._send_times(batch)
        if self._seen:
            self._tell()

    def on_epoch_end(self, epoch: Any = None, *_others: Any) -> Optional[dict[str, Any]]:
        """What the epoch came to: batches, alerts, and the times of its batches."""
        if self._sidecar is None or not isinstance(epoch, int):
            return None
        self._send_times(None)
        summary = self._ask({"type": "epoch_end", "epoch": epoch})
        self._started_at = self._ended_at = None
        self._tell()
        return summary

    def on_train_end(self, trainer: Any = None, pl_module: Any = None) -> None:
        self._is_ended = True
        if self._sidecar is None:
            return
        self._ask({"type": "monitor_end"})
        self._tell()
        self._leave.detach()
        self._leave = None
        self._sidecar.forget(self._name)
        self._sidecar = None
        self._trainer = None

    # -- as PyTorch Lightning calls them

    def on_train_epoch_start(self, trainer: Any, pl_module: Any = None) -> None:
        self.on_epoch_start(trainer.current_epoch)

    def on_train_batch_start(
        self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int, *_others: Any
    ) -> None:
        self.on_batch_start(batch_idx)

    def on_train_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int, *_others: Any
    ) -> None:
        self.on_batch_end(batch_idx)

    def on_train_epoch_end(self, trainer: Any, pl_module: Any = None) -> None:
        self.on_epoch_end(trainer.current_epoch)

    def on_validation_start(self, trainer: Any = None, pl_module: Any = None) -> None:
        self._phase("validate")

    def on_validation_end(self, trainer: Any = None, pl_module: Any = None) -> None:
        self._phase("train")

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        self.on_train_end()

    # -- one at a time

    def get_gpu_metrics(self) -> dict[str, float]:
        return self._metrics("gpu_")

    def get_cpu_memory_metrics(self) -> dict[str, float]:
        return self._metrics("cpu_", "memory_")

    def get_io_metrics(self) -> dict[str, float]:
        return self._metrics("disk_", "io_")

    def check_alerts(self, metrics: dict[str, float]) -> list[str]:
        """What the options make of these figures."""
        answer = self._ask_at_any_time({"type": "check_alerts", "metrics": metrics})
        return (answer or {}).get("alerts", [])

    def export_timeseries(self, metrics: dict[str, float], step: int) -> None:
        """Adds a line to the CSV file of the current epoch."""
        self._ask_at_any_time({"type": "export_timeseries", "metrics": metrics, "step": step})

    def _metrics(self, *starts: str) -> dict[str, float]:
        if self._sidecar is None and not self._is_ended:
            self.on_train_start()
        metrics = (self._ask({"type": "look"}) or {}).get("metrics", {})
        return {name: value for name, value in metrics.items() if name.startswith(starts)}

    def _ask_at_any_time(self, message: dict[str, Any]) -> Any:
        """For what needs no measuring: asked after the end of the training, nothing goes on."""
        is_ended = self._is_ended
        if self._sidecar is None:
            self.on_train_start()
            if self._sidecar is not None:
                self._send({"type": "epoch_start", "epoch": self.current_epoch})
        answer = self._ask(message)
        if is_ended:
            self.on_train_end()
        return answer

    def _phase(self, name: str) -> None:
        if self._sidecar is None:
            return
        # What comes between is not loading of data.
        self._started_at = self._ended_at = None
        self._send({"type": "phase", "phase": name})

    def _send_times(self, batch: Optional[int]) -> None:
        if batch is not None:
            times = {"batch_seconds": self._batch_seconds, "data_seconds": self._data_seconds}
            self._send({"type": "batch", "batch": batch, **times})
        elif self._batch_seconds or self._data_seconds:
            times = {"batch_seconds": self._batch_seconds, "data_seconds": self._data_seconds}
            self._send({"type": "times", **times})
        self._batch_seconds, self._data_seconds = [], []

    def _send(self, message: dict[str, Any]) -> None:
        self._sidecar.send({**message, "monitor": self._name})

    def _ask(self, message: dict[str, Any]) -> Any:
        if self._sidecar is None:
            return None
        try:
            return self._sidecar.ask({**message, "monitor": self._name}, 10.0)
        except _Unreachable:
            return None
        except JobmeterError as error:
            _log.warning("%s", error)
            return None

    def _tell(self) -> None:
        """Prints and logs what has come, in the thread of the training: loggers expect that."""
        while self._seen and self._sidecar.is_ours:
            seen = self._seen.popleft()
            self.alerts.extend(seen["alerts"])
            del self.alerts[: -self._MOST_ALERTS]
            step = self._steps.pop((seen["epoch"], seen["batch"]), None)
            try:
                (self._print or sys.stdout.write)(seen["text"])
                figures = {f"resources/{name}": value for name, value in seen["metrics"].items()}
                for logger in getattr(self._trainer, "loggers", None) or []:
                    logger.log_metrics(figures, step=step)
            except Exception as error:  # Whatever a logger throws, the training goes on.
                words = f"the resource metrics could not be logged: {_words_of(error)}"
                self._sidecar._tell("logger", words)


def _is_off_in(text: str) -> bool:
    """Whether ``resource_monitor:`` has ``enabled: false``, for which no program shall be started.

    Only what is plain is seen here; of all else the program says what it means.
    """
    block_depth = None
    is_inside = False
    for line in re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")):
        words = line.lstrip(" ")
        if not words or words.startswith("#"):
            continue
        depth = len(line) - len(words)
        if not is_inside:
            head = _YAML_HEAD.match(line)
            if head and head["rest"]:
                return _is_off_in_braces(head["rest"])
            is_inside = head is not None
            continue
        if depth == 0:
            return False
        # The first line of the block says how deep its own names stand.
        block_depth = block_depth or depth
        if depth == block_depth and _YAML_OFF.match(words):
            return True
    return False


def _is_off_in_braces(words: str) -> bool:
    braces = re.match(r"\{([\w\s:,./-]*)\}", words)
    return braces is not None and any(_YAML_OFF.match(one.strip()) for one in braces[1].split(","))


_YAML_HEAD = re.compile(
    r"""(['"]?)resource_monitor\1\s*:(?:\s+(?P<rest>[^#\s].*))?(?:\s+#.*|\s*)$"""
)
_YAML_OFF = re.compile(r"""(['"]?)enabled\1\s*:\s+(?:false|False|FALSE)(?:\s+#.*|\s*)$""")


def _remade(cls: type) -> ResourceMonitorCallback:
    """Without its own ``__init__``, which may want what only its caller knows."""
    return cls.__new__(cls)


# ----------------------------------------------------------------------------
# Profiles


class ResourceProfiler:
    """What this process and the machine did between two moments.

    profiler = ResourceProfiler()
    profiler.start_profiling()
    run_simulation()
    profile = profiler.stop_profiling()
    print(f"Duration: {profile['duration_seconds']}s")
    """

    def __init__(self, interval_seconds: float = 0.5, metrics: Optional[list[str]] = None) -> None:
        self._options = {"interval_seconds": interval_seconds, "metrics": metrics}
        self._name = uuid.uuid4().hex
        self._started_at: Optional[float] = None

    def start_profiling(self, container_name: Optional[str] = None) -> None:
        message = {"type": "profile_start", "profiler": self._name, **self._options}
        _asked({**message, "container_name": container_name}, None)
        self._started_at = time.monotonic()

    def stop_profiling(self) -> dict[str, Any]:
        """The profile. What was not measured is None."""
        seconds = None if self._started_at is None else time.monotonic() - self._started_at
        self._started_at = None
        message = {"type": "profile_stop", "profiler": self._name}
        return _asked(message, _empty_profile(seconds, self._options["interval_seconds"]))


class ContainerResourceMonitor:
    """The same for a container of Docker or Podman, by its name or id."""

    def __init__(self, container_name: str) -> None:
        self.container_name = container_name
        self._profiler = ResourceProfiler()

    def start_monitoring(self) -> None:
        self._profiler.start_profiling(self.container_name)

    def stop_monitoring(self) -> dict[str, Any]:
        return self._profiler.stop_profiling()

    def get_container_info(self) -> dict[str, Any]:
        return _asked({"type": "container_info", "container_name": self.container_name}, {})


def _empty_profile(seconds: Optional[float], interval_seconds: float) -> dict[str, Any]:
    return {
        "duration_seconds": seconds,
        "samples_collected": 0,
        "sampling_interval_seconds": interval_seconds,
        "cpu": dict.fromkeys(("mean_percent", "max_percent", "min_percent")),
        "memory": dict.fromkeys(("mean_used_mb", "max_used_mb", "min_used_mb")),
        "process_cpu": dict.fromkeys(("mean_percent", "max_percent")),
        "process_memory": dict.fromkeys(("mean_mb", "max_mb", "min_mb")),
        "io_stats": dict.fromkeys(
            ("read_mb", "write_mb", "read_count", "write_count", "total_io_mb")
        ),
        "gpu_stats": {},
        "container_stats": {},
    }


_profiler: Optional[ResourceProfiler] = None


def get_profiler() -> ResourceProfiler:
    """The profiler that all parts of a program share."""
    global _profiler
    _profiler = _profiler or ResourceProfiler()
    return _profiler


# ----------------------------------------------------------------------------
# Jobs


class JobMonitor:
    """Keeps a record of each job in this process: how it ended, and what it used.

    Records land in the ledger of jobmeter and, with ``log_dir``, in ``jobs_history.jsonl`` there.
    """

    def __init__(
        self,
        log_dir: Optional[str] = None,
        enable_profiling: bool = True,
        ledger: Optional[str] = None,
    ) -> None:
        self._settings = {
            "log_dir": None if log_dir is None else os.path.abspath(log_dir),
            "enable_profiling": enable_profiling,
            "ledger": None if ledger is None else os.path.abspath(ledger),
        }
        self._started: dict[str, tuple[dict[str, Any], float]] = {}

    def start_monitoring(
        self,
        task_id: str,
        tool: str,
        script: Optional[str] = None,
        params: Optional[dict[str, Any]] = None,
    ) -> None:
        job = {"task_id": task_id, "tool": tool, "script": script, "params": params or {}}
        self._start(task_id, job)

    def stop_monitoring(
        self,
        task_id: str,
        status: str = "success",
        returncode: Optional[int] = None,
        error: Optional[str] = None,
    ) -> dict[str, Any]:
        """What the job came to. What was not measured is None."""
        end = {"task_id": task_id, "status": status, "returncode": returncode, "error": error}
        return self._stop(task_id, end)

    def _start(self, key: str, job: dict[str, Any]) -> None:
        self._ask("job_start", job, None)
        self._started[key] = (job, time.monotonic())

    def _stop(self, key: str, end: dict[str, Any]) -> dict[str, Any]:
        if isinstance(end.get("error"), str):
            # Longer texts are cut by jobmeter as well; a message has a limit.
            end = {**end, "error": end["error"][:10_000]}
        job, since = self._started.pop(key, ({}, time.monotonic()))
        unmeasured = {
            **job,
            "duration_seconds": time.monotonic() - since,
            "resource_usage": dict.fromkeys(
                ("cpu_user_seconds", "cpu_system_seconds", "cpu_total_seconds", "memory_peak_mb")
            ),
            **end,
        }
        unmeasured.pop("tracker", None)
        return self._ask("job_stop", end, unmeasured)

    def track_job(
        self,
        task_id: Optional[str] = None,
        tool: Optional[str] = None,
        script: Optional[str] = None,
        params: Optional[dict[str, Any]] = None,
    ) -> JobTracker:
        """A context manager, and a decorator: each call of the function is a job."""
        return JobTracker(self, task_id, tool, script, params)

    def get_job_history(
        self,
        limit: Optional[int] = None,
        tool: Optional[str] = None,
        status: Optional[str] = None,
    ) -> list[dict[str, Any]]:
        """The newest first."""
        # In portions, between which the marks of a training are taken.
        query = {"limit": limit, "tool": tool, "status": status, "in_portions": True}
        jobs: list[dict[str, Any]] = []
        while True:
            portion = self._ask("job_history", query, None)
            if portion is None:
                return []
            jobs += portion["jobs"]
            if portion.get("next") is None:
                return jobs
            query = {"next": portion["next"]}

    def get_job_stats(self, task_id: str) -> Optional[dict[str, Any]]:
        return self._ask("job_stats", {"task_id": task_id}, {"job": None})["job"]

    def get_summary_statistics(self) -> dict[str, Any]:
        names = ("total_jobs", "successful", "failed", "success_rate", "total_cpu_time_seconds")
        return self._ask("job_summary", {}, {**dict.fromkeys(names), "by_tool": {}})

    def _ask(self, kind: str, fields: dict[str, Any], otherwise: Any) -> Any:
        return _asked({"type": kind, **self._settings, **fields}, otherwise)


class JobTracker(contextlib.ContextDecorator):
    """A job that lasts as long as a ``with`` block, or a call of a function."""

    def __init__(
        self,
        monitor: JobMonitor,
        task_id: Optional[str],
        tool: Optional[str],
        script: Optional[str],
        params: Optional[dict[str, Any]],
    ) -> None:
        self._monitor = monitor
        self._given = (task_id, tool, script, params)
        self.task_id = task_id or uuid.uuid4().hex
        self._begin()

    def _begin(self) -> None:
        # Jobs that overlap may have the same task id.
        self._name = uuid.uuid4().hex
        self._owner = os.getpid()
        self._is_recorded = False
        self._status: dict[str, Any] = {"status": "success", "returncode": None, "error": None}
        self.stats: Optional[dict[str, Any]] = None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        task_id, tool, script, params = self._given
        self._given = (task_id, tool or function.__name__, script, params)
        return super().__call__(function)

    def _recreate_cm(self) -> JobTracker:
        # Calls may overlap, and each is a job of its own.
        return JobTracker(self._monitor, *self._given)

    def __enter__(self) -> JobTracker:
        self._begin()
        _, tool, script, params = self._given
        job = {"tool": tool or "python", "script": script, "params": params or {}}
        with self._no_harm():
            self._monitor._start(self._name, {**self._identity(), **job})
            self._is_recorded = True
        return self

    def set_status(
        self, status: str, returncode: Optional[int] = None, error: Any = None
    ) -> None:
        """How the job ended; the last call counts."""
        if status not in _STATUSES:
            known = ", ".join(_STATUSES)
            raise JobmeterError(f'"{status}" is not a status. Use one of {known}')
        try:
            code = None if returncode is None else operator.index(returncode)
        except TypeError:
            raise JobmeterError(f"returncode {returncode!r} is not a whole number") from None
        words = None if error is None else _words_of(error)
        self._status = {"status": status, "returncode": code, "error": words}

    def __exit__(self, kind: Any, error: Optional[BaseException], _traceback: Any) -> bool:
        # A fork that leaves the block has not done the job: its parent has.
        if self._is_recorded and os.getpid() == self._owner:
            if error is not None:
                self._threw(error)
            with self._no_harm():
                self.stats = self._monitor._stop(self._name, {**self._identity(), **self._status})
        return False

    def _identity(self) -> dict[str, Any]:
        return {"task_id": self.task_id, "tracker": self._name}

    def _threw(self, error: BaseException) -> None:
        """Unless the job has said already that it did not succeed."""
        if self._status["status"] == "success":
            self.set_status("error", error=error)

    @contextlib.contextmanager
    def _no_harm(self) -> Iterator[None]:
        """What is refused here must neither stop the work nor hide what it has thrown."""
        try:
            yield
        except JobmeterError as refusal:
            _log.warning("job %s is not recorded: %s", self.task_id, refusal)


_STATUSES = ("success", "failed", "timeout", "error", "interrupted", "cancelled")


def _words_of(error: Any) -> str:
    name = type(error).__name__
    try:
        return f"{name}: {error}" if isinstance(error, BaseException) else str(error)
    except Exception:  # It is told how the job ended, though it cannot say why.
        return name


_monitor: Optional[JobMonitor] = None


def get_monitor() -> JobMonitor:
    """The monitor that all parts of a program share."""
    global _monitor
    _monitor = _monitor or JobMonitor()
    return _monitor


def track_job(
    task_id: Any = None,
    tool: Optional[str] = None,
    script: Optional[str] = None,
    params: Optional[dict[str, Any]] = None,
) -> Any:
    """``with track_job(...) as tracker:``, ``@track_job(tool="fenicsx")`` and ``@track_job``."""
    if callable(task_id):
        return get_monitor().track_job()(task_id)
    return get_monitor().track_job(task_id, tool, script, params)


class TaskPipeline:
    """Runs tasks of known tools, one after the other or several at once, each measured and recorded.

    ``tools`` gives the command of each tool as a list of words, in which ``{script}`` and
    ``{params.mesh_size}`` are filled in; no shell reads them. Tasks end with this program.
    """

    def __init__(
        self,
        tools: dict[str, Any],
        parallel: Optional[int] = None,
        output_dir: Optional[str] = None,
        log_dir: Optional[str] = None,
        ledger: Optional[str] = None,
    ) -> None:
        self._settings = {
            "tools": tools,
            "parallel": parallel,
            "working_directory": os.getcwd(),
            "output_dir": None if output_dir is None else os.path.abspath(output_dir),
            "log_dir": None if log_dir is None else os.path.abspath(log_dir),
            "ledger": None if ledger is None else os.path.abspath(ledger),
        }

    def submit_task(
        self,
        tool: str,
        script: Optional[str] = None,
        params: Optional[dict[str, Any]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> str:
        """Takes a task and answers its id. It begins as soon as it is its turn."""
        task = {"tool": tool, "script": script, "params": params or {}}
        return self.submit_workflow([{**task, "timeout_seconds": timeout_seconds}], False)[0]

    def submit_workflow(self, tasks: list[dict[str, Any]], sequential: bool = True) -> list[str]:
        """Takes several tasks; with ``sequential`` each waits for the one before it to succeed."""
        message = {"type": "tasks_submit", "tasks": tasks, "sequential": sequential}
        return self._ask({**message, **self._settings})["task_ids"]

    def wait_for_task(self, task_id: str, timeout: Optional[float] = None) -> dict[str, Any]:
        """What came of a task, when it is over. One that failed is a result, not an exception."""
        until = None if timeout is None else time.monotonic() + timeout
        pause = 0.02
        while True:
            result = self._ask({"type": "task_status", "task_id": task_id})["result"]
            if result is not None:
                return result
            if until is not None and time.monotonic() >= until:
                raise TimeoutError(f"task {task_id} is not over after {timeout} s and goes on")
            time.sleep(pause)
            pause = min(0.5, pause * 1.3)

    def wait_for_workflow(
        self, task_ids: list[str], timeout: Optional[float] = None
    ) -> list[dict[str, Any]]:
        """The results of several tasks, in the order of the ids, when all are over."""
        return [self.wait_for_task(task_id, timeout) for task_id in task_ids]

    def get_task_status(self, task_id: str) -> str:
        return self._ask({"type": "task_status", "task_id": task_id})["status"]

    def cancel_task(self, task_id: str) -> bool:
        """Ends a task, whether or not it has begun; False if it is over already."""
        return self._ask({"type": "task_cancel", "task_id": task_id})["cancelled"]

    @staticmethod
    def _ask(message: dict[str, Any]) -> Any:
        # A job that goes unmeasured is no harm; a task that was silently not run is.
        answer = _asked(message, None)
        if answer is None:
            raise JobmeterError("the task cannot be run: jobmeter cannot be reached")
        return answer
