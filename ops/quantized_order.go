package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Pack returns the weights [K,N] of a product in the order that QuantizedMatMul's kernels are made for: the
// integers of a column are contiguous, those of 4 bits packed along K, and columns begin at multiples of 16 bytes, the most that a thread loads
// at once. Matrix instructions take weights from memory to registers in this order alone. Where the device has such instructions, the integers are also interleaved
// (Quantized.Interleaved), if the size of their blocks divides K and the groups that share scales: so products reorder neither rows nor weights. It is for weights from files that have another
// order, once after loading:
//
//	packed, err := w.Pack()
//	w.Close()
//
// The result stands for the same numbers, bit for bit, and every op takes it. Tensors that have this order already are not copied: the result has views of them. Of weights that are not interleaved those
// are such as Quantize of [N,K] and T give where K is a multiple of 32. Unpack is the way back.
//
// Errors: as for NewQuantized, ErrLimit, ErrOutOfMemory.
func (q *Quantized) Pack() (*Quantized, error) {
	const op = "quantized_pack"
	if err := q.check(op); err != nil {
		return nil, err
	}
	if q.Interleaved > 0 && q.Packed == 0 {
		return q.reorder(0, copyBytes)
	}
	return q.inOrder(func(q *Quantized) (*Quantized, error) {
		r, err := q.reorder(0, copyBytes)
		block := kernels.OrderBlock(q.QuantScheme, q.Shape[0], 0)
		if err != nil || block == 0 || !kernels.InterleavesWeights(q.Data.Device().Caps()) {
			return r, err
		}
		defer r.Close()
		return r.interleave(block)
	})
}

// Unpack returns the matrix in the order of NewQuantized: row by row, without gaps, integers of 4 bits packed along rows. Tensors that have it already are not
// copied.
//
// Errors: as for Pack.
func (q *Quantized) Unpack() (*Quantized, error) {
	if err := q.check("quantized_unpack"); err != nil {
		return nil, err
	}
	return q.inOrder(func(q *Quantized) (*Quantized, error) { return q.reorder(1, 1) })
}

// inOrder calls a function with the matrix in its own order, a copy that is closed then if it is interleaved.
func (q *Quantized) inOrder(call func(*Quantized) (*Quantized, error)) (*Quantized, error) {
	if q.Interleaved == 0 {
		return call(q)
	}
	plain, err := q.interleave(0)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	return call(plain)
}

// interleave returns a matrix that is not interleaved, in blocks, or with 0 one that is, in its own order. Scales and zero points are views.
func (q *Quantized) interleave(block int) (_ *Quantized, err error) {
	r := &Quantized{QuantScheme: q.QuantScheme, Shape: q.Shape, Packed: q.Packed, Interleaved: block}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	for _, p := range []struct {
		to   **weft.Tensor
		from *weft.Tensor
	}{{&r.Scales, q.Scales}, {&r.Zeros, q.Zeros}} {
		if p.from == nil {
			continue
		}
		if *p.to, err = p.from.AsStrided(p.from.Layout()); err != nil {
			return nil, err
		}
	}
	l, room, err := layoutAlong(q.Data.DType(), q.Data.Shape(), q.Packed, copyBytes)
	if err != nil {
		return nil, err
	}
	if r.Data, err = emptyStrided(q.Data.Device(), q.Data.DType(), l, room); err != nil {
		return nil, err
	}
	in, out := q.Data, r.Data
	if q.Packed == 0 {
		in, out = in.T(), out.T()
		defer in.Close()
		defer out.Close()
	}
	cfg := kernels.InterleaveWeightsFor(in.Device().Caps(), q.QuantScheme, max(block, q.Interleaved), in.Dim(1), block == 0)
	if err = kernels.Interleave.Launch(cfg, in, out); err != nil {
		return nil, err
	}
	return r, nil
}

// reorder returns the matrix with integers that are contiguous and packed along a dimension; the others' first bytes are multiples of align apart.
func (q *Quantized) reorder(along, align int) (_ *Quantized, err error) {
	r := &Quantized{QuantScheme: q.QuantScheme, Shape: q.Shape, Packed: along, Interleaved: q.Interleaved}
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
