"""Times the work of package bench with PyTorch and prints the same JSON lines.

Device times by CUDA events, median of 21 batches after a warm-up, random data.
Usage: python3 torch_peer.py
"""
import json
import statistics

import torch


def measure(op, run, bytes_moved=0.0, flop=0.0):
    for _ in range(3):
        run()
    torch.cuda.synchronize()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    run()
    end.record()
    end.synchronize()
    n = int(min(max(1, 2.0 / max(start.elapsed_time(end), 1e-3)), 50))
    times = []
    for _ in range(21):
        start.record()
        for _ in range(n):
            run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1e3 / n)
    seconds = statistics.median(times)
    print(json.dumps({
        "who": "pytorch " + torch.__version__, "op": op, "seconds": seconds,
        "quarter": sorted(times)[len(times) // 4],
        "gbps": bytes_moved / seconds / 1e9, "tflops": flop / seconds / 1e12,
    }), flush=True)


def matmul(m, n, k):
    a, b, out = torch.randn(m, k, device="cuda"), torch.randn(k, n, device="cuda"), torch.empty(m, n, device="cuda")
    measure(f"matmul f32 {m}x{n}x{k}", lambda: torch.matmul(a, b, out=out), flop=2.0 * m * n * k)


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    n = 1 << 28
    a, b, out = torch.randn(n, device="cuda"), torch.randn(n, device="cuda"), torch.empty(n, device="cuda")
    measure("add f32 2^28", lambda: torch.add(a, b, out=out), bytes_moved=12.0 * n)
    matmul(4096, 4096, 4096)
    matmul(4095, 4097, 4093)
    x = torch.randn(1 << 16, 4096, device="cuda")
    y = torch.empty_like(x)
    measure("softmax f32 65536x4096", lambda: torch.softmax(x, dim=1, out=y), bytes_moved=8.0 * x.numel())


if __name__ == "__main__":
    main()
