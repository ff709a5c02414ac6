"""The model of this folder in PyTorch: a static cache, and a CUDA graph of one decoding step.

    python3 peer.py -size 8b -dtype f16 -prompt 512 -tokens 128 [-compile]

Weights are drawn as in Go, but by another generator, so that the tokens are others. All backends of attention are
timed, and the fastest counts. With -compile torch.compile compiles the layers of the step first.
"""

import argparse
import math
import time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

# layers, width, heads, heads of keys and values, head size, ffn, vocabulary
SIZES = {"tiny": (2, 128, 4, 2, 32, 384, 1000), "1b": (16, 2048, 32, 8, 64, 8192, 128256), "8b": (32, 4096, 32, 8, 128, 14336, 128256)}
DTYPES, BASE, EPSILON = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}, 500000.0, 1e-5


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def layer(h, w, cache, pos, cos, sin, mask, shape):
    """One layer for h [batch, rows, width], whose keys and values go to the rows pos of the cache."""
    (heads, groups, d), (batch, rows, width) = shape[2:5], h.shape
    norm1, norm2, qkv, out, gate_up, down = w
    x = F.linear(F.rms_norm(h, (width,), norm1, EPSILON), qkv).view(batch, rows, heads + 2 * groups, d).transpose(1, 2)
    x, v = x.split((heads + groups, groups), 1)
    q, k = rotate(x, cos, sin).split((heads, groups), 1)
    cache[0].index_copy_(2, pos, k)
    cache[1].index_copy_(2, pos, v)
    if mask is None:  # the prompt: all keys are those of its rows
        k, v = (t.repeat_interleave(heads // groups, 1) for t in (k, v))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:  # heads that share keys are rows of one head, so that keys are read once
        q = q.reshape(batch, groups, heads // groups, d)
        a = F.scaled_dot_product_attention(q, cache[0], cache[1], attn_mask=mask).reshape(batch, heads, 1, d)
    h = h + F.linear(a.transpose(1, 2).reshape(batch, rows, heads * d), out)
    gate, up = F.linear(F.rms_norm(h, (width,), norm2, EPSILON), gate_up).chunk(2, -1)
    return h + F.linear(F.silu(gate) * up, down)


class Model:
    def __init__(self, a, shape):
        def matrix(deviation, *size):
            return torch.randn(*size, dtype=DTYPES[a.dtype], device=a.device).mul_(deviation / math.sqrt(size[1]))
        layers, width, heads, groups, d, ffn, vocab = self.shape = shape
        norm = matrix(0.1, width, 1).add_(1).view(width)
        self.prompt, capacity, residual = a.prompt, -(-(a.prompt + a.tokens) // 16) * 16, 1 / math.sqrt(2 * layers)  # rows of masks are aligned
        self.embed, self.norm, self.head = matrix(0.5 * math.sqrt(width), vocab, width), norm, matrix(1, vocab, width)
        self.layers = [(norm.clone(), norm.clone(), matrix(2, (heads + 2 * groups) * d, width), matrix(residual, width, heads * d),
                        matrix(1, 2 * ffn, width), matrix(residual, width, ffn)) for _ in range(layers)]
        self.weights = sum(t.numel() for t in [self.embed, self.norm, self.head] + [t for w in self.layers for t in w])
        self.caches = torch.zeros(layers, 2, a.batch, groups, capacity, d, dtype=DTYPES[a.dtype], device=a.device)
        self.places = torch.arange(capacity, device=a.device)
        angles = self.places[:, None] * BASE ** (-torch.arange(0, d, 2, device=a.device) / d).double()
        self.cos, self.sin = angles.cos().to(DTYPES[a.dtype]), angles.sin().to(DTYPES[a.dtype])
        self.texts = torch.randint(vocab, (a.batch, capacity), device=a.device)
        self.pos, self.ids, self.logits = self.places[:1].clone(), self.texts[:, :1].clone(), torch.zeros(a.batch, vocab, device=a.device)
        self.layer = layer

    def forward(self, run, ids, pos, mask=None):
        h, cos, sin = F.embedding(ids, self.embed), self.cos[pos], self.sin[pos]
        for w, cache in zip(self.layers, self.caches):
            h = run(h, w, cache, pos, cos, sin, mask, self.shape)
        return F.linear(F.rms_norm(h[:, -1], h.shape[-1:], self.norm, EPSILON), self.head).float()

    def read(self, n):
        return self.forward(layer, self.texts[:, :n], self.places[:n])

    def choose(self, logits, pos):
        self.logits.copy_(logits)
        self.ids.copy_(logits.argmax(-1, keepdim=True))
        self.pos.copy_(pos)
        self.texts.index_copy_(1, self.pos, self.ids)

    def start(self):
        self.choose(self.read(self.prompt), self.places[self.prompt:self.prompt + 1])

    def step(self):
        mask = (self.places <= self.pos).expand(len(self.ids), self.shape[3], self.shape[2] // self.shape[3], -1)
        self.choose(self.forward(self.layer, self.ids, self.pos, mask), self.pos + 1)

    def captured(self):
        """The step as a CUDA graph."""
        for _ in range(3):  # chooses algorithms, and compiles
            self.start()
            self.step()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.step()
        return graph.replay


def times(device, n, f):
    if device == "cpu":
        marks = [time.perf_counter()] + [(f(), time.perf_counter())[1] for _ in range(n)]
        return [b - a for a, b in zip(marks, marks[1:])]
    events = [torch.cuda.Event(enable_timing=True) for _ in range(n + 1)]
    events[0].record()
    for e in events[1:]:
        f()
        e.record()
    torch.cuda.synchronize()
    return [a.elapsed_time(b) / 1e3 for a, b in zip(events, events[1:])]


@torch.inference_mode()
def main():
    p = argparse.ArgumentParser()
    p.add_argument("-device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("-size", default="tiny", choices=SIZES)
    p.add_argument("-dtype", default="f16", choices=DTYPES)
    p.add_argument("-bits", type=int, default=0, choices=[0], help="PyTorch has no product of such weights in F16")
    for name, value in (("-prompt", 64), ("-tokens", 32), ("-batch", 1), ("-seed", 1)):
        p.add_argument(name, type=int, default=value)
    p.add_argument("-compile", action="store_true")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    m = Model(a, SIZES[a.size])
    print(f"PyTorch {torch.__version__}, {a.device}: {a.size}, {a.dtype}: {m.weights / 1e6:.1f} million parameters")
    m.start()
    took = min(times(a.device, 5, lambda: m.read(a.prompt)))
    print(f"prefill: {a.batch * a.prompt} tokens in {took * 1e3:.3f} ms, {a.batch * a.prompt / took:.1f} tokens/s")
    if a.compile:
        m.layer = torch.compile(layer)
    best = math.inf
    for backend in (SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH):
        try:
            with sdpa_kernel(backend):
                step = m.step if a.device == "cpu" else m.captured()
        except RuntimeError as e:
            print(f"  {backend.name}: {str(e).splitlines()[0]}")
            continue
        m.start()
        took = sorted(times(a.device, a.tokens - 1, step))[(a.tokens - 1) // 2]
        want = m.read(a.prompt + a.tokens - 1)
        error = ((m.logits - want).abs().max() / want.square().mean().sqrt()).item()
        print(f"  {backend.name}: {took * 1e3:.3f} ms a step; logits of the last one are within {error:.1e} of those of one pass")
        best = min(best, took)
    print(f"decode: {best * 1e3:.3f} ms a step, {a.batch / best:.1f} tokens/s")
    print("tokens of text 0:", m.texts[0, a.prompt:a.prompt + a.tokens].tolist()[:12])


main()
