package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Pack returns the weights [K,N] of a product in the order that QuantizedMatMul's kernels for few rows are made for, on every backend: the
// integers of a column are contiguous, those of 4 bits packed along K, and columns begin at multiples of 16 bytes, the most that a thread loads
// at once. Matrix instructions take weights from memory to registers in this order alone. It is for weights from files that have another
// order, once after loading:
//
//	packed, err := w.Pack()
//	w.Close()
//
// The result stands for the same numbers, bit for bit, and every op takes it. Tensors that have this order already, such as those
// of Quantize of [N,K] and T where K is a multiple of 32, are not copied: the result has views of them. Unpack is the way back.
//
// Errors: as for NewQuantized, ErrLimit, ErrOutOfMemory.
func (q *Quantized) Pack() (*Quantized, error) { return q.reorder("quantized_pack", 0, copyBytes) }

// Unpack returns the matrix in the order of NewQuantized: row by row, without gaps, integers of 4 bits packed along rows. Tensors that have it already are not
// copied.
//
// Errors: as for Pack.
func (q *Quantized) Unpack() (*Quantized, error) { return q.reorder("quantized_unpack", 1, 1) }

// reorder returns the matrix with integers that are contiguous and packed along a dimension; the others' first bytes are multiples of align apart.
func (q *Quantized) reorder(op string, along, align int) (_ *Quantized, err error) {
	if err := q.check(op); err != nil {
		return nil, err
	}
	r := &Quantized{QuantScheme: q.QuantScheme, Shape: q.Shape, Packed: along}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if q.Bits == 4 && q.Packed != along {
		r.Data, err = repacked(q.Data, q.Shape, r.data(), along, align)
	} else {
		r.Data, err = copyAlong(q.Data, along, align)
	}
	if err != nil {
		return nil, err
	}
	if r.Scales, err = copyAlong(q.Scales, along, 1); err != nil {
		return nil, err
	}
	if q.Asymmetric {
		if r.Zeros, err = copyAlong(q.Zeros, along, 1); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// layoutAlong is the layout of a matrix that is contiguous along a dimension, and how many elements it has room for.
func layoutAlong(elem weft.DType, shape []int, along, align int) (l layout.Layout, room int, err error) {
	pitch := up(shape[along], max(1, align/elem.Size()))
	strides := []int{1, 1}
	strides[1-along] = pitch
	l, err = layout.Strided(shape, strides, 0)
	return l, shape[1-along] * pitch, err
}

// emptyStrided allocates a tensor of a layout, in memory with room for so many elements.
func emptyStrided(dev *weft.Device, elem weft.DType, l layout.Layout, room int) (*weft.Tensor, error) {
	memory, err := weft.Empty(dev, elem, room)
	if err != nil {
		return nil, err
	}
	defer memory.Close()
	return memory.AsStrided(l)
}

// copyAlong copies a matrix to such memory, or returns a view of it if it has this layout.
func copyAlong(t *weft.Tensor, along, align int) (*weft.Tensor, error) {
	l, room, err := layoutAlong(t.DType(), t.Shape(), along, align)
	if err != nil {
		return nil, err
	}
	if now := t.Layout(); slices.Equal(now.Strides(), l.Strides()) && now.Offset()*t.DType().Size()%align == 0 {
		return t.AsStrided(now)
	}
	out, err := emptyStrided(t.Device(), t.DType(), l, room)
	if err != nil {
		return nil, err
	}
	if err := out.CopyFrom(t); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// The lower halves of bytes of two rows are bytes along the other dimension, and so are the upper halves.
var (
	lowerHalves = weft.NewMap("pack_lower", []string{"even", "odd"}, func(in []*tile.Value) *tile.Value {
		return in[0].And(15).Or(in[1].And(15).Shl(4))
	})
	upperHalves = weft.NewMap("pack_upper", []string{"even", "odd"}, func(in []*tile.Value) *tile.Value {
		return in[0].Shr(4).Or(in[1].And(15 << 4))
	})
)

// repacked is the bytes [rows,columns] of a matrix of 4 bits that are packed along a dimension, from those that are packed along the other.
func repacked(in *weft.Tensor, shape, bytes [2]int, along, align int) (*weft.Tensor, error) {
	l, room, err := layoutAlong(in.DType(), bytes[:], along, align)
	if err != nil {
		return nil, err
	}
	out, err := emptyStrided(in.Device(), in.DType(), l, room)
	if err != nil {
		return nil, err
	}
	if err := repack(out, in, shape, along); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// repack writes integers of a matrix of 4 bits that are packed along the other dimension to bytes that are packed along a dimension. Of an odd number of them
// the last upper half is 0.
func repack(out, in *weft.Tensor, shape [2]int, along int) error {
	var views scratch
	defer views.close()
	part := func(t *weft.Tensor, dim, from, to, step int) *weft.Tensor {
		if views.err != nil {
			return nil
		}
		return views.keep(t.SliceStep(dim, from, to, step))
	}
	n, across := shape[along], 1-along
	even, odd := part(in, along, 0, n, 2), part(in, along, min(1, n), n, 2)
	for half, halves := range []*weft.Map{lowerHalves, upperHalves} {
		columns := (shape[across] + 1 - half) / 2
		to, first, second := part(out, across, min(half, shape[across]), shape[across], 2), part(even, across, 0, columns, 1), part(odd, across, 0, columns, 1)
		write := func(from, to *weft.Tensor, other any) error {
			if views.err != nil {
				return views.err
			}
			return halves.Into(to, from, other)
		}
		pairs := n / 2
		err := write(part(first, along, 0, pairs, 1), part(to, along, 0, pairs, 1), second)
		if err == nil && n%2 == 1 {
			err = write(part(first, along, pairs, pairs+1, 1), part(to, along, pairs, pairs+1, 1), 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
