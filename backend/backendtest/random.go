package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// testRandom builds kernels of random ops and compares every bit. Integers wrap
// and so may hold anything; F32 values are kept small integers, on which all that
// is done is exact in any order. F16 and BF16 stand at the views.
func testRandom(s *suite) {
	n := 25
	if s.full {
		n = 300
	}
	for i := range n {
		s.sub(randomKernel, "%d", i)
	}
}

// generator describes one random kernel.
type generator struct {
	s    *suite
	k    *tile.Builder
	r, c int           // the largest shape of a value
	from *tile.View    // an input to gather from
	pool []*tile.Value // what has been computed so far and is in scope
}

var viewTypes = []weft.DType{weft.I32, weft.U32, weft.F32, weft.I8, weft.U8, weft.F16, weft.BF16, weft.Bool}

func randomKernel(s *suite) {
	r, c := 1<<s.rng.IntN(4), 1<<s.rng.IntN(6) // few elements a thread, which compile quickly
	if s.full {
		r, c = 1<<s.rng.IntN(6), 1<<s.rng.IntN(8)
	}
	height, width := 1+s.rng.IntN(2*r), 1+s.rng.IntN(3*c)
	var args []arg
	for range 2 {
		x := s.random(viewTypes[s.rng.IntN(len(viewTypes))], height, width)
		if x.elem.IsFloat() {
			for i := range x.x {
				x.x[i] = float64(s.rng.IntN(33) - 16)
			}
		}
		args = append(args, arg{x, forms[s.rng.IntN(len(forms))], false})
	}
	for range 3 {
		o := out(viewTypes[s.rng.IntN(len(viewTypes))], height, width)
		o.form = forms[s.rng.IntN(len(forms))]
		args = append(args, o)
	}
	threads := []int{0, 0, 32, 64, 256}[s.rng.IntN(5)]
	s.agree(func(k *tile.Builder) {
		g := &generator{s: s, k: k, r: r, c: c}
		views := make([]*tile.View, len(args))
		for i, a := range args {
			if a.out {
				views[i] = k.Out([]string{"", "", "p", "q", "r"}[i], a.elem, 2)
			} else {
				views[i] = k.In([]string{"x", "y"}[i], a.elem, 2)
			}
		}
		k.Schedule(tile.Schedule{Threads: threads})
		k.Grid(k.CDiv(views[0].Dim(0), r), k.CDiv(views[0].Dim(1), c))
		g.from = views[0]
		row, col := k.ProgramID(0), k.ProgramID(1)
		for i, a := range args {
			if !a.out {
				g.add(views[i].Block(r, c).Load(row, col))
			}
		}
		g.add(row.Add(1))
		g.ops(12, 2)
		for i, a := range args {
			if a.out {
				v := g.pick(anyType)
				if v.Type().IsScalar() {
					v = v.Splat(r, c)
				}
				views[i].Block(r, c).Store(g.fit(v, a.elem), row, col)
			}
		}
	}, nil, args...)
}

func anyType(weft.DType) bool { return true }
func is(e weft.DType) func(weft.DType) bool {
	return func(t weft.DType) bool { return t == e }
}

// add puts a value into the pool, narrow types widened and floats bounded.
func (g *generator) add(v *tile.Value) {
	switch v.Type().Elem {
	case weft.F16, weft.BF16:
		v = v.Cast(weft.F32)
	}
	if v.Type().Elem == weft.F32 {
		v = v.Max(-256).Min(256)
	}
	g.pool = append(g.pool, v)
}

// pick chooses a value of the pool, made if there is none of a wanted type.
func (g *generator) pick(want func(weft.DType) bool) *tile.Value {
	var fits []*tile.Value
	for _, v := range g.pool {
		if want(v.Type().Elem) {
			fits = append(fits, v)
		}
	}
	if len(fits) == 0 {
		for _, e := range []weft.DType{weft.I32, weft.F32, weft.Bool} {
			if want(e) {
				return g.k.Full(e, 1, g.r, g.c)
			}
		}
		return g.k.Full(weft.U32, 1, g.r, g.c)
	}
	return fits[g.s.rng.IntN(len(fits))]
}

// fit converts a value for a view. Halves hold what they are given exactly, since
// floats stay below 256; integers go through their low bits.
func (g *generator) fit(v *tile.Value, elem weft.DType) *tile.Value {
	half := elem == weft.F16 || elem == weft.BF16
	if half && v.Type().Elem != weft.F32 && v.Type().Elem != weft.Bool {
		return v.And(15).Cast(elem)
	}
	return v.Cast(elem)
}

// ops appends n random ops; depth is how deep loops may nest.
func (g *generator) ops(n, depth int) {
	for range n {
		switch p := g.s.rng.IntN(23); {
		case p < 2 && depth > 0:
			g.loop(depth)
		case p < 4:
			v := g.pick(weft.DType.IsInt)
			g.add([]func() *tile.Value{v.Not, func() *tile.Value { return v.Not().Add(1) }}[g.s.rng.IntN(2)]())
		case p < 5:
			v := g.pick(weft.DType.IsSigned)
			g.add([]func() *tile.Value{v.Neg, v.Abs}[g.s.rng.IntN(2)]())
		case p < 10:
			g.binary()
		case p < 12:
			v := g.pick(anyType)
			list := comparing(v.Type().Elem)
			g.add(list[g.s.rng.IntN(len(list))].f(v, g.pick(is(v.Type().Elem))))
		case p < 14:
			x := g.pick(anyType)
			g.add(g.pick(is(weft.Bool)).Select(x, g.pick(is(x.Type().Elem))))
		case p < 16:
			g.add(g.cast(g.pick(anyType)))
		case p < 20:
			g.reduce()
		case p < 22 && g.from != nil:
			i, j := g.pick(is(weft.I32)), g.pick(is(weft.I32))
			g.add(g.from.At(i.And(63).Sub(4), j.And(31)).Where(i.Ne(7)).Fill(1).Gather())
		case depth > 0:
			g.branch(depth)
		}
	}
}

// branch sets two values on two ways.
func (g *generator) branch(depth int) {
	vars := []*tile.Var{g.k.Var(g.pick(anyType)), g.k.Var(g.pick(anyType))}
	before := g.pool
	way := func() {
		g.pool = append([]*tile.Value{}, before...)
		g.ops(g.s.rng.IntN(4), depth-1)
		for _, v := range vars {
			g.merged(v)
		}
	}
	b := g.k.If(g.k.ProgramID(g.s.rng.IntN(2)).And(1).Eq(0), way)
	if g.s.rng.IntN(2) == 0 {
		b.Else(way)
	}
	g.pool = before
	for _, v := range vars {
		g.add(v.Get())
	}
}

// merged sets a variable to its value merged with another one, if that has the type.
func (g *generator) merged(v *tile.Var) {
	t := v.Get().Type()
	next := g.pick(is(t.Elem))
	if !next.Type().IsScalar() && t.IsScalar() {
		return
	}
	if mixed := g.merge(v.Get(), next); mixed.Type().Equal(t) {
		v.Set(mixed)
	}
}

// binary ops, without the inexact division of floats.
func (g *generator) binary() {
	v := g.pick(anyType)
	e := v.Type().Elem
	list := binaryOps(e)
	op := list[g.s.rng.IntN(len(list))]
	if e == weft.F32 && op.name == "div" {
		op = arithmetic[0]
	}
	g.add(op.f(v, g.pick(is(e))))
}

func (g *generator) cast(v *tile.Value) *tile.Value {
	to := []weft.DType{weft.I32, weft.U32, weft.F32, weft.I8, weft.U8, weft.Bool}[g.s.rng.IntN(6)]
	return v.Cast(to)
}

func (g *generator) reduce() {
	v := g.pick(func(e weft.DType) bool { return e != weft.Bool })
	if v.Type().IsScalar() || v.Type().Elem == weft.Bool {
		return
	}
	axis := g.s.rng.IntN(2)
	g.add([]func(int) *tile.Value{v.Sum, v.MaxOver, v.MinOver}[g.s.rng.IntN(3)](axis))
}

// loop carries two values through a few iterations of random ops.
func (g *generator) loop(depth int) {
	vars := []*tile.Var{g.k.Var(g.pick(anyType)), g.k.Var(g.pick(anyType))}
	before := g.pool
	for i := range g.k.Range(1 + g.s.rng.IntN(4)) {
		g.pool = append(append([]*tile.Value{}, before...), vars[0].Get(), vars[1].Get(), i)
		g.ops(1+g.s.rng.IntN(4), depth-1)
		for _, v := range vars {
			g.merged(v)
		}
	}
	g.pool = before
	for _, v := range vars {
		g.add(v.Get())
	}
}

// merge joins two values of one element type so that both matter.
func (g *generator) merge(x, y *tile.Value) *tile.Value {
	switch x.Type().Elem {
	case weft.Bool:
		return x.Xor(y)
	case weft.F32:
		return x.Sub(y).Max(-256).Min(256)
	}
	return x.Mul(3).Add(y)
}
