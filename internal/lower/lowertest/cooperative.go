package lowertest

import (
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
}

func cooperative(subgroup int, list target.CooperativeList) target.Caps {
	return target.Caps{Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: subgroup, F16: true, F16Nearest: true, Cooperative: list}
}
