package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// ReducePass is the part of a reduction that a kernel does.
type ReducePass uint8

// The passes.
const (
	ReduceWhole   ReducePass = iota // from x to out
	ReduceParts                     // from x to states, several for each element of the result
	ReduceCombine                   // from those to out
)

// MaxRank is the largest rank of a kernel's view.
const MaxRank = 5

// ReduceConfig is what Reduce is built for.
type ReduceConfig struct {
	Op      ReduceOp
	Pass    ReducePass
	Elem    weft.DType    // of x
	Out     weft.DType    // of out
	Rank    int           // dimensions after merging, 1 to 5
	Reduced [MaxRank]bool // the dimensions that are reduced
	Block   [MaxRank]int  // sizes of the tile that a program works on at a time, powers of two
	Walk    [MaxRank]bool // the reduced dimensions that take several tiles
	Split   int           // the walked dimension that programs of ReduceParts share
	Threads int           // of a workgroup; 0 lets the compiler choose
	AtOnce  bool          // walked tiles are reduced one by one, where no threads keep states to themselves
}

// Reduce is the kernel of all reductions. A program holds one state for each element of its
// tile, to which it takes the elements of one tile of x after the other, without a word between its
// threads, and combines the tile's states once, at the end. Its views are x and out, of one rank:
// out has size 1 where a dimension is reduced.
//
// Where results are few, programs share a reduction in two passes, each part a run of tiles and all
// of them in a fixed order, so that every run gives the same bits: ReduceParts writes states, whose
// number is out's size along cfg.Split, and ReduceCombine reads them in place of x.
var Reduce = weft.NewKernel("reduce", describeReduce)

func describeReduce(k *tile.Builder, cfg ReduceConfig) { describeReducer(k, cfg, Reducers[cfg.Op], "") }

// describeReducer describes a pass of a reduction. added is the name of a view that is added to x; there is none if it is empty.
func describeReducer(k *tile.Builder, cfg ReduceConfig, r reducer, added string) {
	slots := r.States(cfg.Elem)
	ins, outs, addend := reduceViews(k, cfg, slots, added)
	var divisor *tile.Value
	if r.Divides && cfg.Pass != ReduceParts {
		divisor = realParameter(k, "divisor", cfg.Elem)
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	to := k.ProgramTile(outs[0], cfg.grid()...)
	e := newElement(k, cfg, ins[0], to)
	e.addend = addend
	values := e.reduce(r, ins, outs[0])
	block := cfg.Block
	for d := range block {
		if cfg.Reduced[d] {
			block[d] = 1
		}
	}
	if cfg.Pass != ReduceParts {
		result := r.finish(values)
		if divisor != nil {
			result = result.Div(divisor)
		}
		values = []*tile.Value{result.Cast(cfg.Out)}
	}
	for i, v := range values {
		outs[i].Block(block[:cfg.Rank]...).Store(v, to...)
	}
}

// reduceViews declares what a pass reads and writes.
func reduceViews(k *tile.Builder, cfg ReduceConfig, slots []slot, added string) (ins, outs []*tile.View, addend *tile.View) {
	if cfg.Pass != ReduceCombine {
		ins = append(ins, k.In("x", cfg.Elem, cfg.Rank))
	}
	if added != "" {
		addend = k.In(added, cfg.Elem, cfg.Rank)
	}
	for _, s := range slots {
		switch cfg.Pass {
		case ReduceCombine:
			ins = append(ins, k.In(s.name, s.Elem, cfg.Rank))
		case ReduceParts:
			outs = append(outs, k.Out(s.name, s.Elem, cfg.Rank))
		}
	}
	if cfg.Pass != ReduceParts {
		outs = append(outs, k.Out("out", cfg.Out, cfg.Rank))
	}
	return ins, outs, addend
}

// grid cuts the result into the programs' tiles.
func (cfg ReduceConfig) grid() []int {
	grid := cfg.Block
	for d := range grid {
		if cfg.Reduced[d] {
			grid[d] = 0
		}
	}
	if cfg.Pass == ReduceParts {
		grid[cfg.Split] = 1
	}
	return grid[:cfg.Rank]
}

// Walks reports whether a program walks along a dimension, tile by tile.
func (cfg ReduceConfig) Walks() bool { return cfg.Walk != [MaxRank]bool{} }

// element is the tile of elements that a program of a reduction looks at.
type element struct {
	k      *tile.Builder
	cfg    ReduceConfig
	view   *tile.View
	addend *tile.View // what is added to the view's elements, in their type; nil for nothing
	shape  []int
	at     []tile.Operand
	value  *tile.Value  // in the type that reductions compute in
	from   tile.Operand // the first tile of the walk
	place  *tile.Value  // in place of what index finds; nil

	// Of reductions of pairs, prepare reads the second tile, after the first one. Both are nil of others.
	prepare func(e *element)
	pair    *tile.Value

	loaded map[*tile.View]*tile.Value // tiles at hand that were loaded before
}

func newElement(k *tile.Builder, cfg ReduceConfig, view *tile.View, at []tile.Operand) *element {
	return &element{k: k, cfg: cfg, view: view, shape: cfg.Block[:cfg.Rank], at: slices.Clone(at)}
}

// reduce describes a reduction of the tiles that a program walks, to one state for each element of
// its result. Where programs share the walk, the size of out tells how many.
func (e *element) reduce(r reducer, ins []*tile.View, out *tile.View) []*tile.Value {
	slots, axes := r.States(e.cfg.Elem), []int(nil)
	one := slices.Clone(e.shape) // of what a tile is reduced to
	for d, n := range e.shape {
		if e.cfg.Reduced[d] && n > 1 {
			axes, one[d] = append(axes, d), 1
		}
	}
	if !e.cfg.Walks() {
		return r.gather(*e, e.states(r, slots, ins), axes)
	}
	atOnce, shape := e.cfg.AtOnce && r.atOnce, e.shape
	if atOnce {
		shape = one
	}
	states := make([]*tile.Var, len(slots))
	for i, s := range slots {
		states[i] = e.k.Var(s.start.full(e.k, s.Elem, shape))
	}
	get := func() []*tile.Value {
		values := make([]*tile.Value, len(states))
		for i, s := range states {
			values[i] = s.Get()
		}
		return values
	}
	e.walk(0, out, func() {
		var next []*tile.Value
		switch {
		case atOnce:
			next = r.combine(get(), r.gather(*e, e.states(r, slots, ins), axes))
		case e.cfg.Pass != ReduceCombine && r.step != nil:
			e.loadValue(r)
			next = r.step(get(), *e)
		default:
			loaded := e.states(r, slots, ins)
			next = r.combine(get(), loaded)
		}
		for i, v := range next {
			states[i].Set(v)
		}
	})
	if atOnce {
		return get()
	}
	return r.gather(*e, get(), axes)
}

// walk describes loops over the tiles along dimensions from d on.
func (e *element) walk(d int, out *tile.View, body func()) {
	for d < e.cfg.Rank && !e.cfg.Walk[d] {
		d++
	}
	if d == e.cfg.Rank {
		body()
		return
	}
	var from, to tile.Operand = 0, e.k.CDiv(e.view.Dim(d), e.shape[d])
	if e.cfg.Pass == ReduceParts && d == e.cfg.Split {
		from, to = partOf(e.k, to.(*tile.Value), out.Dim(d), e.at[d].(*tile.Value))
	}
	for i := range e.k.RangeStep(from, to, 1) {
		e.at[d], e.from = i, from
		e.walk(d+1, out, body)
	}
}

// partOf is the run of so many steps that is a program's, of parts that are as equal as can be: the first ones have a step more than the rest, so that as
// many programs as fill the machine end together.
func partOf(k *tile.Builder, steps, parts, program *tile.Value) (from, to *tile.Value) {
	each := steps.Div(parts)
	longer := steps.Sub(each.Mul(parts)) // of which there are so many
	from = program.Mul(each).Add(program.Minimum(longer))
	k.Assume(from.Ge(0))
	return from, from.Add(each).Add(k.Where(program.Lt(longer), 1, 0)).Minimum(steps)
}

// walked is the number of tiles of the walk with that at hand, nil if the walk is along several dimensions.
func (e *element) walked() *tile.Value {
	var along []int
	for d, walks := range e.cfg.Walk {
		if walks {
			along = append(along, d)
		}
	}
	if len(along) != 1 {
		return nil
	}
	return e.at[along[0]].(*tile.Value).Sub(e.from).Add(1)
}

// reciprocalOf is 1/n for the number of elements that each state has with the tile at hand.
func (e *element) reciprocalOf(n *tile.Value) *tile.Value {
	if tiles := e.walked(); tiles != nil { // of each element that is here: one reciprocal for all
		return reciprocal(tiles.Cast(wide(e.cfg.Elem)))
	}
	return reciprocal(n.Maximum(1))
}

// states are those of the tile at hand, element by element.
func (e *element) states(r reducer, slots []slot, ins []*tile.View) (states []*tile.Value) {
	if e.cfg.Pass != ReduceCombine {
		e.loadValue(r)
		return r.lift(*e)
	}
	for i, s := range slots {
		states = append(states, e.load(ins[i], s.start))
	}
	return states
}

// loadValue reads the tile at hand.
func (e *element) loadValue(r reducer) {
	e.value = e.read(r.Fill)
	if e.prepare != nil {
		e.prepare(e)
	}
}

// read reads the tile at hand with what is added to it. The sum is rounded to the element type, as if it had been stored before. (Sums of
// F32 of two 16-bit numbers are so close that the second rounding gives what one alone would.)
func (e *element) read(edge bound) *tile.Value {
	sum := wide(e.cfg.Elem)
	v := e.load(e.view, edge).Cast(sum)
	if e.addend == nil {
		return v
	}
	return v.Add(e.load(e.addend, zero).Cast(sum)).Cast(e.cfg.Elem).Cast(sum)
}

// load reads a view's tile; what is beyond its edges is the bound.
func (e *element) load(v *tile.View, edge bound) *tile.Value {
	if tile, ok := e.loaded[v]; ok {
		return tile
	}
	block := v.Block(e.shape...)
	if x, ok := edge.number(v.Elem); ok {
		return block.Fill(x).Load(e.at...)
	}
	return e.k.Where(e.inside(), block.Load(e.at...), edge.full(e.k, v.Elem, e.shape))
}

// coordinate is each element's place along a dimension of the view.
func (e *element) coordinate(d int) *tile.Value {
	place := e.k.Iota(d, e.shape...)
	switch at := e.at[d].(type) {
	case *tile.Value:
		place = place.Add(at.Mul(e.shape[d]))
	case int:
		if at != 0 {
			place = place.Add(at * e.shape[d])
		}
	}
	return place
}

// inside says which elements are in the view, as far as reduced dimensions go.
func (e *element) inside() *tile.Value {
	var in *tile.Value
	for d := range e.shape {
		if !e.cfg.Reduced[d] {
			continue
		}
		if here := e.coordinate(d).Lt(e.view.Dim(d)); in == nil {
			in = here
		} else {
			in = in.And(here)
		}
	}
	return in
}

// count is the number of elements that are reduced together, as their accumulator.
func (e *element) count() *tile.Value {
	n := e.k.Int(1)
	for d := range e.shape {
		if e.cfg.Reduced[d] {
			n = n.Mul(e.view.Dim(d))
		}
	}
	return n.Cast(wide(e.cfg.Elem))
}

// index is each element's number among those that are reduced together, in row-major order.
func (e *element) index() *tile.Value {
	if e.place != nil {
		return e.place
	}
	var index *tile.Value
	for d := range e.shape {
		switch {
		case !e.cfg.Reduced[d]:
		case index == nil:
			index = e.coordinate(d)
		default:
			index = index.Mul(e.view.Dim(d)).Add(e.coordinate(d))
		}
	}
	return index
}
