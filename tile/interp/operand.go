package interp

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/gemm"
)

// Operands of products are read where they are. An operand that is loaded for the product alone is no tile at all: its load, and ops after it that but rename its elements
// (casts to F32, reshapes, permutations), are taken into the product, which reads memory by strides.

// operand is what a Dot multiplies: elements of another value, or of a load's block.
type operand struct {
	load  *tile.Op    // nil if there is a value
	value *tile.Value // in a register, of F32
	shape []int       // of the block or the value
	dims  [2][]int    // the dimensions that its rows and its columns number, the slowest first
}

// args are the values that the product needs for the operand.
func (x *operand) args() []*tile.Value {
	if x.load != nil {
		return x.load.Args
	}
	return []*tile.Value{x.value}
}

// takeIn takes ops into the products, and into the ops on points, of a region, which then need not run by themselves.
func (l *life) takeIn(r *tile.Region, users map[*tile.Value]int) {
	for i, op := range r.Ops {
		if !l.needed[op] {
			continue
		}
		for _, body := range l.bodies(op) {
			l.takeIn(body, users)
		}
		if op.Kind == tile.OpScatter || op.Kind == tile.OpAtomic {
			l.takePoints(op, users)
			continue
		}
		if op.Kind != tile.OpDot || len(op.Args[0].Type().Shape) != 2 {
			continue
		}
		var args []*tile.Value
		var taken []*tile.Op
		list := make([]operand, 2)
		for n := range list {
			x, ops := operandOf(op.Args[n], r.Ops[:i], l.needed, users)
			list[n], taken = x, append(taken, ops...)
			args = append(args, x.args()...)
		}
		if op.Result().Type().Elem == dtype.F64 {
			continue // whose products have no micro-kernel
		}
		if !op.Result().Type().Elem.IsFloat() && (list[0].load == nil || list[1].load == nil) {
			continue // registers have integers of 32 bits
		}
		for _, op := range taken {
			delete(l.needed, op)
		}
		l.operands[op], l.argsOf[op] = list, append(args, op.Args[2])
	}
}

// operandOf follows an operand to the value or the load whose elements it has, and returns the ops between. before are the ops before the product.
func operandOf(v *tile.Value, before []*tile.Op, needed map[*tile.Op]bool, users map[*tile.Value]int) (found operand, taken []*tile.Op) {
	x := operand{value: v, shape: v.Type().Shape, dims: [2][]int{{0}, {1}}}
	found = x
	var passed []*tile.Op
	for {
		op := x.value.Op()
		at := slices.Index(before, op)
		if op == nil || at < 0 || users[x.value] != 1 || slices.ContainsFunc(before[at+1:], func(between *tile.Op) bool {
			return needed[between] && (between.Kind.HasEffect() || len(between.Regions()) > 0)
		}) {
			return found, taken
		}
		passed = append(passed, op)
		if op.Kind == tile.OpLoad {
			if op.Number != 0 || !x.strided() {
				return found, taken
			}
			x.load, x.value = op, nil
			return x, passed
		}
		if !x.through(op) {
			return found, taken
		}
		if x.strided() {
			found, taken = x, slices.Clone(passed)
		}
	}
}

// through follows an operand to the argument of an op that keeps the elements.
func (x *operand) through(op *tile.Op) bool {
	from := op.Args
	switch op.Kind {
	case tile.OpCast:
		if e := from[0].Type().Elem; !e.IsFloat() || e == dtype.F64 || e != op.Result().Type().Elem && op.Result().Type().Elem != dtype.F32 { // registers have F64 in other words
			return false
		}
	case tile.OpPermute:
		for i, list := range x.dims {
			x.dims[i] = slices.Clone(list)
			for j, d := range list {
				x.dims[i][j] = op.Perm[d]
			}
		}
	case tile.OpReshape:
		to := from[0].Type().Shape
		for i, list := range x.dims {
			var ok bool
			if x.dims[i], ok = reshaped(list, x.shape, to); !ok {
				return false
			}
		}
	default:
		return false
	}
	x.value, x.shape = from[0], from[0].Type().Shape
	return true
}

// reshaped is the dimensions of a shape that number what some dimensions of another one do, of tiles with the same elements in the same order.
func reshaped(dims, from, to []int) (list []int, ok bool) {
	for i := 0; i < len(dims); {
		if from[dims[i]] == 1 {
			i++
			continue
		}
		first, past := dims[i], dims[i]+1 // of the smallest run of dimensions of from that a run of to has the elements of
		begin := tile.Type{Shape: from[:first]}.Len()
		d, at := 0, 1
		for ; d < len(to) && at < begin; d++ {
			at *= to[d]
		}
		if at != begin {
			return nil, false
		}
		here, there, next := from[first], 1, d
		for here != there {
			switch {
			case there < here && next < len(to):
				there *= to[next]
				next++
			case past < len(from):
				here *= from[past]
				past++
			default:
				return nil, false
			}
		}
		for ; first < past; first++ { // all of the run, in order
			if from[first] == 1 {
				continue
			}
			if i == len(dims) || dims[i] != first {
				return nil, false
			}
			i++
		}
		for ; d < next; d++ {
			if to[d] > 1 {
				list = append(list, d)
			}
		}
	}
	return list, true
}

// strided reports whether one stride leads from row to row of a dense tile, and one from column to column.
func (x *operand) strided() bool {
	if len(x.shape) > len(region{}.n) {
		return false
	}
	r := region{}
	copy(r.n[:], x.shape)
	dense := denseStrides(x.shape)
	for _, dims := range x.dims {
		if _, _, _, ok := stretch(dims, x.shape, &r, &dense); !ok {
			return false
		}
	}
	return true
}

// stretch is how many elements of a region there are along dimensions, the number of the first one in the tile, and their distance, if that is one.
func stretch(dims, shape []int, r *region, strides *[5]int) (n, first, stride int, ok bool) {
	n = 1
	length := 1 // of the dimensions so far, in the tile
	for i := len(dims) - 1; i >= 0; i-- {
		d := dims[i]
		switch {
		case r.n[d] == 1:
		case length == 1:
			n, stride = r.n[d], strides[d]
		case n == length && strides[d] == stride*length:
			n *= r.n[d]
		default:
			return 0, 0, 0, false
		}
		first += r.lo[d] * length
		length *= shape[d]
	}
	return n, first, stride, true
}

// source is an operand when the program is compiled.
type source struct {
	operand
	access access
	nest   *nest // whose state has memory for a block whose elements no strides lead to
	reg    int   // of a value
}

func (c *compiler) source(x operand) source {
	s := source{operand: x}
	if x.load == nil {
		s.reg = c.where[x.value].index
		return s
	}
	s.access = access{view: x.load.View.Index, elem: x.load.View.Elem, coords: c.indices(x.load.Args), byElement: x.load.ByElement}
	s.nest = &nest{shape: x.shape, number: c.nests, accesses: []access{s.access}}
	c.nests++
	return s
}

// block is the part of an operand that is within its view: a matrix, and which rows and columns of the operand it has.
type matrixBlock struct {
	gemm.Matrix
	n, first [2]int
}

// locate finds an operand's elements. A block that is partly outside of its view has the others alone, since those are zeros; ok is false if there are none.
func (s *source) locate(w *worker) (b matrixBlock, ok bool) {
	r, strides, elem := region{}, denseStrides(s.shape), dtype.F32
	copy(r.n[:], s.shape)
	if s.load == nil {
		b.At = unsafe.Pointer(unsafe.SliceData(w.f[s.reg]))
	} else {
		p := place{region: s.access.region(w, s.shape)}
		if p.empty {
			return b, false
		}
		v := &w.views[s.access.view]
		elem = s.access.elem
		if b.strides(s, &p.region, &v.stride, elem) {
			b.At = unsafe.Pointer(&v.data[p.region.at*elem.Size()])
			return b, true
		}
		buffer := w.loop(s.nest).stage(0, tile.Type{Shape: s.shape}.Len()*elem.Size())
		w.fetch(&s.access, &p, s.shape, buffer)
		b.At = unsafe.Pointer(&buffer[0])
	}
	b.strides(s, &r, &strides, elem)
	return b, true
}

// strides finds the sizes and the distances of a region's elements, and reports whether there are any for rows and columns.
func (b *matrixBlock) strides(s *source, r *region, strides *[5]int, elem dtype.Type) bool {
	var step [2]int
	for i, dims := range s.dims {
		var ok bool
		if b.n[i], b.first[i], step[i], ok = stretch(dims, s.shape, r, strides); !ok {
			return false
		}
	}
	b.Elem, b.Row, b.Col = elem, step[0]*elem.Size(), step[1]*elem.Size()
	return true
}
