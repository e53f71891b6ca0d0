"""Trains, but makes each batch on one core, which takes far longer than the step."""
import sys
import time

import torch

model = torch.nn.Sequential(
    torch.nn.Linear(4096, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 4096)
).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
torch.set_num_threads(1)


def batch():
    """About 50 ms of work for one core."""
    total = 0
    begun = time.monotonic()
    while time.monotonic() - begun < 0.05:
        total += sum(range(1000))
    return torch.rand(2048, 4096) + total * 0.0


end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    data = batch().cuda()
    for _ in range(2):
        optimizer.zero_grad()
        model(data).square().mean().backward()
        optimizer.step()
    torch.cuda.synchronize()
