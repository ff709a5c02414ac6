"""PyTorch with NCCL, one process for each GPU: each work as a program would write it. Rank 0 answers with its times."""
import json
import os
import sys


# What libraries print goes to stderr: stdout is for answers.
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(what):
    if int(os.environ["RANK"]) == 0:
        print(json.dumps(what), file=OUT, flush=True)


HEAD = 128  # elements of an attention head


def fastest(torch, q, k, v, causal):
    """The fastest implementation of attention for these operands."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    times = {}

    def by(backend):
        def attend(q, k, v):
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return attend

    for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):
        attend = by(backend)
        try:
            attend(q, k, v)
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            attend(q, k, v)
            end.record()
            end.synchronize()
            times[start.elapsed_time(end)] = attend
        except RuntimeError:  # this one does not take them
            pass
    return times[min(times)]


def block(torch, dist, w, full, world, sequence):
    """A block of a transformer, cut by heads and inner columns; between its products by tokens, too, if it is sequential."""
    tokens, heads, width = w["tokens"], w["heads"] // world, w["heads"] * HEAD
    own, inner = heads * HEAD, 4 * width // world
    x, norm = full(tokens // world if sequence else tokens, width), torch.ones(width, dtype=torch.bfloat16, device="cuda")
    qkv, out = full(width, 3 * own) / width ** 0.5, full(own, width) / width ** 0.5
    up, down = full(width, inner) / width ** 0.5, full(inner, width) / (4 * width) ** 0.5
    attend = fastest(torch, *(full(1, heads, tokens, HEAD) for _ in range(3)), True)
    norms, gelu = torch.nn.functional.rms_norm, torch.nn.functional.gelu

    def gathered(n):
        if not sequence:
            return n
        whole = torch.empty(tokens, width, dtype=n.dtype, device="cuda")
        dist.all_gather_into_tensor(whole, n)
        return whole

    def summed(y):
        if not sequence:
            dist.all_reduce(y)
            return y
        part = torch.empty(tokens // world, width, dtype=y.dtype, device="cuda")
        dist.reduce_scatter_tensor(part, y)
        return part

    @torch.no_grad()
    def run():
        q, k, v = (gathered(norms(x, (width,), norm)) @ qkv).view(1, tokens, 3, heads, HEAD).permute(2, 0, 3, 1, 4)
        seen = attend(q, k, v).transpose(1, 2).reshape(tokens, own)
        y = x + summed(seen @ out)
        return y + summed(gelu(gathered(norms(y, (width,), norm)) @ up) @ down)
    return run


def make(torch, dist, w, rank, world):
    def full(*shape):
        return torch.randn(shape, dtype=torch.bfloat16, device="cuda")

    kind, count = w["kind"], w["count"]
    if kind == "attention":
        q, k, v = (full(1, w["heads"], w["tokens"], HEAD) for _ in range(3))
        attend = fastest(torch, q, k, v, w["causal"])
        return lambda: attend(q, k, v)
    if kind.endswith("block"):
        run = block(torch, dist, w, full, world, kind.startswith("sequence"))
        return replayed(torch, run, w["replayed"]) if w["replayed"] else run
    if w["m"]:
        m, n, k = w["m"], w["n"], w["k"]
        b, out = full(k, n), full(m, n)
        if kind == "all-gather gemm":
            a, whole = full(m // world, k), full(m, k)

            def gather():
                dist.all_gather_into_tensor(whole, a)
                torch.matmul(whole, b, out=out)
            return replayed(torch, gather, w["replayed"]) if w["replayed"] else gather
        a = full(m, k)
        if kind == "gemm reduce-scatter":
            part = full(m // world, n)

            def scatter():
                torch.matmul(a, b, out=out)
                dist.reduce_scatter_tensor(part, out)
            return replayed(torch, scatter, w["replayed"]) if w["replayed"] else scatter
        return lambda: torch.matmul(a, b, out=out)
    small, large = full(count // world), full(count)
    if kind == "all-reduce":
        large.zero_()  # it is summed in place, again and again
        if w["replayed"]:
            return replayed(torch, lambda: dist.all_reduce(large), w["replayed"])
        return lambda: dist.all_reduce(large)
    if kind == "all-gather":
        return lambda: dist.all_gather_into_tensor(large, small)
    if kind == "reduce-scatter":
        return lambda: dist.reduce_scatter_tensor(small, large)
    if kind == "broadcast":
        return lambda: dist.broadcast(large, 0)
    out = torch.empty_like(large)
    if kind == "all-to-all":
        return lambda: dist.all_to_all_single(out, large)

    def send():
        works = dist.batch_isend_irecv([dist.P2POp(dist.isend, large, (rank + 1) % world), dist.P2POp(dist.irecv, out, (rank - 1) % world)])
        for x in works:
            x.wait()
    return send


def replayed(torch, run, calls):
    for _ in range(3):
        run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            run()
    return graph.replay


def sample(torch, dist, run, rule):
    def timed(calls):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(calls):
            run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1e3

    for _ in range(rule["warm_ups"]):
        run()
    torch.cuda.synchronize()
    one = torch.tensor([timed(3) / 3], device="cuda")
    dist.all_reduce(one, op=dist.ReduceOp.MAX)  # all ranks must make as many calls
    calls = min(max(int(rule["batch"] / max(one.item(), 1e-6)), 1), rule["most"])
    seconds = []
    for _ in range(rule["samples"]):
        dist.barrier()
        torch.cuda.synchronize()
        seconds.append(timed(calls) / calls)
    return seconds


def main():
    try:
        import torch
        import torch.distributed as dist
        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        dist.init_process_group("nccl", device_id=torch.device("cuda", int(os.environ["LOCAL_RANK"])))
        dist.barrier()
    except Exception as e:  # whatever is missing
        answer({"error": repr(e)})
        return
    answer({"who": "pytorch %s, NCCL %s" % (torch.__version__, ".".join(map(str, torch.cuda.nccl.version())))})
    rule = json.loads(sys.argv[1])
    for line in sys.stdin:
        try:
            answer({"seconds": sample(torch, dist, make(torch, dist, json.loads(line), rank, world), rule)})
        except Exception as e:
            answer({"error": repr(e)})
        torch.cuda.empty_cache()
    dist.destroy_process_group()


main()
