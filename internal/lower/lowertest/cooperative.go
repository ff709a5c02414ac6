package lowertest

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
)

// CooperativeTargets have cooperative matrices, distributed as the instructions of some makers have them: those of
// NVIDIA's mma.sync (PTX ISA), of AMD's RDNA 3 in waves of 32 (WMMA, whose operands both halves of a wave hold), and small ones.
var CooperativeTargets = map[string]target.Caps{
	"mma":   cooperative(32, target.CooperativeOf(mma(dtype.F16), mma(dtype.BF16), mmaBytes)),
	"wmma":  cooperative(32, target.CooperativeOf(wmma(dtype.F16), wmma(dtype.BF16), wmma(dtype.I8))),
	"small": cooperative(8, target.CooperativeOf(small(dtype.F16), small(dtype.I8))),

	// As drivers have them, in subgroups of other sizes.
	"rdna 3 in waves of 64": cooperative(64, target.RDNA3(64)),
	"rdna 4 in waves of 64": cooperative(64, target.RDNA4(64)),
	"xe-hpg":                cooperative(16, target.XeHPG(16)),
	"xe2":                   cooperative(32, target.Xe2(32)),
}

func cooperative(subgroup int, list target.CooperativeList) target.Caps {
	return target.Caps{Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: subgroup, F16: true, F16Nearest: true, Cooperative: list}
}

type bits = [][2]int

func product(m, n, k, threads int, elem dtype.Type, a, b, c target.Fragment) target.CooperativeMatrix {
	sums := dtype.F32
	if elem.IsInt() {
		sums = dtype.I32
	}
	return target.CooperativeMatrix{M: m, N: n, K: k, Threads: threads, A: elem, B: elem, C: sums, Result: sums, FragmentA: a, FragmentB: b, FragmentC: c}
}

var (
	mmaRows    = bits{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}} // of the threads of a or c
	mmaColumns = bits{{2, 0}, {4, 0}, {0, 1}, {0, 2}, {0, 4}} // of b
	mmaC       = target.Fragment{Components: bits{{0, 1}, {8, 0}, {0, 8}}, Threads: mmaRows}
)

func mma(elem dtype.Type) target.CooperativeMatrix {
	a := target.Fragment{Components: bits{{0, 1}, {8, 0}, {0, 8}}, Threads: mmaRows}
	b := target.Fragment{Components: bits{{1, 0}, {8, 0}, {0, 8}}, Threads: mmaColumns}
	return product(16, 16, 16, 32, elem, a, b, mmaC)
}

var mmaBytes = product(16, 16, 32, 32, dtype.I8,
	target.Fragment{Components: bits{{0, 1}, {0, 2}, {8, 0}, {0, 16}}, Threads: bits{{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}}},
	target.Fragment{Components: bits{{1, 0}, {2, 0}, {16, 0}, {0, 8}}, Threads: bits{{4, 0}, {8, 0}, {0, 1}, {0, 2}, {0, 4}}}, mmaC)

func wmma(elem dtype.Type) target.CooperativeMatrix {
	rows, columns := bits{{1, 0}, {2, 0}, {4, 0}, {8, 0}}, bits{{0, 1}, {0, 2}, {0, 4}, {0, 8}}
	twice := func(list bits) bits { return append(list[:4:4], [2]int{}) }
	c := target.Fragment{Components: rows[1:], Threads: append(columns[:4:4], rows[0])}
	return product(16, 16, 16, 32, elem, target.Fragment{Components: columns, Threads: twice(rows)}, target.Fragment{Components: rows, Threads: twice(columns)}, c)
}

func small(elem dtype.Type) target.CooperativeMatrix {
	rows, columns := bits{{1, 0}, {2, 0}, {4, 0}}, bits{{0, 1}, {0, 2}, {0, 4}}
	one := target.Fragment{Components: columns, Threads: rows}
	return product(8, 8, 8, 8, elem, one, target.Fragment{Components: rows, Threads: columns}, one)
}
