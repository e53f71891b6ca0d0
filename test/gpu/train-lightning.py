"""Three epochs of a real training under ResourceMonitorCallback, on whatever device there is.

    python3 test/gpu/train-lightning.py OUT [SECONDS_AN_EPOCH]

Needs PyTorch and pytorch-lightning (or lightning); nothing is
fetched. It prints what the callback prints and writes OUT/resource_logs/epoch_0.csv to epoch_2.csv,
OUT/logger/ (what the trainer's logger was given) and OUT/training.json (what the loop knows itself).
"""

import json
import os
import sys
import time

out, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 12.0
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))

import torch  # noqa: E402

try:
    import pytorch_lightning as pl
    from pytorch_lightning.loggers import CSVLogger
except ImportError:
    import lightning.pytorch as pl
    from lightning.pytorch.loggers import CSVLogger

from jobmeter import ResourceMonitorCallback  # noqa: E402

on_gpu = torch.cuda.is_available()
width = 4096 if on_gpu else 128
rows = 2048 if on_gpu else 64


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        layers = [torch.nn.Linear(width, width) for _ in range(6)]
        self.layers = torch.nn.Sequential(*layers)

    def training_step(self, batch, _index):
        loss = (self.layers(batch) - batch).square().mean()
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, _index):
        self.log("val_loss", (self.layers(batch) - batch).square().mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=1e-4)


class Timed(torch.utils.data.IterableDataset):
    """Batches until the time of the epoch is over."""

    def __init__(self, limit):
        self.limit = limit

    def __iter__(self):
        batch = torch.randn(rows, width)
        end = time.monotonic() + self.limit
        while time.monotonic() < end:
            yield batch


class Notes(pl.Callback):
    """What the loop knows itself, to compare with."""

    def __init__(self):
        self.epochs = []

    def on_train_epoch_start(self, trainer, module):
        self.epochs.append({"batches": 0, "started": time.time(), "seconds": 0.0})

    def on_train_batch_start(self, trainer, module, batch, index):
        self.began = time.perf_counter()

    def on_train_batch_end(self, trainer, module, outputs, batch, index):
        self.epochs[-1]["seconds"] += time.perf_counter() - self.began
        self.epochs[-1]["batches"] += 1
        self.epochs[-1]["ended"] = time.time()


notes = Notes()
loader = torch.utils.data.DataLoader(Timed(seconds), batch_size=None)
check = torch.utils.data.DataLoader(Timed(0.2), batch_size=None)
monitor = ResourceMonitorCallback(log_interval=5, timeseries_path=os.path.join(out, "resource_logs"))
trainer = pl.Trainer(
    max_epochs=3,
    accelerator="gpu" if on_gpu else "cpu",
    devices=1,
    callbacks=[monitor, notes],
    logger=CSVLogger(out, name="logger", version="0", flush_logs_every_n_steps=20),
    enable_progress_bar=False,
    enable_model_summary=False,
    enable_checkpointing=False,
)
trainer.fit(Net(), loader, check)
facts = {
    "torch": torch.__version__,
    "lightning": pl.__version__,
    "device": torch.cuda.get_device_name(0) if on_gpu else "cpu",
    "epochs": notes.epochs,
    "alerts": monitor.alerts,
}
with open(os.path.join(out, "training.json"), "w", encoding="utf-8") as file:
    json.dump(facts, file, indent=2)
