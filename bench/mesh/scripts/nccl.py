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


def make(torch, dist, w, rank, world):
    def full(*shape):
        return torch.randn(shape, dtype=torch.bfloat16, device="cuda")

    kind, count = w["kind"], w["count"]
    if w["m"]:
        m, n, k = w["m"], w["n"], w["k"]
        b, out = full(k, n), full(m, n)
        if kind == "all-gather gemm":
            a, whole = full(m // world, k), full(m, k)

            def gather():
                dist.all_gather_into_tensor(whole, a)
                torch.matmul(whole, b, out=out)
            return gather
        a = full(m, k)
        if kind == "gemm reduce-scatter":
            part = full(m // world, n)

            def scatter():
                torch.matmul(a, b, out=out)
                dist.reduce_scatter_tensor(part, out)
            return scatter
        return lambda: torch.matmul(a, b, out=out)
    small, large = full(count // world), full(count)
    if kind == "all-reduce":
        large.zero_()  # it is summed in place, again and again
        if w["replayed"]:
            return replayed(torch, lambda: dist.all_reduce(large))
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


def replayed(torch, run, calls=20):
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
