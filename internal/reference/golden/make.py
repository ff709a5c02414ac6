"""Computes the golden cases with NumPy, SciPy, PyTorch and ml_dtypes, in float64, and writes them beside itself.

    python3 make.py

One file a family; an array is called CASE/NAME. Operands are multiples of 1/8 below 4, which every float
type of weft holds exactly, so that one case serves them all. Where two libraries compute the same they are
held to each other here.
"""
import os

import numpy as np
import scipy.signal
import scipy.special
import torch
import torch.nn.functional as F

rng = np.random.default_rng(20)


def draw(*shape):
    """Multiples of 1/8 from -4 to below 4, as float32."""
    return (rng.integers(-32, 32, shape) / 8).astype(np.float32)


def t(x):
    return torch.from_numpy(np.asarray(x, dtype=np.float64))


def same(a, b):
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12, atol=1e-12)


def ints(*x):
    return np.array(x, dtype=np.int64)


# ---- conv2d: x [N,C,H,W], w [O,C/groups,KH,KW], bias [O], y [N,O,H',W']; NHWC: x [N,H,W,C], y [N,H',W',O] ----

def correlate(x, w, stride, padding, dilation, groups):
    """The convolution by SciPy, one pair of planes at a time."""
    n, _, h, wd = x.shape
    o, c, kh, kw = w.shape
    wide = np.zeros((o, c, (kh - 1) * dilation[0] + 1, (kw - 1) * dilation[1] + 1))
    wide[:, :, ::dilation[0], ::dilation[1]] = w
    x = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    planes = [[sum(scipy.signal.correlate2d(x[b, f // (o // groups) * c + i], wide[f, i], "valid") for i in range(c))
               for f in range(o)] for b in range(n)]
    return np.array(planes)[:, :, ::stride[0], ::stride[1]]


def conv2d():
    cases = {}
    for name, x, w, stride, padding, dilation, groups, bias in [
        ("plain", (1, 3, 5, 6), (4, 3, 3, 3), (1, 1), (0, 0), (1, 1), 1, False),
        ("bias", (2, 3, 5, 5), (4, 3, 2, 2), (1, 1), (0, 0), (1, 1), 1, True),
        ("pointwise", (2, 5, 3, 7), (6, 5, 1, 1), (1, 1), (0, 0), (1, 1), 1, True),
        ("stride", (1, 2, 9, 8), (3, 2, 3, 3), (2, 3), (0, 0), (1, 1), 1, False),
        ("padding", (1, 2, 4, 5), (3, 2, 3, 5), (1, 1), (1, 2), (1, 1), 1, False),
        ("dilation", (1, 2, 9, 8), (3, 2, 3, 2), (1, 1), (0, 0), (2, 3), 1, False),
        ("groups", (2, 6, 5, 4), (9, 2, 3, 3), (1, 1), (1, 1), (1, 1), 3, True),
        ("depthwise", (1, 5, 6, 6), (5, 1, 3, 3), (1, 1), (1, 1), (1, 1), 5, False),
        ("multiplier", (1, 3, 5, 5), (6, 1, 3, 3), (2, 2), (1, 1), (1, 1), 3, True),
        ("patches", (2, 3, 8, 12), (5, 3, 4, 4), (4, 4), (0, 0), (1, 1), 1, True),
        ("all", (2, 4, 10, 9), (6, 2, 3, 5), (2, 1), (3, 2), (2, 1), 2, True),
        ("one_output", (1, 2, 3, 3), (1, 2, 3, 3), (1, 1), (0, 0), (1, 1), 1, False),
    ]:
        x, w = draw(*x), draw(*w)
        b = draw(w.shape[0]) if bias else None
        y = F.conv2d(t(x), t(w), None if b is None else t(b), stride, padding, dilation, groups).numpy()
        same(y, correlate(x.astype(np.float64), w, stride, padding, dilation, groups) + (0 if b is None else b.astype(np.float64)[:, None, None]))
        case = {"x": x, "w": w, "y": y, "stride": ints(*stride), "padding": ints(*padding), "dilation": ints(*dilation), "groups": ints(groups)}
        if bias:
            case["bias"] = b
        cases[name] = case
    for name in ["groups", "all"]:
        case = dict(cases[name])
        case["x"], case["y"] = (np.ascontiguousarray(case[k].transpose(0, 2, 3, 1)) for k in "xy")
        case["nhwc"] = ints(1)
        cases["nhwc_" + name] = case
    return cases


# ---- attention: q [B,H,Sq,D], k [B,G,Sk,D], v [B,G,Sk,E], bias [.., Sq,Sk], y [B,H,Sq,E], lse [B,H,Sq] ----
# Causal: query i sees keys up to i + Sk - Sq. mask: 1 where a key is seen.

def attention():
    cases = {}
    for name, b, h, g, sq, sk, d, causal, extra in [
        ("full", 2, 3, 3, 5, 7, 8, 0, None),
        ("causal", 1, 2, 2, 9, 9, 16, 1, None),
        ("causal_longer_keys", 1, 2, 2, 5, 11, 8, 1, None),
        ("grouped", 1, 6, 2, 7, 10, 8, 0, None),
        ("grouped_causal", 2, 4, 2, 6, 13, 8, 1, None),
        ("one_kv_head", 1, 5, 1, 4, 6, 12, 0, None),
        ("one_query", 2, 4, 1, 1, 17, 16, 1, None),
        ("bias", 1, 2, 2, 6, 9, 8, 0, "bias"),
        ("bias_of_heads", 2, 3, 3, 5, 5, 8, 1, "heads"),
        ("mask", 1, 2, 1, 6, 9, 8, 0, "mask"),
        ("scale", 1, 2, 2, 4, 6, 8, 0, "scale"),
    ]:
        q, k, v = draw(b, h, sq, d), draw(b, g, sk, d), draw(b, g, sk, d)
        case = {"q": q, "k": k, "v": v, "causal": ints(causal)}
        scale = 0.25 if extra == "scale" else d**-0.5
        case["scale"] = np.array([scale])
        kk, vv = (t(x).repeat_interleave(h // g, dim=1) for x in (k, v))
        add = torch.zeros(b, h, sq, sk, dtype=torch.float64)
        if causal:
            add = add.masked_fill(torch.ones(sq, sk).tril(sk - sq) == 0, -torch.inf)
        if extra in ("bias", "heads"):
            case["bias"] = draw(b, h, sq, sk) if extra == "bias" else draw(h, sq, sk)
            add = add + t(case["bias"])
        if extra == "mask":
            case["mask"] = (rng.integers(0, 2, (b, h, sq, sk)) | (np.arange(sk) == 3)).astype(np.uint8)
            add = add.masked_fill(t(case["mask"]) == 0, -torch.inf)
        scores = t(q) @ kk.transpose(2, 3) * scale + add
        case["lse"] = torch.logsumexp(scores, 3).numpy()
        case["y"] = (torch.softmax(scores, 3) @ vv).numpy()
        same(case["y"], F.scaled_dot_product_attention(t(q), kk, vv, attn_mask=add, scale=scale))
        cases[name] = case
    return cases


# ---- element-wise: x, y ----

def elementwise():
    x = np.arange(-40, 40).astype(np.float32) / 8
    wide = np.concatenate([x, np.array([-30, -12, 12, 30], dtype=np.float32)])
    functions = {
        "gelu": lambda x: F.gelu(x), "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu,
        "relu": F.relu, "sigmoid": torch.sigmoid, "erf": torch.erf, "tanh": torch.tanh, "exp": torch.exp, "softplus": F.softplus,
    }
    cases = {name: {"x": wide, "y": f(t(wide)).numpy()} for name, f in functions.items()}
    same(cases["erf"]["y"], scipy.special.erf(wide.astype(np.float64)))
    same(cases["gelu"]["y"], wide * scipy.special.ndtr(wide.astype(np.float64)))
    positive = np.abs(wide) + 0.125
    for name, f in {"log": torch.log, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt}.items():
        cases[name] = {"x": positive, "y": f(t(positive)).numpy()}
    return cases


# ---- along an axis: x, axis, y ----

def softmax():
    cases = {}
    for name, shape, axis in [("rows", (5, 33), 1), ("columns", (17, 6), 0), ("middle", (3, 10, 4), 1), ("row", (50,), 0), ("one", (4, 1), 1)]:
        x = draw(*shape)
        cases[name] = {"x": x, "axis": ints(axis), "y": torch.softmax(t(x), axis).numpy(), "log": torch.log_softmax(t(x), axis).numpy()}
        same(cases[name]["y"], scipy.special.softmax(x.astype(np.float64), axis))
        same(cases[name]["log"], scipy.special.log_softmax(x.astype(np.float64), axis))
    return cases


def norms():
    cases = {}
    for name, shape, eps in [("rows", (7, 33), 1e-5), ("wide", (2, 260), 1e-5), ("cube", (3, 4, 10), 1e-3), ("flat", (3, 1), 1e-5)]:
        x, w, b = draw(*shape), draw(shape[-1]), draw(shape[-1])
        n = shape[-1:]
        cases[name] = {
            "x": x, "weight": w, "bias": b, "eps": np.array([eps]),
            "layernorm": F.layer_norm(t(x), n, t(w), t(b), eps).numpy(), "layernorm_plain": F.layer_norm(t(x), n, eps=eps).numpy(),
            "rmsnorm": F.rms_norm(t(x), n, t(w), eps).numpy(), "rmsnorm_plain": F.rms_norm(t(x), n, eps=eps).numpy(),
        }
    return cases


def reductions():
    cases = {}
    for name, shape, axes in [("rows", (5, 37), (1,)), ("columns", (21, 6), (0,)), ("middle", (3, 11, 4), (1,)), ("outer", (3, 5, 4), (0, 2)), ("all", (6, 7), (0, 1))]:
        x = draw(*shape)
        wide = x.astype(np.float64)
        case = {"x": x, "axes": ints(*axes), "sum": wide.sum(axes), "mean": wide.mean(axes), "max": wide.max(axes), "min": wide.min(axes),
                "var": wide.var(axes), "var_unbiased": wide.var(axes, ddof=1), "logsumexp": scipy.special.logsumexp(wide, axes)}
        near = 1 + x / 64  # whose product stays in range
        case["near"], case["prod"] = near.astype(np.float32), near.astype(np.float32).astype(np.float64).prod(axes)
        if len(axes) == 1:  # the first of equals
            case["argmax"], case["argmin"] = wide.argmax(axes[0]), wide.argmin(axes[0])
        cases[name] = {k: np.atleast_1d(v) for k, v in case.items()}
    return cases


# ---- matmul: a, b, y = alpha op(a) op(b) + beta c + bias; ta, tb say that the operand is stored transposed ----

def matmul():
    cases = {}
    for name, a, b, ta, tb in [
        ("nn", (5, 7), (7, 6), 0, 0), ("nt", (5, 7), (6, 7), 0, 1), ("tn", (7, 5), (7, 6), 1, 0), ("tt", (7, 5), (6, 7), 1, 1),
        ("batch", (3, 4, 5), (3, 5, 6), 0, 0), ("batch_times_matrix", (3, 4, 5), (5, 6), 0, 0), ("matrix_times_batch", (4, 5), (3, 5, 6), 0, 0),
        ("broadcast_batch", (2, 1, 4, 5), (3, 5, 6), 0, 0), ("batch_tn", (3, 5, 4), (3, 5, 6), 1, 0), ("vectors", (1, 40), (40, 1), 0, 0),
    ]:
        a, b = draw(*a), draw(*b)
        aa, bb = (np.swapaxes(x, -1, -2) if turned else x for x, turned in ((a.astype(np.float64), ta), (b.astype(np.float64), tb)))
        y = np.matmul(aa, bb)
        same(y, torch.matmul(t(aa), t(bb)))
        cases[name] = {"a": a, "b": b, "ta": ints(ta), "tb": ints(tb), "y": y}
    a, b, c = draw(5, 7), draw(7, 6), draw(5, 6)
    cases["alpha_beta"] = {"a": a, "b": b, "c": c, "ta": ints(0), "tb": ints(0), "alpha": np.array([0.5]), "beta": np.array([-2.0]),
                           "y": torch.addmm(t(c), t(a), t(b), alpha=0.5, beta=-2.0).numpy()}
    bias = draw(6)
    cases["bias_gelu"] = {"a": a, "b": b, "ta": ints(0), "tb": ints(0), "bias": bias, "y": F.gelu(t(a) @ t(b) + t(bias)).numpy()}
    a, b = rng.integers(-128, 128, (5, 9), dtype=np.int8), rng.integers(-128, 128, (9, 6), dtype=np.int8)
    cases["int8"] = {"a": a, "b": b, "ta": ints(0), "tb": ints(0), "y": a.astype(np.int32) @ b.astype(np.int32)}
    return cases


# ---- low bits: q [N,K] from lo to hi, scale and zero [N,K/group], weights w = scale (q - zero) [N,K]; y = x wᵀ ----

def lowbit():
    cases = {}
    for name, n, k, group, lo, hi, symmetric in [
        ("int4", 6, 64, 16, 0, 15, False), ("int4_symmetric", 6, 64, 32, -8, 7, True), ("int4_channel", 5, 24, 24, 0, 15, False),
        ("int8", 6, 48, 16, -128, 127, False), ("int8_channel", 7, 20, 20, -128, 127, True),
    ]:
        q = rng.integers(lo, hi + 1, (n, k)).astype(np.int8)
        scale = (rng.integers(1, 16, (n, k // group)) / 32).astype(np.float32)
        zero = np.zeros((n, k // group), np.int8) if symmetric else rng.integers(lo, hi + 1, (n, k // group)).astype(np.int8)
        wide = [np.repeat(x.astype(np.float64), group, axis=1) for x in (scale, zero)]
        w = wide[0] * (q - wide[1])
        x = draw(3, k)
        cases[name] = {"q": q, "scale": scale, "zero": zero, "group": ints(group), "range": ints(lo, hi), "w": w, "x": x, "y": x.astype(np.float64) @ w.T}
    for name, lo, hi, scale, zero in [("quantise", -128, 127, 0.046875, 3), ("quantise_int4", 0, 15, 0.5, 8)]:
        x = draw(4, 40) * 2
        q = np.clip(np.rint(x.astype(np.float64) / scale) + zero, lo, hi)
        same(torch.fake_quantize_per_tensor_affine(t(x).float(), scale, zero, lo, hi), (q - zero) * scale)
        cases[name] = {"x": x, "scale": np.array([scale]), "zero": ints(zero), "range": ints(lo, hi), "q": q.astype(np.int8)}
    return cases


# ---- code books: real [N,K] and a group of a row; q, its codes by code, scale by group, back, what they stand for ----

# QLoRA's NF4 as bitsandbytes has it.
NF4 = np.array([
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
    0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
    0.7229568362236023, 1.0], np.float32)


def codebooks():
    import ml_dtypes
    own = np.random.default_rng(21)  # what other families draw does not depend on this one

    def shared(x, n):
        """The exponents of powers of two for groups of n, by section 6.3 of the Microscaling specification."""
        largest = np.abs(x.reshape(len(x), -1, n)).max(axis=2)
        return np.frexp(largest)[1] - 1 - 2  # the exponent of 6, the largest number, is 2

    cases = {}
    for name, k in [("mxfp4", 64), ("mxfp4_range", 96), ("mxfp4_ties", 32)]:
        x = own.standard_normal((5, k)).astype(np.float32)
        if name == "mxfp4_range":
            x *= np.exp2(own.integers(-90, 90, x.shape)).astype(np.float32)
        if name == "mxfp4_ties":
            x = (own.integers(-28, 29, x.shape) / 4).astype(np.float32)
            x[:, 0] = [4, 5, 6, 7, 7.75]
        e = shared(x, 32)
        scale = np.exp2(e.astype(np.float64)).astype(ml_dtypes.float8_e8m0fnu)
        wide = np.repeat(scale.astype(np.float64), 32, axis=1)
        q = np.clip(x / wide, -6, 6).astype(ml_dtypes.float4_e2m1fn)
        cases[name] = {"real": x, "group": ints(32), "scale": scale.view(np.uint8), "q": q.view(np.uint8) & 15, "back": q.astype(np.float64) * wide}
    for name, k, group in [("nf4", 128, 64), ("nf4_channel", 50, 50)]:
        x = own.standard_normal((5, k)).astype(np.float32)
        scale = np.abs(x.reshape(len(x), -1, group)).max(axis=2)
        wide = np.repeat(scale.astype(np.float64), group, axis=1)
        far = np.abs((x / wide)[..., None] - NF4.astype(np.float64))
        nearest = np.sort(far, axis=2)
        assert (nearest[..., 1] - nearest[..., 0]).min() > 1e-6  # or a device's division decides
        q = far.argmin(axis=2).astype(np.uint8)
        cases[name] = {"real": x, "group": ints(group), "scale": scale, "q": q, "back": NF4[q].astype(np.float64) * wide}
    return cases


# ---- moves: x, order, y ----

def permute():
    cases = {}
    for order in [(1, 0), (2, 0, 1), (0, 2, 1), (3, 1, 0, 2), (0, 3, 1, 2), (4, 2, 0, 3, 1), (1, 0, 2, 4, 3)]:
        x = draw(*[3, 5, 2, 4, 3][:len(order)])
        cases["".join(map(str, order))] = {"x": x, "order": ints(*order), "y": np.ascontiguousarray(x.transpose(order))}
    return cases


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    total = 0
    for family in [conv2d, attention, elementwise, softmax, norms, reductions, matmul, lowbit, permute, codebooks]:
        path = os.path.join(here, family.__name__ + ".npz")
        arrays = {f"{case}/{name}": x for case, parts in family().items() for name, x in parts.items()}
        np.savez_compressed(path, **arrays)
        total += os.path.getsize(path)
        print(f"{family.__name__}: {len(arrays)} arrays, {os.path.getsize(path)} bytes")
    assert total < 300_000, total


if __name__ == "__main__":
    main()
