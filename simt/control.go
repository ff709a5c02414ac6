package simt

import "github.com/weftgpu/weft/dtype"

// within appends to a block what body does.
func (b *Builder) within(block *Block, body func()) {
	outer, n := b.block, b.known.enter()
	b.block = block
	body()
	b.block = outer
	b.known.leave(n)
}

// For appends a loop; body gets the index and the carried values and returns
// the next ones. It returns the final ones.
func (b *Builder) For(lo, hi, step *Value, carried []*Value, unroll bool, body func(i *Value, carried []*Value) []*Value) []*Value {
	op := &Op{Kind: For, Args: append([]*Value{lo, hi, step}, carried...), Body: &Block{}, Unroll: unroll, Line: b.line}
	index := b.NewValue(Scalar(dtype.I32), "i")
	op.Body.Args = []*Value{index}
	for _, c := range carried {
		op.Body.Args = append(op.Body.Args, b.NewValue(c.Type, c.Hint))
	}
	b.within(op.Body, func() { b.Do(&Op{Kind: Yield, Args: body(index, op.Body.Args[1:])}) })
	for _, c := range carried {
		v := b.NewValue(c.Type, c.Hint)
		v.Op = op
		op.Out = append(op.Out, v)
	}
	b.Do(op)
	return op.Out
}

// If appends a condition without results.
func (b *Builder) If(cond *Value, body func()) {
	if c, ok := ConstOf(cond); ok {
		if c != 0 {
			body()
		}
		return
	}
	op := &Op{Kind: If, Args: []*Value{cond}, Body: &Block{}, Line: b.line}
	b.within(op.Body, body)
	b.Do(op)
}

// Branch appends a condition, which is uniform if threads meet in its bodies; either way returns its values of the results.
func (b *Builder) Branch(cond *Value, then, otherwise func() []*Value) []*Value {
	if c, ok := ConstOf(cond); ok {
		if c != 0 {
			return then()
		}
		return otherwise()
	}
	op := &Op{Kind: Branch, Args: []*Value{cond}, Line: b.line}
	var types []*Value
	for i, way := range []func() []*Value{then, otherwise} {
		block := &Block{}
		b.within(block, func() {
			types = way()
			b.Do(&Op{Kind: Yield, Args: types})
		})
		if i == 0 {
			op.Body = block
		} else {
			op.Else = block
		}
	}
	for _, v := range types {
		out := b.NewValue(v.Type, v.Hint)
		out.Op = op
		op.Out = append(op.Out, out)
	}
	b.Do(op)
	return op.Out
}

// While appends a loop; body gets the carried values, calls Break once and
// returns the next ones. It returns those that the body got when it broke off.
func (b *Builder) While(carried []*Value, body func(carried []*Value) []*Value) []*Value {
	op := &Op{Kind: While, Args: carried, Body: &Block{}, Line: b.line}
	for _, c := range carried {
		op.Body.Args = append(op.Body.Args, b.NewValue(c.Type, c.Hint))
		out := b.NewValue(c.Type, c.Hint)
		out.Op = op
		op.Out = append(op.Out, out)
	}
	b.within(op.Body, func() { b.Do(&Op{Kind: Yield, Args: body(op.Body.Args)}) })
	b.Do(op)
	return op.Out
}

// Break leaves the While at hand if cond holds.
func (b *Builder) Break(cond *Value) { b.Do(&Op{Kind: Break, Args: []*Value{cond}}) }
