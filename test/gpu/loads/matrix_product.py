"""Multiplies large bf16 matrices: what tensor units are for."""
import sys
import time

import torch

card = torch.device("cuda")
left = torch.randn(8192, 8192, device=card, dtype=torch.bfloat16)
right = torch.randn(8192, 8192, device=card, dtype=torch.bfloat16)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    for _ in range(20):
        product = left @ right
    torch.cuda.synchronize()
