package kernelgen

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// nested describes what opens a body: values that it defines have no uses after it.
func (g *gen) nested(f func()) {
	before := g.scope
	g.depth--
	g.scope = scope{slices.Clone(before.pool), slices.Clone(before.indices)}
	f()
	g.depth++
	g.scope = before
}

// variables are values that a body changes.
func (g *gen) variables() []*variable {
	list := make([]*variable, 1+g.even(2, "variables"))
	for i := range list {
		x := g.pick(anyElem, nil)
		list[i] = &variable{g.k.Var(x.v), x}
	}
	return list
}

type variable struct {
	*tile.Var
	val
}

// now is the variable as a value; in loops its size is that of what was set, which is cut off.
func (v *variable) now() val { return val{v.Get(), max(v.size, safe(v.elem())), v.exact} }

// body draws ops that change variables.
func (g *gen) body(vars []*variable) {
	for _, v := range vars {
		g.pool = append(g.pool, v.now())
	}
	g.ops(4, "inner")
	for _, v := range vars {
		x := v.now()
		y := g.tileLikeOrScalar(x)
		merged := g.merged(x, y)
		v.Set(merged.v)
		v.exact = v.exact && merged.exact
	}
	if g.one(6, "store inside") {
		g.store(g.pick(anyElem, nil))
	}
}

// tileLikeOrScalar is a value of x's type.
func (g *gen) tileLikeOrScalar(x val) val {
	if !x.isScalar() {
		return g.tileLike(x.elem(), x.shape())
	}
	y := g.pick(anyElem, func(y val) bool { return y.isScalar() && y.exact })
	if !y.isScalar() {
		return x
	}
	return g.converted(y, x.elem())
}

// merged joins two values of one type so that both matter.
func (g *gen) merged(x, y val) val {
	e := x.elem()
	switch {
	case e == dtype.Bool:
		return val{x.v.Xor(y.v), 0, x.exact && y.exact}
	case e.IsFloat():
		return val{x.v.Sub(y.v).Maximum(-safe(e)).Minimum(safe(e)), safe(e), x.exact && y.exact}
	}
	return val{x.v.Mul(3).Add(y.v), 0, x.exact && y.exact}
}

// after adds what a body left in its variables.
func (g *gen) after(vars []*variable) {
	for _, v := range vars {
		g.add(v.now())
	}
}

func (g *gen) loop(tile.Kind) {
	if g.depth == 0 {
		return
	}
	if g.one(4, "unrolled") {
		for range 2 {
			g.ops(2, "unrolled")
		}
		return
	}
	vars := g.variables()
	// The exactness of what a variable holds is known only after the body.
	exact := make([]bool, len(vars))
	for i, v := range vars {
		exact[i], v.exact = v.exact, v.exact && !v.elem().IsFloat()
	}
	var n operand = g.n(0, 4, "iterations")
	if g.one(2, "computed") {
		n = g.scalar(3)
	}
	g.nested(func() {
		lo, step := g.n(0, 1, "first"), 1+g.n(0, 1, "step")
		for i := range g.k.RangeStep(lo, n, step) {
			g.indices = append(g.indices, i)
			g.pool = append(g.pool, val{v: i, exact: true})
			g.body(vars)
		}
	})
	for i, v := range vars {
		if !exact[i] {
			v.exact = false
		}
	}
	g.after(vars)
}

func (g *gen) branch(tile.Kind) {
	if g.depth == 0 {
		return
	}
	cond, vars := g.condition(), g.variables()
	b := g.k.If(cond, func() { g.nested(func() { g.body(vars) }) })
	if g.one(2, "else") {
		b.Else(func() { g.nested(func() { g.body(vars) }) })
	}
	g.after(vars)
}

// while counts to a bound and goes on as long as data say so, too.
func (g *gen) while(tile.Kind) {
	if g.depth == 0 {
		return
	}
	count, vars := g.k.Var(g.k.Int(0)), g.variables()
	for _, v := range vars {
		v.exact = v.exact && !v.elem().IsFloat()
	}
	limit := g.scalar(3)
	stop := g.scalar(7)
	g.nested(func() {
		for range g.k.While(func() *tile.Value {
			holds := count.Get().Lt(limit)
			return holds.And(count.Get().Ne(stop))
		}) {
			i := count.Get()
			g.indices = append(g.indices, i)
			g.pool = append(g.pool, val{v: i, exact: true})
			g.body(vars)
			count.Set(count.Get().Add(1))
		}
	})
	g.after(vars)
	g.addScalar(count.Get())
}
