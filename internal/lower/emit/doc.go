// Package emit translates tile IR, after its passes, to thread-level IR. region.go walks the ops; each kind has its file. A tile is the
// registers that hold it in one distribution (regs.go), brought into others where an op requires them (convert.go, shared.go).
//
// A Dot is computed by fused multiply-adds (dot.go, stage.go) or by matrix instructions (matrixdot.go, and wgmma.go by warpgroups), to which
// tensor maps may copy its operands (tensor.go). Blocks are stored by threads (memory.go), through shared memory in aligned rows (rowstore.go) or
// by tensor maps (tensorstore.go). Loops are written without stages: package simtpass pipelines them.
package emit
