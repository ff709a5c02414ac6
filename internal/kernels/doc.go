// Package kernels holds the kernels of package ops, their configs, and the rules that choose them.
//
//   - A kernel, such as MatMul or Softmax, is described once as a function over tiles, with its views and scalars in its
//     documentation. Its Launch and LaunchViews start it on tensors; its Build gives its IR.
//   - A config, such as MatMulConfig, says what a kernel is built for: element types, sizes of tiles, threads, stages, and the
//     epilogue. ops.Tiles takes those of products, convolutions and attention.
//   - A problem, such as MatMulProblem, is what a config is chosen for: element types, sizes, and the layouts of operands. Its
//     Rule chooses for a device, and its List has the configs that are worth trying: the search space of package tune.
//     MatMulConfigFor and its like are the rules for sizes alone.
//
// Files are named by op: op_kernel.go describes kernels, op_config.go has configs and problems, and op_shape.go shapes. What is
// more than these hold is in files that begin with the op's name, too. Files of other names have what ops share.
//
// The ops check their operands, bring views into the form that a kernel takes, choose a config, and launch. Kernels do none
// of that: they check what package weft can see, which is types, ranks and memory, and a config that makes no sense is
// an error of Build and of a Launch. Problems are such as the ops have checked: for a view of another rank than
// they have, and for sizes below 1 where they divide by them, methods panic as indexing a slice does.
//
// The package is between package weft and package ops, and knows no backend.
package kernels
