package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// QuantView is how a kernel sees a quantised matrix: as the part of a config that says it all.
type QuantView struct {
	QuantScheme            // Block with 0 for all of a dimension
	Packed      int        // dimension along which integers of 4 bits are packed, and any are interleaved
	Scale       weft.DType // of the scales
	Interleaved int        `json:",omitempty"` // elements along Packed of the blocks in which the matrix is interleaved; 0 where it is in its own order
}

// String prints "4 bits, 1 × 128, packed along dimension 1, scales of f32".
func (v QuantView) String() string {
	if v.Bits == 0 {
		return "none"
	}
	order := ""
	if v.Interleaved > 0 {
		order = fmt.Sprintf(", interleaved in blocks of %d", v.Interleaved)
	}
	return fmt.Sprintf("%v, packed along dimension %d%s, scales of %v", v.QuantScheme, v.Packed, order, v.Scale)
}

// quantTiles is a quantised matrix within a kernel that is being described.
type quantTiles struct {
	QuantView
	k                   *tile.Builder
	data, scales, zeros *tile.View

	// points says that scales that are bytes are loaded one by one. As words they would decide which threads have which elements of an
	// operand of a product: others in a loop with masks than in the one without, for which shared memory then has two operands.
	points bool
}

// Scaled reports whether products with the matrix [K,N] multiply by scaled numbers. Where columns have one scale each, they multiply
// by the integers less the zero points, which are exact in every float type, or by the numbers of a code book, which are rounded to it, and
// scale the sums. Scales that are bytes are no operands of an epilogue.
func (v QuantView) Scaled() bool { return v.Block[0] != 0 || v.PowersOfTwo }

// declare declares the views of a matrix that is read, without the scales if nothing is scaled.
func (v QuantView) declare(k *tile.Builder, scaled bool) *quantTiles {
	data := k.In("data", v.Stored(), 2)
	w := v.parameters(k, scaled)
	w.data = data
	return w
}

// parameters declares the scales and the zero points.
func (v QuantView) parameters(k *tile.Builder, scaled bool) *quantTiles {
	w := &quantTiles{QuantView: v, k: k}
	if scaled {
		w.scales = k.In("scales", v.Scale, 2)
	}
	if v.Asymmetric {
		w.zeros = k.In("zeros", dtype.U8, 2)
	}
	return w
}

// block is the block of data of a tile of the matrix.
func (w *quantTiles) block(size [2]int) [2]int {
	if w.Bits == 4 {
		size[w.Packed] /= 2
	}
	return size
}

// CheckBytes says why tiles of a config have no whole bytes of weights, and which field is to be larger.
func (cfg MatMulConfig) CheckBytes() (field string, err error) {
	field, along := "BK", cfg.BK
	if cfg.Weights.Packed == 1 {
		field, along = "BN", cfg.BN
	}
	if cfg.Weights.Bits == 4 && along < 2 {
		err = fmt.Errorf("%d is half a byte of weights of 4 bits, want at least 2", along)
	}
	return field, err
}

// magic is the float 2^23 as bits: a number below 2^23 in its low bits is added to it. That makes floats of
// small integers in one logical op, where conversions are slow on GPUs.
const magic, magicBits = 1 << 23, 0x4b000000

// numbers is a tile of the integers less their zero points, or of what codes stand for, exact in F32, at coordinates counted in tiles.
func (w *quantTiles) numbers(size [2]int, at []tile.Operand) *tile.Value {
	return w.convert(w.stored(size, at), size, at)
}

// stored is a tile as it is in memory.
func (w *quantTiles) stored(size [2]int, at []tile.Operand) *tile.Value {
	block := w.block(size)
	return w.data.Block(block[:]...).Load(at...)
}

// convert makes numbers of a tile as it is in memory.
func (w *quantTiles) convert(q *tile.Value, size [2]int, at []tile.Operand) *tile.Value {
	if w.Bits == 4 {
		q = q.Unpack4(w.Packed, dtype.U8)
	}
	q = q.Cast(dtype.U32)
	if w.Codes != (CodeBook{}) {
		return w.Codes.decode(w.k, q)
	}
	zero := magic
	if w.Asymmetric {
		q = q.Or(magicBits)
	} else { // two's complement becomes an offset by the same op
		half := 1 << (w.Bits - 1)
		if w.Bits == 8 {
			q = q.And(255) // the cast extended the sign
		}
		q, zero = q.Xor(magicBits|half), zero+half
	}
	q = q.Bitcast(dtype.F32)
	if w.Asymmetric {
		return q.Sub(w.zero(size, at).Add(float64(zero)))
	}
	return q.Sub(float64(zero))
}

// scale is the scales of a tile's elements, in a shape that broadcasts to the tile's.
func (w *quantTiles) scale(size [2]int, at []tile.Operand) *tile.Value {
	if w.PowersOfTwo {
		return w.parameter(w.scales, size, at, powerOfTwo)
	}
	return w.parameter(w.scales, size, at, toF32)
}

// zero is the zero points of a tile's elements.
func (w *quantTiles) zero(size [2]int, at []tile.Operand) *tile.Value {
	return w.parameter(w.zeros, size, at, toF32)
}

func toF32(x *tile.Value) *tile.Value { return x.Cast(dtype.F32) }

// parameter loads what blocks of elements share, and converts it. Where the tile holds whole blocks, or a block whole tiles, each
// number is loaded once; otherwise elements look for their own.
func (w *quantTiles) parameter(v *tile.View, size [2]int, at []tile.Operand, convert func(*tile.Value) *tile.Value) *tile.Value {
	var count, repeat [2]int
	coord := make([]tile.Operand, 2)
	for d, b := range w.Block {
		count[d], repeat[d] = 1, size[d]
		switch {
		case b == 0:
			coord[d] = 0
		case b%size[d] == 0:
			coord[d] = w.coord(at[d]).Div(b / size[d])
		case size[d]%b == 0:
			count[d], repeat[d], coord[d] = size[d]/b, b, at[d]
		default:
			return convert(w.gather(v, size, at))
		}
	}
	var x *tile.Value
	if w.points && v == w.scales && count != [2]int{1, 1} {
		x = convert(w.each(v, count, coord))
	} else {
		x = convert(v.Block(count[:]...).Load(coord...))
	}
	for d := range count {
		if count[d] == 1 || repeat[d] == 1 {
			repeat[d] = 1 // broadcasting does it
		}
	}
	if repeat == [2]int{1, 1} {
		return x
	}
	x = x.Reshape(count[0], 1, count[1], 1).Broadcast(count[0], repeat[0], count[1], repeat[1])
	return x.Reshape(count[0]*repeat[0], count[1]*repeat[1])
}

// each loads a block element by element.
func (w *quantTiles) each(v *tile.View, count [2]int, coord []tile.Operand) *tile.Value {
	index := slices.Clone(coord)
	for d := range count {
		if count[d] > 1 {
			index[d] = w.index(count, coord, d)
		}
	}
	return v.At(index...).Gather()
}

// gather loads the number of each element's block, once along a dimension in which the tile is in one block.
func (w *quantTiles) gather(v *tile.View, size [2]int, at []tile.Operand) *tile.Value {
	var index [2]tile.Operand
	for d, b := range w.Block {
		switch {
		case b == 0:
			index[d] = 0
		case b%size[d] == 0:
			index[d] = w.coord(at[d]).Div(b / size[d])
		default:
			index[d] = w.index(size, at, d).Div(b)
		}
	}
	return v.At(index[:]...).Gather()
}

// index is the coordinates of a tile's elements along a dimension.
func (w *quantTiles) index(size [2]int, at []tile.Operand, d int) *tile.Value {
	shape := []int{1, 1}
	shape[d] = size[d]
	return w.k.Iota(d, shape...).Add(w.coord(at[d]).Mul(size[d]))
}

// coord is a coordinate as a value.
func (w *quantTiles) coord(at tile.Operand) *tile.Value {
	if n, ok := at.(int); ok {
		return w.k.Int(n)
	}
	return at.(*tile.Value)
}
