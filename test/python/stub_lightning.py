"""A stand-in for PyTorch Lightning: its names, and its hooks in the order of a real ``Trainer.fit``."""

import sys
import types

HOOKS = (
    "setup on_fit_start on_sanity_check_start on_validation_start on_validation_epoch_start "
    "on_validation_batch_start on_validation_batch_end on_validation_epoch_end on_validation_end "
    "on_sanity_check_end on_train_start on_train_epoch_start on_train_batch_start "
    "on_before_zero_grad on_before_backward on_after_backward on_before_optimizer_step "
    "on_train_batch_end on_train_epoch_end on_train_end on_fit_end teardown on_exception"
).split()


def install(name):
    """Makes ``lightning.pytorch`` or ``pytorch_lightning`` importable; the answer is its Callback."""
    hooks = {hook: (lambda self, *args, **kwargs: None) for hook in HOOKS}
    module = types.ModuleType(name)
    module.Callback = type("Callback", (), hooks)
    sys.modules[name] = module
    return module.Callback


class Logger:
    def __init__(self):
        self.logged = []

    def log_metrics(self, metrics, step=None):
        self.logged.append((step, metrics))


class Trainer:
    def __init__(self, callbacks, max_epochs, batches, train_batch, validates=True, rank=0):
        self.callbacks = callbacks
        self.max_epochs = max_epochs
        self.batches = batches
        self.train_batch = train_batch
        self.validates = validates
        self.loggers = [Logger(), Logger()]
        self.is_global_zero = rank == 0
        self.current_epoch = 0
        self.global_step = 0

    def fit(self):
        module = object()
        self._call("setup", module, stage="fit")
        self._call("on_fit_start", module)
        self._call("on_sanity_check_start", module)
        self._validate(module)
        self._call("on_sanity_check_end", module)
        self._call("on_train_start", module)
        try:
            for epoch in range(self.max_epochs):
                self.current_epoch = epoch
                self._epoch(module)
        except BaseException as error:
            self._call("on_exception", module, error)
            raise
        self._call("on_train_end", module)
        self._call("on_fit_end", module)
        self._call("teardown", module, stage="fit")

    def _epoch(self, module):
        self._call("on_train_epoch_start", module)
        for index in range(self.batches):
            batch = object()
            self._call("on_train_batch_start", module, batch, index)
            self._call("on_before_zero_grad", module, object())
            self._call("on_before_backward", module, object())
            self.train_batch(self.current_epoch, index)
            self._call("on_after_backward", module)
            self._call("on_before_optimizer_step", module, object())
            self.global_step += 1
            self._call("on_train_batch_end", module, {}, batch, index)
        if self.validates:
            self._validate(module)
        self._call("on_train_epoch_end", module)

    def _validate(self, module):
        self._call("on_validation_start", module)
        self._call("on_validation_epoch_start", module)
        self._call("on_validation_batch_start", module, object(), 0)
        self._call("on_validation_batch_end", module, {}, object(), 0)
        self._call("on_validation_epoch_end", module)
        self._call("on_validation_end", module)

    def _call(self, hook, *args, **kwargs):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *args, **kwargs)
