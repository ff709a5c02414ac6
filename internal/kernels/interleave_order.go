package kernels

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// The integers of a matrix may be in the other order themselves, in blocks along the dimension Packed (QuantView.Interleaved). Then what threads load of weights are elements of K as
// matrix instructions take them, and rows stay as they are: nothing reorders them, and threads exchange no bytes.

// WholeBlock is how many elements a block has of which each of the threads of a row loads as much as it can in one access.
func WholeBlock(s QuantScheme) int { return mostWords * rowThreads * s.perWord() }

// OrderBlock is how many elements the blocks of a matrix of a scheme have that may be interleaved along a dimension of so many: WholeBlock, or 0 where the blocks divide
// neither that nor what shares a scale.
func OrderBlock(s QuantScheme, size, along int) int {
	if s.Bits != 4 && s.Bits != 8 {
		return 0
	}
	block := WholeBlock(s)
	if size == 0 || size%block != 0 || s.Block[along]%block != 0 {
		return 0
	}
	return block
}

// InterleavesWeights reports whether products on a device gain by weights [K,N] that are interleaved along K: it has matrix instructions that take them from registers.
func InterleavesWeights(caps target.Caps) bool { return !caps.WholeTiles && caps.Matrix.Has(dtype.F16) }

// deinterleave is the way back from interleaveK: the order in which weights are that are interleaved.
func deinterleave(x *tile.Value, block, perWord int) *tile.Value {
	shape := x.Type().Shape
	words := block / (rowThreads * perWord)
	return x.Reshape(shape[0]*shape[1]/block, words, perWord/2, rowThreads, 2).Permute(0, 3, 1, 4, 2).Reshape(shape...)
}

// natural brings a tile of a matrix that is interleaved into the order of the matrix.
func (v QuantView) natural(x *tile.Value) *tile.Value {
	switch {
	case v.Interleaved == 0:
		return x
	case v.Packed == 1:
		return interleaveK(x, v.Interleaved, v.perWord())
	}
	return interleaveK(x.Transpose(), v.Interleaved, v.perWord()).Transpose()
}

// InterleaveWeightsFor chooses the config of Interleave for the integers of a matrix, in rows of so many bytes: into blocks, or back into the order of the matrix.
func InterleaveWeightsFor(caps target.Caps, s QuantScheme, block, bytes int, back bool) InterleaveConfig {
	cfg := InterleaveConfig{Elem: s.Stored(), Nibbles: s.Bits == 4, Block: block, PerWord: s.perWord(), Back: !back}
	return cfg.in(caps, block*s.Bits/8, bytes)
}
