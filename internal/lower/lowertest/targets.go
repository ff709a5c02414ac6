package lowertest

import (
	"github.com/weftgpu/weft/target"
)

// Targets are the capabilities that lowering distinguishes.
var Targets = map[string]target.Caps{
	"shared memory": {Language: target.WGSL, MaxThreads: 1024, SharedBytes: 48 << 10, Int64: true},
	"shuffles":      {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, Int64: true},
	"few shuffles":  {Language: target.WGSL, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 4, Int64: true},
}

// MatrixTargets have matrix instructions, with and without asynchronous copies.
var MatrixTargets = map[string]target.Caps{
	"small":  MatrixTarget("sm_80", 48<<10),
	"hopper": MatrixTarget("sm_90a", 227<<10),
	"groups": MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper),
}

// MatrixTarget is a GPU with the matrix instructions of compute capability 8.0, for an architecture and with so many bytes of shared memory.
func MatrixTarget(arch string, shared int) target.Caps {
	caps := target.Caps{Language: target.CUDA, Arch: arch, MaxThreads: 1024, SharedBytes: shared, SubgroupSize: 32, Int64: true}
	return caps.WithCapability(target.Ampere)
}
