# The training steps of ./bench in PyTorch, eager: python3 bench/pytorch.py large [device [precision]], with the precision highest, high or medium
import math
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

SIZES = {
    "small": (32, dict(batch=8, length=32, width=32, heads=4, layers=2)),
    "medium": (64, dict(batch=16, length=64, width=128, heads=4, layers=2)),
    "large": (512, dict(batch=32, length=128, width=512, heads=8, layers=6)),
}
CHARACTERS = 128


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 16, 3, padding=1), nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.hidden, self.out = nn.Linear(32 * 16, 64), nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        return self.out(F.relu(self.hidden(x.flatten(1))))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, n, w = x.shape
        y = self.norm1(x)
        q, k, v = (f(y).view(b, n, self.heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / math.sqrt(w // self.heads)
        mask = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        y = torch.where(mask, scores, -1e9).softmax(-1) @ v
        x = x + self.o(y.transpose(1, 2).reshape(b, n, w))
        return x + self.down(F.relu(self.up(self.norm2(x))))


class Text(nn.Module):
    def __init__(self, batch, length, width, heads, layers):
        super().__init__()
        self.characters, self.places = nn.Embedding(CHARACTERS, width), nn.Parameter(torch.randn(length, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, CHARACTERS)

    def forward(self, x):
        x = self.characters(x) + self.places
        for b in self.blocks:
            x = b(x)
        return self.out(self.norm(x)).flatten(0, 1)


def race(name, model, x, y, device, steps=20, turns=3):
    model = model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    x, y = x.cpu(), y.cpu()

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(5):
        step().item()
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        for _ in range(steps - 1):
            step()
        step().item()
        times.append((time.perf_counter() - start) / steps)
    times.sort()
    print(f"{name:8} pytorch {torch.__version__:16} {1000 * times[turns // 2]:.3f}ms a step (least {1000 * times[0]:.3f}ms)")


def main():
    size = sys.argv[1] if len(sys.argv) > 1 else "small"
    device = sys.argv[2] if len(sys.argv) > 2 else "cuda"
    torch.set_float32_matmul_precision(sys.argv[3] if len(sys.argv) > 3 else "highest")
    images, t = SIZES[size]
    race("digits", Digits(), torch.rand(images, 1, 8, 8), torch.randint(10, (images,)), device)
    ids = torch.randint(CHARACTERS, (t["batch"], t["length"]))
    race("text", Text(**t), ids, ids.flatten(), device)


main()
