package kernels

import (
	"github.com/weftgpu/weft/tile"
)

// factor is the second operand of a product within a kernel.
type factor interface {
	// require states that there are so many rows and columns.
	require(k *tile.Builder, rows, cols *tile.Value)
	// load loads the tile [rows,cols] at coordinates in the batch and of tiles.
	load(at []tile.Operand, rows, cols int) *tile.Value
	// finish does to sums of products [rows,cols], in tile column col, what can wait until then.
	finish(sums *tile.Value, col tile.Operand) *tile.Value
}

// declareB declares the views of b.
func (cfg MatMulConfig) declareB(k *tile.Builder) factor {
	if cfg.Weights.Bits != 0 {
		w := cfg.Weights.declare(k, true)
		w.points = w.PowersOfTwo && !cfg.RowByRow
		w.data.Streamed = cfg.streamsWeights()
		return w
	}
	return plain{k.In("b", cfg.Elem, cfg.Batch+2)}
}

// streamsWeights reports whether weights are loaded past the cache of a unit: they go to registers, once, and the product takes as long as they do. (Weights of 4 and 8 bits on an H200, µs
// before and with it: 4 bits 1×4096×14336 13.3, 12.0; 8×8192×8192 13.1, 12.3; 16×28672×4096 24.1, 23.4; 128×28672×4096, which waits for other things, 60.8, 65.1; 8 bits 16×4096×14336 21.2, 19.2.)
func (cfg MatMulConfig) streamsWeights() bool { return cfg.Interleave > 0 && cfg.BM <= weightRows }

// plain is a factor whose elements are in memory as they are.
type plain struct{ *tile.View }

func (p plain) load(at []tile.Operand, rows, cols int) *tile.Value {
	return matrixBlock(p.View, at, rows, cols)
}

func (p plain) finish(sums *tile.Value, _ tile.Operand) *tile.Value { return sums }

func (p plain) require(k *tile.Builder, rows, cols *tile.Value) {
	k.Require(p.Dim(p.Rank - 2).Eq(rows))
	k.Require(p.Dim(p.Rank - 1).Eq(cols))
}

// require states it of what the data are, of which a dimension may be packed.
func (w *quantTiles) require(k *tile.Builder, rows, cols *tile.Value) {
	for d, size := range []*tile.Value{rows, cols} {
		if w.Bits != 4 || d != w.Packed {
			k.Require(w.data.Dim(d).Eq(size))
		}
	}
}

// load is a tile of the real numbers in F32, or, where a column has one scale, of the integers less their zero points.
func (w *quantTiles) load(at []tile.Operand, rows, cols int) *tile.Value {
	at, size := at[len(at)-2:], [2]int{rows, cols}
	x := w.numbers(size, at)
	if w.Scaled() {
		x = x.Mul(w.scale(size, at))
	}
	return x
}

// finish multiplies by what is the scale of whole columns.
func (w *quantTiles) finish(sums *tile.Value, col tile.Operand) *tile.Value {
	if w.Scaled() {
		return sums
	}
	shape := sums.Type().Shape
	return sums.Mul(w.scale([2]int{1, shape[1]}, []tile.Operand{0, col}))
}
