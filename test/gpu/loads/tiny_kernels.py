"""Starts kernels of one block each, one after the other."""
import sys
import time

import torch

data = torch.ones(32, device="cuda", dtype=torch.float32)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    for _ in range(2000):
        data.add_(1.0)
    torch.cuda.synchronize()
