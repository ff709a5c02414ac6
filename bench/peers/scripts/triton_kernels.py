"""Kernels in Triton, as its users write them: products with autotuned tiles, by pointers and by tensor descriptors (which
are TMA copies on Hopper), fused softmax and normalisation of rows that fit into one block, and a sum of vectors."""
import os

import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax_kernel(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * cols
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row + at, mask=at < cols, other=float("-inf")).to(tl.float32)
    v = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row + at, (v / tl.sum(v, axis=0)).to(out.dtype.element_ty), mask=at < cols)


@triton.jit
def layernorm_kernel(x, weight, bias, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * cols
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row + at, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / cols
    centred = tl.where(mask, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / cols + 1e-5)
    w, b = tl.load(weight + at, mask=mask).to(tl.float32), tl.load(bias + at, mask=mask).to(tl.float32)
    tl.store(out + row + at, (centred * scale * w + b).to(out.dtype.element_ty), mask=mask)


@triton.jit
def rmsnorm_kernel(x, weight, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * cols
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row + at, mask=mask, other=0.0).to(tl.float32)
    scale = 1 / tl.sqrt(tl.sum(v * v, axis=0) / cols + 1e-5)
    w = tl.load(weight + at, mask=mask).to(tl.float32)
    tl.store(out + row + at, (v * scale * w).to(out.dtype.element_ty), mask=mask)


TILES = [
    triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": 8}, num_warps=warps, num_stages=stages)
    for m, n, k, warps, stages in [
        (128, 256, 64, 8, 3), (128, 128, 64, 8, 4), (128, 128, 64, 4, 4), (128, 128, 32, 4, 4), (64, 128, 64, 4, 4),
        (64, 64, 64, 4, 4), (16, 128, 128, 4, 4), (16, 64, 256, 4, 3), (16, 32, 256, 4, 4),
    ]
]
if os.environ.get("TRITON_INTERPRET") == "1":  # which has no clock to tune by
    TILES = TILES[3:4]


@triton.jit
def tile_of(M, N, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    """The tile of this program, in groups of rows that share columns of b in the cache."""
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = pid // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    return first + pid % (GROUP * columns) % size, pid % (GROUP * columns) // size


@triton.autotune(configs=TILES, key=["M", "N", "K"])
@triton.jit
def matmul_kernel(a, b, out, M, N, K, am, ak, bk, bn, TF32: tl.constexpr,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pm, pn = tile_of(M, N, BM, BN, GROUP)
    rows, columns, depth = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN), tl.arange(0, BK)
    pa = a + (rows % M)[:, None].to(tl.int64) * am + depth[None, :] * ak
    pb = b + depth[:, None].to(tl.int64) * bk + (columns % N)[None, :].to(tl.int64) * bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        x = tl.load(pa, mask=depth[None, :] < left, other=0.0)
        y = tl.load(pb, mask=depth[:, None] < left, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="tf32" if TF32 else "ieee")
        pa += BK * ak
        pb += BK * bk
    po = out + rows[:, None].to(tl.int64) * N + columns[None, :]
    tl.store(po, acc.to(out.dtype.element_ty), mask=(rows[:, None] < M) & (columns[None, :] < N))


def set_blocks(nargs):
    """Gives the descriptors the blocks of the configuration being tried."""
    nargs["a"].block_shape = [nargs["BM"], nargs["BK"]]
    nargs["b"].block_shape = [nargs["BN"], nargs["BK"]] if nargs["ROWS"] else [nargs["BK"], nargs["BN"]]
    nargs["out"].block_shape = [nargs["BM"], nargs["BN"]]


@triton.autotune(configs=[triton.Config(c.kwargs, num_warps=c.num_warps, num_stages=c.num_stages, pre_hook=set_blocks) for c in TILES[:6]],
                 key=["M", "N", "K"])
@triton.jit
def descriptor_kernel(a, b, out, M, N, K, ROWS: tl.constexpr,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """b is stored [N,K] if ROWS, else [K,N]."""
    pm, pn = tile_of(M, N, BM, BN, GROUP)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = a.load([pm * BM, k * BK])
        if ROWS:
            acc = tl.dot(x, b.load([pn * BN, k * BK]).T, acc)
        else:
            acc = tl.dot(x, b.load([k * BK, pn * BN]), acc)
    out.store([pm * BM, pn * BN], acc.to(out.dtype))
