package lowertest

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
)

// CooperativeTargets have cooperative matrices, distributed as makers and drivers have them, in subgroups of several sizes.
var CooperativeTargets = map[string]target.Caps{
	"mma":                   cooperative(32, target.MMA()),
	"rdna 3":                cooperative(32, target.RDNA3(32)),
	"rdna 3 in waves of 64": cooperative(64, target.RDNA3(64)),
	"rdna 4 in waves of 64": cooperative(64, target.RDNA4(64)),
	"xe-hpg":                cooperative(16, target.XeHPG(16)),
	"xe2":                   cooperative(32, target.Xe2(32)),
	"llvmpipe":              cooperative(8, target.Llvmpipe()),

	// Only the device knows how elements are distributed.
	"opaque":             cooperative(32, target.CooperativeOf(opaque(16, 16, 16, 32, dtype.F16), opaque(16, 16, 16, 32, dtype.BF16), opaque(16, 16, 32, 32, dtype.I8))),
	"opaque, 8 threads":  cooperative(8, target.CooperativeOf(opaque(8, 8, 16, 8, dtype.F16), opaque(8, 8, 32, 8, dtype.I8))),
	"opaque, 64 threads": cooperative(64, target.CooperativeOf(opaque(8, 16, 16, 64, dtype.F16))),
	"subgroup matrices":  SubgroupMatrices,
}

// SubgroupMatrices is WGSL with the draft of subgroup matrices.
var SubgroupMatrices = target.Caps{Language: target.WGSL, MaxThreads: 1024, SharedBytes: 32 << 10, SubgroupSize: 32, F16: true, F16Nearest: true,
	Cooperative: target.CooperativeOf(opaque(16, 16, 16, 32, dtype.F16), opaque(8, 8, 8, 32, dtype.F32))}

func cooperative(subgroup int, list target.CooperativeList) target.Caps {
	m := *target.Caps{}.Facts()
	m.Matrix.F16 = 4 * m.Flops
	return target.Caps{Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: subgroup, F16: true, F16Nearest: true, Cooperative: list, Machine: &m}
}

// opaque is a row of matrices whose fragments are not known.
func opaque(m, n, k, threads int, elem dtype.Type) target.CooperativeMatrix {
	sums := dtype.F32
	if elem.IsInt() {
		sums = dtype.I32
	}
	return target.CooperativeMatrix{M: m, N: n, K: k, Threads: threads, A: elem, B: elem, C: sums, Result: sums, Unknown: "a test"}
}
