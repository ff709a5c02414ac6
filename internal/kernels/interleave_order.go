package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// The integers of a matrix may be in the other order themselves, in blocks along the dimension Packed (QuantView.Interleaved). Then what threads load of weights are elements of K as
// matrix instructions take them, and rows stay as they are: nothing reorders them, and threads exchange no bytes.

// OrderBlock is how many elements the blocks of a matrix of a scheme have that may be interleaved along a dimension of so many: 16 bytes of each of the threads of a row. It is 0 where the blocks divide
// neither that nor what shares a scale.
func OrderBlock(s QuantScheme, size, along int) int {
	if s.Bits != 4 && s.Bits != 8 {
		return 0
	}
	block := mostWords * rowThreads * (32 / s.Bits)
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

// Order is the kernel that interleaves the integers of a matrix along its last dimension, or brings them back. Its views are data [R,C] and out [R,C], in bytes.
var Order = weft.NewKernel("quantized_order", describeOrder)

// OrderConfig is what Order is built for.
type OrderConfig struct {
	Elem        weft.DType // of the bytes
	Bits, Block int        // of an integer, and elements of a block
	Back        bool       // into the order of the matrix
	Cols        int        // bytes of a row in a tile, a power of two that blocks divide
	Threads     int        // of a workgroup; 0 lets the compiler choose
}

// OrderConfigFor chooses the config for rows of so many bytes of a scheme.
func OrderConfigFor(caps target.Caps, s QuantScheme, block, bytes int, back bool) OrderConfig {
	cfg := OrderConfig{Elem: s.Stored(), Bits: s.Bits, Block: block, Back: back, Cols: max(block*s.Bits/8, min(1024, pow2.Ceil(bytes)))}
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(128)
	}
	return cfg
}

func describeOrder(k *tile.Builder, cfg OrderConfig) {
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	x, out := k.In("data", cfg.Elem, 2), k.Out("out", cfg.Elem, 2)
	at := k.ProgramTile(out, 1, cfg.Cols)
	q := x.Block(1, cfg.Cols).Load(at...)
	if cfg.Bits == 4 {
		q = q.Unpack4(1, dtype.U8)
	}
	if cfg.Back {
		q = interleaveK(q, cfg.Block, 32/cfg.Bits)
	} else {
		q = deinterleave(q, cfg.Block, 32/cfg.Bits)
	}
	if cfg.Bits == 4 {
		q = q.Pack4(1, dtype.U8)
	}
	out.Block(1, cfg.Cols).Store(q, at...)
}
