"""Takes 4 GB of the card and does nothing with them."""
import sys
import time

import torch

held = torch.empty(2**30, device="cuda", dtype=torch.float32)
torch.cuda.synchronize()
time.sleep(float(sys.argv[1]))
