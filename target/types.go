package target

import "github.com/weftgpu/weft/dtype"

// Types is a set of element types.
type Types uint32

// TypesOf is the set of the given types.
func TypesOf(list ...dtype.Type) (s Types) {
	for _, e := range list {
		s |= 1 << e
	}
	return s
}

// Has reports whether a type is in the set.
func (s Types) Has(e dtype.Type) bool { return s>>e&1 != 0 }

// Ampere is the compute capability, times 10, from which NVIDIA's GPUs have the matrix instructions and the asynchronous
// copies of Caps: earlier ones have matrix instructions of other shapes.
const Ampere = 80

// Hopper is the one that has the matrix instructions of warpgroups, later GPUs have others, and copies by tensor maps, and the first that
// stores matrices.
const Hopper = 90

// WithCapability returns the capabilities of an NVIDIA GPU with what its compute capability, 90 for 9.0,
// promises (PTX ISA, "mma", "ldmatrix", "stmatrix", "cp.async", "wgmma", "cp.async.bulk.tensor" and "barrier.cluster").
func (c Caps) WithCapability(capability int) Caps {
	if capability >= Ampere {
		c.Matrix = TypesOf(dtype.F16, dtype.BF16, dtype.F32, dtype.I8, dtype.U8)
		c.AsyncCopy = true
	}
	c.StoreMatrix = capability >= Hopper
	c.WarpGroups, c.TensorMaps = capability == Hopper, capability == Hopper
	c.Clusters = capability >= Hopper
	c.SystemOrder, c.DeviceOrder = capability >= 70, capability >= 70
	return c
}
