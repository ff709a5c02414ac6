"""What the peers share: lines of JSON in and out, operands, and the rule for samples.

Package peers in Go starts a script and says in doc.go what the lines are. A script calls serve with a function that
makes what is timed:

    make(op, inputs, out, params) -> run, a function without arguments that returns the result

or None for an op that it does not have.
"""
import gc
import json
import math
import os
import sys
import time

DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "i8": "int8", "u8": "uint8", "i32": "int32", "i64": "int64", "bool": "bool"}


def channel():
    """The lines' way out; whatever else is printed goes to stderr."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return out


def operand(torch, spec, device):
    """A tensor with the contents of a file, over and over."""
    dtype = getattr(torch, DTYPES[spec["dtype"]])
    n = math.prod(spec["shape"])
    if "file" not in spec:
        return torch.empty(spec["shape"], dtype=dtype, device=device)
    with open(spec["file"], "rb") as f:
        drawn = torch.frombuffer(bytearray(f.read()), dtype=torch.float32).to(device).to(dtype)
    if n > drawn.numel():
        full = torch.empty(n, dtype=dtype, device=device)
        for at in range(0, n, drawn.numel()):
            part = full[at:at + drawn.numel()]
            part.copy_(drawn[:part.numel()])
        drawn = full
    return drawn[:n].reshape(spec["shape"]).clone()


class Clock:
    """Times launches as the Go side does: by the device's clock, from one point in its queue to another."""

    def __init__(self, torch, device, rule):
        self.torch, self.device, self.rule, self.next = torch, device, rule, 0

    def launch(self, runs, n):
        """Launches on the next n copies."""
        for _ in range(n):
            runs[self.next % len(runs)]()
            self.next += 1

    def once(self, runs, n):
        """Seconds that n launches take, one after another."""
        if self.device == "cpu":
            start = time.perf_counter()
            self.launch(runs, n)
            return time.perf_counter() - start
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        self.launch(runs, n)
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1e3

    def sample(self, runs):
        rule, begin, last, i = self.rule, time.perf_counter(), 0.0, 0
        passed = lambda: time.perf_counter() - begin  # noqa: E731
        while i == 0 or i < max(rule["warm_ups"], len(runs)) and passed() < rule["budget"] or passed() < rule["warm_up"]:
            last = self.once(runs, 1)
            i += 1
        batch = int(min(max(1, rule["batch_time"] / max(last, 1e-6)), rule["most_batch"]))
        times, begin = [], time.perf_counter()
        while len(times) < rule["most_times"] and (
                len(times) < rule["least_times"] and passed() < 10 * rule["budget"] or passed() < rule["budget"]):
            times.append(self.once(runs, batch) / batch)
        return sorted(times), batch


def answer(torch, device, clock, make, work):
    """Checks and times one work."""
    runs = []
    for _ in range(work["copies"]):
        inputs = [operand(torch, spec, device) for spec in work["inputs"]]
        run = make(work["op"], inputs, operand(torch, work["output"], device), work["params"] or {})
        if run is None:
            return {"none": True}
        runs.append(run)
    result = runs[0]().reshape(-1)
    got = []
    if work["sample"]:
        picked = result[torch.tensor(work["sample"], device=device)]
        got = picked.to(torch.float64).cpu().tolist()
        if any(x != x or abs(x) == float("inf") for x in got):
            return {"error": "the result has elements that are not finite"}
    del result
    seconds, batch = clock.sample(runs)
    return {"seconds": seconds, "batch": batch, "got": got}


def serve(who, make, needs_cuda=False):
    """Answers until there are no more lines. who names the library, given torch."""
    out = channel()

    def say(x):
        out.write(json.dumps(x) + "\n")
        out.flush()

    lines = iter(sys.stdin.readline, "")
    rule, device = json.loads(next(lines)), sys.argv[1]
    try:
        import torch
        if device == "cuda" and not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no CUDA device")
        if needs_cuda and device != "cuda":
            raise RuntimeError("works on CUDA devices only")
        name = who(torch)
    except Exception as e:
        say({"error": f"{type(e).__name__}: {e}"})
        return
    if device == "cuda":
        say({"who": name, "device": torch.cuda.get_device_name(), "driver": "CUDA " + str(torch.version.cuda)})
    else:
        say({"who": name, "device": "CPU", "driver": f"{torch.get_num_threads()} threads"})
    clock = Clock(torch, device, rule)
    for line in lines:
        try:
            with torch.inference_mode():
                reply = answer(torch, device, clock, make, json.loads(line))
        except Exception as e:  # the others still run
            reply = {"error": f"{type(e).__name__}: {e}".splitlines()[0]}
        gc.collect()  # before the answer, since then others are measured
        if device == "cuda":
            torch.cuda.empty_cache()
        say(reply)
