# Writes model.onnx, a small network with many kinds of ops, and model.json, what onnx's reference makes of an input.
#
#   pip install onnx==1.17.0 && python3 make.py
import json
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

rng = np.random.default_rng(1)
weights = {
    "w1": rng.normal(size=(6, 1, 3, 3)) / 3, "b1": rng.normal(size=6) / 3,
    "scale": 1 + rng.normal(size=6) / 10, "shift": rng.normal(size=6) / 10, "mean": rng.normal(size=6) / 10, "var": 1 + rng.random(6) / 10,
    "w2": rng.normal(size=(8, 6, 3, 3)) / 7, "w3": rng.normal(size=(8, 4, 4)) / 3, "ln_scale": np.ones(4), "ln_shift": np.zeros(4),
    "w4": rng.normal(size=(32, 5)) / 6, "b4": rng.normal(size=5) / 6,
}
weights = {k: v.astype(np.float32) for k, v in weights.items()}
nodes = [
    helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    helper.make_node("BatchNormalization", ["c1", "scale", "shift", "mean", "var"], ["n1"], epsilon=1e-5),
    helper.make_node("Relu", ["n1"], ["r1"]),
    helper.make_node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Conv", ["p1", "w2"], ["c2"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
    helper.make_node("Reshape", ["c2", "shape"], ["m"]),
    helper.make_node("MatMul", ["m", "w3"], ["mm"]),
    helper.make_node("LayerNormalization", ["mm", "ln_scale", "ln_shift"], ["ln"], axis=-1),
    helper.make_node("Erf", ["ln"], ["e"]),
    helper.make_node("Add", ["e", "mm"], ["s"]),
    helper.make_node("Flatten", ["s"], ["f"]),
    helper.make_node("Gemm", ["f", "w4", "b4"], ["g"]),
    helper.make_node("Softmax", ["g"], ["y"], axis=-1),
]
initial = [numpy_helper.from_array(v, k) for k, v in weights.items()]
initial.append(numpy_helper.from_array(np.array([2, 8, 1, 4], np.int64), "shape"))
graph = helper.make_graph(
    nodes, "small",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 1, 8, 8])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 5])], initial)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.checker.check_model(model)
onnx.save(model, "model.onnx")
x = rng.random((2, 1, 8, 8), dtype=np.float32)
y = ReferenceEvaluator(model).run(None, {"x": x})[0]
json.dump({"x": x.ravel().tolist(), "y": y.ravel().tolist()}, open("model.json", "w"))
