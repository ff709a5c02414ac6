package kernels

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// WindowShape says, for each dimension, which elements of x the elements of a result are of: element o is of those at
//
//	(o·Stride + w·Dilation + offset) / Base
//
// of the w from 0 to below Size for which this is a whole number and x has the element; the offsets are known at the launch. Dilation is negative where
// windows are turned around, as gradients do. A dimension without a window has Size, Stride, Dilation and Base of 1.
type WindowShape struct {
	Size, Stride, Dilation, Base [MaxRank]int
	// Adaptive windows are parts of x that are as equal as can be and cover it: element o has those from ⌊o·n/m⌋ to below ⌈(o+1)·n/m⌉ of n elements and m
	// results. Size is that of the largest one.
	Adaptive bool
}

// WindowConfig is what Window is built for.
type WindowConfig struct {
	Op     ReduceOp
	Elem   weft.DType // of x
	Out    weft.DType
	Rank   int // dimensions after merging, 1 to 5
	Shape  WindowShape
	Chosen bool // only elements for which a tensor names w are reduced
	Each   bool // what divides are the elements that a window has, in place of a number
	Places bool // of ReduceArgMax: the elements themselves are stored, and where in a plane of x they are
	Block  [MaxRank]int
	Thread int // threads of a workgroup; 0 lets the compiler choose
}

// Window is the kernel of all reductions of windows: of pools, and of their gradients, which are such reductions of what follows from results. A program has
// a tile of the result, and walks over the places in the window.
//
// Its views are x, with cfg.Chosen also chosen, of I32 and in the shape of x, and out; its scalars are the offset of each dimension, and a divisor if
// the reduction divides by a number. With cfg.Chosen an element is left out if it is not w, counted over all dimensions in row-major order, that chosen
// has for it. With cfg.Places out has the largest elements, a view after it, indices, their numbers in a plane, and each dimension has one more scalar, after
// the offsets: how many such numbers there are from one of its elements to the next.
var Window = weft.NewKernel("window", describeWindow)

// windowWalk is what the description of Window knows.
type windowWalk struct {
	k         *tile.Builder
	cfg       WindowConfig
	r         reducer
	x, chosen *tile.View
	start     [MaxRank]*tile.Value // of each element's window
	end       [MaxRank]*tile.Value // of adaptive ones
	e         element
	states    []*tile.Value
	count     *tile.Value
}

func describeWindow(k *tile.Builder, cfg WindowConfig) {
	w := &windowWalk{k: k, cfg: cfg, r: Reducers[cfg.Op], x: k.In("x", cfg.Elem, cfg.Rank)}
	if cfg.Chosen {
		w.chosen = k.In("chosen", dtype.I32, cfg.Rank)
	}
	out := k.Out("out", cfg.Out, cfg.Rank)
	var indices *tile.View
	if cfg.Places {
		indices = k.Out("indices", dtype.I32, cfg.Rank)
	}
	var offsets, steps [MaxRank]*tile.Value
	for d := range cfg.Rank {
		offsets[d] = k.Scalar("offset"+string(rune('0'+d)), dtype.I32)
	}
	for d := 0; cfg.Places && d < cfg.Rank; d++ {
		steps[d] = k.Scalar("step"+string(rune('0'+d)), dtype.I32)
	}
	var divisor *tile.Value
	if w.r.Divides && !cfg.Each {
		divisor = realParameter(k, "divisor", cfg.Elem)
	}
	k.Schedule(tile.Schedule{Threads: cfg.Thread})
	block := cfg.Block[:cfg.Rank]
	at := k.ProgramTile(out, block...)
	w.begin(out, at, offsets)
	states := make([]*tile.Var, len(w.states))
	for i, s := range w.states {
		states[i] = k.Var(s)
	}
	count := k.Var(k.Zeros(dtype.F32, block...))
	w.each(0, [MaxRank]tile.Operand{}, func(place [MaxRank]tile.Operand) {
		for i, s := range states {
			w.states[i] = s.Get()
		}
		w.count = count.Get()
		w.take(place)
		for i, s := range states {
			s.Set(w.states[i])
		}
		if cfg.Each {
			count.Set(w.count)
		}
	})
	for i, s := range states {
		w.states[i] = s.Get()
	}
	if cfg.Places {
		value, index := w.find(w.states[1], steps)
		out.Block(block...).Store(value, at...)
		indices.Block(block...).Store(index, at...)
		return
	}
	result := w.r.finish(w.states)
	switch {
	case divisor != nil:
		result = result.Div(divisor)
	case cfg.Each && w.r.Divides:
		result = result.Div(count.Get().Maximum(1).Cast(result.Type().Elem))
	}
	out.Block(block...).Store(result.Cast(cfg.Out), at...)
}

// begin finds where windows start, and what their states are before.
func (w *windowWalk) begin(out *tile.View, at []tile.Operand, offsets [MaxRank]*tile.Value) {
	k, cfg := w.k, w.cfg
	block := cfg.Block[:cfg.Rank]
	for d := range cfg.Rank {
		shape := slices.Repeat([]int{1}, cfg.Rank)
		shape[d] = block[d]
		o := k.Iota(d, shape...).Add(k.Int(block[d]).Mul(at[d]))
		if cfg.Shape.Adaptive && cfg.Shape.Size[d] > 1 {
			n, m := w.x.Dim(d), out.Dim(d)
			w.start[d] = o.Mul(n).Div(m)
			w.end[d] = o.Add(1).Mul(n).Add(m).Sub(1).Div(m)
			continue
		}
		w.start[d] = o.Mul(cfg.Shape.Stride[d]).Add(offsets[d])
	}
	w.e = element{k: k, cfg: ReduceConfig{Op: cfg.Op, Elem: cfg.Elem, Rank: cfg.Rank}, shape: block}
	for _, s := range w.r.States(cfg.Elem) {
		w.states = append(w.states, s.start.full(k, s.Elem, block))
	}
	if cfg.Places { // so that an element as small as the filling is found
		w.states[1] = k.Full(dtype.I32, nowhere, block...)
	}
}

// nowhere is the place in a window that has no elements.
const nowhere = math.MaxInt32

// find reads the elements at places in their windows, and says which numbers they have in a plane. Of windows without elements these are the least
// number of the type and -1.
func (w *windowWalk) find(place *tile.Value, steps [MaxRank]*tile.Value) (value, index *tile.Value) {
	k, cfg := w.k, w.cfg
	found := place.Ne(nowhere)
	at, rest := make([]tile.Operand, cfg.Rank), place
	for d := cfg.Rank - 1; d >= 0; d-- {
		p := w.start[d]
		if size := cfg.Shape.Size[d]; size > 1 {
			p = p.Add(rest.Rem(size).Mul(cfg.Shape.Dilation[d]))
			rest = rest.Div(size)
		}
		if base := cfg.Shape.Base[d]; base > 1 {
			p = p.Div(base)
		}
		at[d] = p
		found = found.And(p.Ge(0).And(p.Lt(w.x.Dim(d)))) // where windows of one element are beyond the end
		if number := p.Mul(steps[d]); index == nil {
			index = number
		} else {
			index = index.Add(number)
		}
	}
	found = found.Broadcast(w.e.shape...)
	points := w.x.At(at...).Mask(found)
	if x, ok := Least.number(cfg.Elem); ok {
		value = points.Fill(x).Gather()
	} else {
		value = k.Where(found, points.Gather(), Least.full(k, cfg.Elem, w.e.shape))
	}
	return value.Broadcast(w.e.shape...), k.Where(found, index, k.Full(dtype.I32, -1, w.e.shape...))
}

// unrolledPlaces is how many places of a window are described one by one, so that their loads are outstanding together.
const unrolledPlaces = 32

// each describes what is done at all places of the window from dimension d on.
func (w *windowWalk) each(d int, place [MaxRank]tile.Operand, body func(place [MaxRank]tile.Operand)) {
	if d == w.cfg.Rank {
		body(place)
		return
	}
	size := w.cfg.Shape.Size[d]
	if w.cfg.places() <= unrolledPlaces {
		for i := range size {
			place[d] = i
			w.each(d+1, place, body)
		}
		return
	}
	if size == 1 {
		place[d] = 0
		w.each(d+1, place, body)
		return
	}
	for i := range w.k.Range(size) {
		place[d] = i
		w.each(d+1, place, body)
	}
}

// places is how many there are in a window.
func (cfg WindowConfig) places() int {
	n := 1
	for _, size := range cfg.Shape.Size[:cfg.Rank] {
		n *= size
	}
	return n
}

// take takes up the elements at a place of the windows.
func (w *windowWalk) take(place [MaxRank]tile.Operand) {
	cfg := w.cfg
	index, inside := make([]tile.Operand, cfg.Rank), (*tile.Value)(nil)
	also := func(cond *tile.Value) {
		if inside == nil {
			inside = cond
		} else {
			inside = inside.And(cond) // of shapes that broadcast
		}
	}
	number := tile.Operand(0)
	_, fills := w.r.Fill.number(cfg.Elem) // what is read outside of x is the bound
	for d := range cfg.Rank {
		p := w.start[d]
		switch at := place[d].(type) {
		case int:
			if at != 0 {
				p = p.Add(at * cfg.Shape.Dilation[d])
			}
		case *tile.Value:
			p = p.Add(at.Mul(cfg.Shape.Dilation[d]))
		}
		if w.end[d] != nil {
			also(p.Lt(w.end[d]))
		}
		if base := cfg.Shape.Base[d]; base > 1 {
			also(p.Rem(base).Eq(0))
			p = p.Div(base)
		}
		if cfg.Shape.Size[d] > 1 || cfg.Shape.Base[d] > 1 || cfg.Shape.Stride[d] > 1 || !fills {
			also(p.Ge(0).And(p.Lt(w.x.Dim(d))))
		}
		index[d] = p
		number = w.numbered(number, place[d], cfg.Shape.Size[d])
	}
	w.combine(index, inside, number)
}

// numbered is the number of a place with another dimension.
func (w *windowWalk) numbered(number, place tile.Operand, size int) tile.Operand {
	a, first := number.(int)
	b, second := place.(int)
	if first && second {
		return a*size + b
	}
	value := func(x tile.Operand) *tile.Value {
		if n, ok := x.(int); ok {
			return w.k.Int(n)
		}
		return x.(*tile.Value)
	}
	return value(number).Mul(size).Add(value(place))
}

// combine takes up the elements at indices, as far as they are inside.
func (w *windowWalk) combine(index []tile.Operand, inside *tile.Value, number tile.Operand) {
	k, cfg := w.k, w.cfg
	if inside == nil {
		inside = k.Full(dtype.Bool, 1, w.e.shape...)
	}
	inside = inside.Broadcast(w.e.shape...)
	mask := inside
	if w.chosen != nil {
		mask = mask.And(w.chosen.At(index...).Mask(mask).Fill(-1).Gather().Eq(number))
	}
	points, edge := w.x.At(index...).Mask(mask), w.r.Fill
	var v *tile.Value
	if x, ok := edge.number(cfg.Elem); ok {
		v = points.Fill(x).Gather()
	} else {
		v = k.Where(mask, points.Gather(), edge.full(k, cfg.Elem, w.e.shape))
	}
	w.e.value, w.e.place = v.Cast(wide(cfg.Elem)), k.Int(0).Add(number).Splat(w.e.shape...)
	lifted := w.r.lift(w.e)
	if cfg.Op == ReduceArgMax || cfg.Op == ReduceArgMin { // an element that is as small as the filling is before it
		key := w.r.States(cfg.Elem)[0]
		lifted[0] = k.Where(inside, lifted[0], key.start.full(k, key.Elem, w.e.shape))
	}
	if cfg.Places {
		lifted[1] = k.Where(inside, lifted[1], nowhere)
	}
	w.states = w.r.combine(w.states, lifted)
	if cfg.Each {
		w.count = w.count.Add(inside.Cast(dtype.F32))
	}
}
