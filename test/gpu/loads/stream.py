"""Goes through 256 MB again and again: all it needs is memory bandwidth."""
import sys
import time

import torch

data = torch.ones(64 * 2**20, device="cuda", dtype=torch.float32)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    for _ in range(200):
        data.mul_(1.0001)
    torch.cuda.synchronize()
