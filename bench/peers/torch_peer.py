"""Times the work of package bench with PyTorch and prints the same JSON lines.

Device times by CUDA events, median of 21 batches after a warm-up, random data.

    python3 torch_peer.py [-op REGEXP] [-device cuda|cpu] [-list]

A function under @peer makes the tensors of one work and returns what is timed; the name is that of the
work in package bench on a GPU. Work without a peer simply has none.
"""
import argparse
import gc
import json
import re
import statistics
import time

try:
    import torch
    import torch.nn.functional as F  # noqa: F401 (for peers)
except ImportError:  # -list needs none
    torch = None

PEERS = {}
DEVICE = "cuda"


def peer(op, bytes=0.0, flop=0.0):
    def add(make):
        PEERS[op] = (make, float(bytes), float(flop))
        return make
    return add


def randn(*shape, dtype="float32"):
    return torch.randn(*shape, device=DEVICE, dtype=getattr(torch, dtype))


# ---- the work, one section a family ----

@peer("add f32 2^28", bytes=12 * 2**28)
def add():
    a, b, out = randn(2**28), randn(2**28), randn(2**28)
    return lambda: torch.add(a, b, out=out)


@peer("gelu f16 2^28", bytes=4 * 2**28)
def gelu():
    x = randn(2**28, dtype="float16")
    return lambda: F.gelu(x)


@peer("where f32 2^28", bytes=13 * 2**28)
def where():
    cond, x, y, out = randn(2**28) > 0, randn(2**28), randn(2**28), randn(2**28)
    return lambda: torch.where(cond, x, y, out=out)


@peer("add row f32 65536x4096", bytes=8 * 2**28)
def add_row():
    x, row, out = randn(2**16, 4096), randn(4096), randn(2**16, 4096)
    return lambda: torch.add(x, row, out=out)


def attention(name, dtype, groups, causal):
    batch, heads, length, head = 4, 32, 4096, 128
    pairs = length * (length + 1) / 2 if causal else length * length
    suffix = ("causal" if causal else "full") + (f" gqa{groups}" if groups != heads else "")

    @peer(f"attention {name} {batch}x{heads}x{length}x{head} {suffix}", flop=4 * batch * heads * head * pairs)
    def make():
        q = randn(batch, heads, length, head, dtype=dtype)
        k, v = (randn(batch, groups, length, head, dtype=dtype) for _ in range(2))
        return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=groups != heads)


for name, dtype in ("f32", "float32"), ("f16", "float16"):
    for causal in False, True:
        attention(name, dtype, 32, causal)
attention("f16", "float16", 8, True)


def matmul(m, n, k, name, dtype, tf32=False):
    @peer(f"matmul {name} {m}x{n}x{k}", flop=2 * m * n * k)
    def make():
        a, b, out = randn(m, k, dtype=dtype), randn(k, n, dtype=dtype), randn(m, n, dtype=dtype)

        def run():
            torch.backends.cuda.matmul.allow_tf32 = tf32
            torch.matmul(a, b, out=out)
            torch.backends.cuda.matmul.allow_tf32 = False
        return run


matmul(4096, 4096, 4096, "f32", "float32")
matmul(4095, 4097, 4093, "f32", "float32")
matmul(4096, 4096, 4096, "tf32", "float32", tf32=True)
matmul(4096, 4096, 4096, "f16", "float16")
matmul(4096, 4096, 4096, "bf16", "bfloat16")
matmul(128, 128, 16384, "f32", "float32")


@peer("matmul i8 4096x4096x4096", flop=2 * 4096**3)
def matmul_i8():
    a, b = (torch.randint(-128, 128, (4096, 4096), device=DEVICE, dtype=torch.int8) for _ in range(2))
    columns = b.t()  # the layout that cuBLAS wants
    return lambda: torch._int_mm(a, columns)


@peer("matmul f16 64x1024x1024x1024", flop=2 * 64 * 1024**3)
def matmul_batch():
    a, b, out = (randn(64, 1024, 1024, dtype="float16") for _ in range(3))
    return lambda: torch.matmul(a, b, out=out)


@peer("linear gelu f16 32768x4096x1024", flop=2 * 32768 * 4096 * 1024)
def linear_gelu():
    x, w, bias = randn(32768, 1024, dtype="float16"), randn(4096, 1024, dtype="float16"), randn(4096, dtype="float16")
    return lambda: F.gelu(F.linear(x, w, bias))


def few_rows(name, m, columns):
    @peer(f"{name} {m}x8192x8192", bytes=2 * (8192 * 8192 + 2 * m * 8192))
    def make():
        a, b, out = randn(m, 8192, dtype="float16"), randn(8192, 8192, dtype="float16"), randn(m, 8192, dtype="float16")
        b = b.t() if columns else b
        return lambda: torch.matmul(a, b, out=out)


few_rows("matmul f16", 1, False)
few_rows("matmul f16", 16, False)
few_rows("matmul f16 of weights", 1, True)


@peer("uniform f32 2^28", bytes=4 * 2**28)
def uniform():
    out = torch.empty(2**28, device=DEVICE)
    return lambda: out.uniform_()


@peer("dropout f32 2^28", bytes=8 * 2**28)
def dropout():
    x = randn(2**28)
    return lambda: F.dropout(x, 0.5, training=True)
def conv2d(name, dtype, images, channels, side, filters, kernel, stride, padding, groups=1, last=False):
    out = (side + 2 * padding - kernel) // stride + 1
    op = f"conv2d {name} {images}x{channels}x{side}x{side} {filters} {kernel}x{kernel}/{stride}" + " nhwc" * last + " depthwise" * (groups > 1)
    elements = images * filters * out * out
    count = {"flop": 2 * elements * channels * kernel * kernel}
    if groups > 1:
        count = {"bytes": (images * channels * side * side + elements) * (4 if name == "f32" else 2)}

    @peer(op, **count)
    def make():
        torch.backends.cudnn.benchmark = True  # the fastest algorithm that there is
        x = randn(images, channels, side, side, dtype=dtype)
        w = randn(filters, channels // groups, kernel, kernel, dtype=dtype)
        if last:
            x, w = (t.to(memory_format=torch.channels_last) for t in (x, w))
        return lambda: F.conv2d(x, w, stride=stride, padding=padding, groups=groups)


conv2d("f32", "float32", 32, 3, 224, 64, 7, 2, 3)
conv2d("f32", "float32", 32, 64, 56, 64, 3, 1, 1)
conv2d("f32", "float32", 32, 256, 14, 256, 3, 1, 1)
conv2d("f32", "float32", 32, 512, 7, 2048, 1, 1, 0)
conv2d("f32", "float32", 64, 3, 224, 768, 16, 16, 0)
conv2d("f32", "float32", 32, 96, 112, 96, 3, 1, 1, groups=96)
conv2d("f32", "float32", 32, 256, 14, 256, 3, 1, 1, last=True)
conv2d("f32", "float32", 32, 96, 112, 96, 3, 1, 1, groups=96, last=True)
conv2d("f16", "float16", 32, 256, 14, 256, 3, 1, 1)
conv2d("f16", "float16", 32, 256, 14, 256, 3, 1, 1, last=True)


def unpack(data, scales, bits, dtype):
    """The real weights [N,K] of integers, two to a byte if they have 4 bits, with a scale to each group of a row."""
    if bits == 4:
        data = torch.stack(((data << 4).view(torch.int8) >> 4, data.view(torch.int8) >> 4), dim=-1)
    n, groups = scales.shape
    return (data.reshape(n, groups, -1) * scales[:, :, None]).reshape(n, -1).to(dtype)


def weights(n, k, bits, group):
    data = torch.randint(0, 256, (n, k * bits // 8), device=DEVICE, dtype=torch.uint8)
    return data if bits == 4 else data.view(torch.int8), randn(n, k // group).abs()


def lowbit(m, n, k, bits, group, name):
    bytes = n * k * bits // 8 + 4 * n * k // group + 2 * m * (k + n)

    @peer(f"lowbit f16 {name} {m}x{n}x{k}, peer dequantises first", bytes=bytes if m <= 16 else 0, flop=0 if m <= 16 else 2 * m * n * k)
    def make():
        a, out = randn(m, k, dtype="float16"), randn(m, n, dtype="float16")
        data, scales = weights(n, k, bits, group)
        return lambda: torch.matmul(a, unpack(data, scales, bits, torch.float16).T, out=out)


for rows in [1, 16, 4096]:
    lowbit(rows, 4096, 4096, 4, 128, "i4/128")
    lowbit(rows, 14336, 4096, 4, 128, "i4/128")
    lowbit(rows, 4096, 4096, 8, 4096, "i8")


@peer("quantize f32 i4/128 4096x4096", bytes=4.5 * 2**24 + 4 * 2**17)
def quantize():
    x = randn(4096, 4096)

    def run():
        groups = x.view(4096, 32, 128)
        scales = groups.abs().amax(dim=-1, keepdim=True) / 7
        q = (groups / scales).round().clamp(-7, 7).to(torch.int8).view(4096, 4096)
        return (q[:, ::2] & 15) | (q[:, 1::2] << 4), scales
    return run


@peer("dequantize f16 i4/128 4096x4096", bytes=2.5 * 2**24 + 4 * 2**17)
def dequantize():
    data, scales = weights(4096, 4096, 4, 128)
    return lambda: unpack(data, scales, 4, torch.float16)


@peer("softmax f32 65536x4096", bytes=8 * 2**28)
def softmax():
    x, out = randn(2**16, 4096), randn(2**16, 4096)
    return lambda: torch.softmax(x, dim=1, out=out)


def sums(name, rows, columns, dim):
    @peer(f"sum f32 {name}", bytes=4 * (rows * columns + (columns if dim == 0 else rows)))
    def make():
        x, out = randn(rows, columns), randn(columns if dim == 0 else rows)
        return lambda: torch.sum(x, dim=dim, out=out)


sums("65536x4096 rows", 2**16, 4096, 1)
sums("65536x4096 columns", 2**16, 4096, 0)
sums("2^28", 1, 2**28, 1)


@peer("argmax f32 2^28", bytes=4 * 2**28)
def argmax():
    x = randn(2**28)
    return lambda: torch.argmax(x)


@peer("var f32 65536x4096 rows", bytes=4 * (2**28 + 2**16))
def variance():
    x, out = randn(2**16, 4096), randn(2**16)
    return lambda: torch.var(x, dim=1, correction=0, out=out)


@peer("layernorm f16 65536x4096", bytes=4 * 2**28)
def layernorm():
    x, weight, bias = randn(2**16, 4096, dtype="float16"), randn(4096, dtype="float16"), randn(4096, dtype="float16")
    return lambda: F.layer_norm(x, (4096,), weight, bias)


@peer("rmsnorm f16 65536x4096", bytes=4 * 2**28)
def rmsnorm():
    x, weight = randn(2**16, 4096, dtype="float16"), randn(4096, dtype="float16")
    return lambda: F.rms_norm(x, (4096,), weight, 1e-5)


@peer("softmax f32 2^26", bytes=8 * 2**26)
def long_softmax():
    x, out = randn(2**26), randn(2**26)
    return lambda: torch.softmax(x, dim=0, out=out)


@peer("log_softmax f32 65536x4096", bytes=8 * 2**28)
def log_softmax():
    x, out = randn(2**16, 4096), randn(2**16, 4096)
    return lambda: torch.log_softmax(x, dim=1, out=out)


def permute(name, dtype, shape, dims, show=False):
    elements = 1
    for size in shape:
        elements *= size
    text = "x".join(map(str, shape)) + (" [" + " ".join(map(str, dims)) + "]" if show else "")
    size = {"float32": 4, "float16": 2, "int8": 1}[dtype]

    @peer(f"{name} {text}", bytes=2 * size * elements)
    def make():
        x = randn(*shape).mul_(40).to(getattr(torch, dtype))
        view = x.permute(dims)
        out = torch.empty(view.shape, dtype=x.dtype, device=DEVICE)
        return lambda: out.copy_(view)


permute("transpose f32", "float32", (16384, 16384), (1, 0))
permute("transpose f16", "float16", (16384, 16384), (1, 0))
permute("transpose i8", "int8", (16384, 16384), (1, 0))
permute("permute f16", "float16", (32, 128, 56, 56), (0, 2, 3, 1), show=True)
permute("permute f32", "float32", (64, 32, 64, 16, 32), (4, 2, 0, 3, 1), show=True)


@peer("copy f32 65536x4096 of 4100", bytes=8 * 2**28)
def padded_copy():
    view, out = randn(2**16, 4100)[:, :4096], randn(2**16, 4096)
    return lambda: out.copy_(view)


# ---- measuring ----

def once(run, n):
    """Seconds of one of n runs."""
    if DEVICE == "cpu":
        start = time.perf_counter()
        for _ in range(n):
            run()
        return (time.perf_counter() - start) / n
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(n):
        run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3 / n


def measure(op, make, bytes, flop):
    run = make()
    for _ in range(3):
        once(run, 1)
    n = int(min(max(1, 2e-3 / max(once(run, 1), 1e-6)), 50))
    times = sorted(once(run, n) for _ in range(21 if DEVICE == "cuda" else 3))
    seconds = statistics.median(times)
    print(json.dumps({
        "who": "pytorch " + torch.__version__, "op": op, "seconds": seconds, "quarter": times[len(times) // 4],
        "gbps": bytes / seconds / 1e9, "tflops": flop / seconds / 1e12,
    }), flush=True)


def main():
    global DEVICE
    parser = argparse.ArgumentParser()
    parser.add_argument("-op", default="", help="regular expression of the work to do")
    parser.add_argument("-device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("-list", action="store_true", help="print the names alone")
    args = parser.parse_args()
    DEVICE = args.device
    if args.list:
        print("\n".join(PEERS))
        return
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    for op, (make, bytes, flop) in PEERS.items():
        if not re.search(args.op, op):
            continue
        try:
            measure(op, make, bytes, flop)
        except Exception as e:  # the others still have their turn
            print(json.dumps({"who": "pytorch " + torch.__version__, "op": op, "error": f"{type(e).__name__}: {e}"}), flush=True)
        gc.collect()
        if DEVICE == "cuda":
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
