"""PyTorch through torch.compile, for the ops that it fuses or generates. Each compiles for seconds."""
import protocol
import pytorch

COMPILED = {"add", "where", "clamp", "exp", "gelu", "swiglu", "softmax", "log_softmax", "layernorm", "rmsnorm", "sum", "var", "quantize",
            "dequantize", "quantized_matmul", "linear", "linear_swiglu", "rotary"}


def who(torch):
    return pytorch.who(torch).replace("pytorch", "torch.compile")


def make(name, x, out, params):
    import torch
    if name not in COMPILED:
        return None
    if name not in FUNCTIONS:
        # The tensors are arguments, so that one compilation serves all copies.
        FUNCTIONS[name] = lambda tensors, out, **params: pytorch.make(name, tensors, out, params)()
    torch._dynamo.config.recompile_limit = 256
    run = torch.compile(FUNCTIONS[name], dynamic=False)
    return lambda: run(list(x), out, **params)


# Weights of few bits are dequantised in each call, so that the compiler can fuse it.
FUNCTIONS = {"quantized_matmul": lambda x, out, **params: x[0] @ pytorch.unpack(x[1], x[2], params, x[0].dtype).T}

if __name__ == "__main__":
    protocol.serve(who, make)
