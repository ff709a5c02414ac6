package simtpass

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// pipeline makes loops load from global memory one iteration ahead, so that the
// loads' latency passes while the iteration before computes. It rotates loops that put
// what they load into shared memory: the loads of the first iteration move before the loop, those
// of the next follow the last use of this one's, and registers carry what
// was loaded. A load qualifies if its address depends on the loop's index but on
// nothing else that the loop computes, has no division that could be one by 0 in an
// iteration that does not exist, and the loop does not write the buffer.
func pipeline(r *Context) {
	if r.Stages < 2 {
		return
	}
	pipelineBlock(r.Kernel.Body, simt.Edit(r.Kernel))
}

func pipelineBlock(b *simt.Block, ids *simt.Builder) {
	var out []*simt.Op
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			pipelineBlock(body, ids)
		}
		if op.Kind == simt.For {
			out = append(out, rotate(op, ids)...)
		}
		out = append(out, op)
	}
	b.Ops = out
}

// rotate pipelines one loop and returns the ops that go before it.
func rotate(loop *simt.Op, ids *simt.Builder) (before []*simt.Op) {
	body := loop.Body
	slice, loads := loadSlice(body)
	last := lastSharedStore(body, loads)
	if len(loads) == 0 || last < 0 {
		return nil
	}
	lo, hi, step, index := loop.Args[0], loop.Args[1], loop.Args[2], body.Args[0]

	// before the loop: the first iteration's loads
	first := &cloner{ids: ids, values: map[*simt.Value]*simt.Value{index: lo}}
	first.guard(lo, hi)
	first.clone(slice)
	// in the loop: the next iteration's; the last one loads again what it has, which needs no mask
	next := &cloner{ids: ids, values: map[*simt.Value]*simt.Value{}}
	after, more := next.ahead(loop, step, "")
	next.values[index] = next.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{more, after, index}}, index.Type, "next")
	next.clone(slice)

	yield := body.Ops[len(body.Ops)-1]
	now := map[*simt.Value]*simt.Value{}
	for _, op := range loads {
		v := op.Result()
		loop.Args = append(loop.Args, first.values[v])
		carried := ids.NewValue(v.Type, v.Hint)
		body.Args = append(body.Args, carried)
		yield.Args = append(yield.Args, next.values[v])
		final := ids.NewValue(v.Type, v.Hint)
		final.Op = loop
		loop.Out = append(loop.Out, final)
		now[v] = carried
	}
	body.Ops = splice(body.Ops, last, next.ops, loads)
	simt.Replace(body, now)
	return first.ops
}

// loadSlice finds the loads of a body that can run an iteration ahead, and all
// ops that their addresses and masks need, both in order.
func loadSlice(body *simt.Block) (slice, loads []*simt.Op) {
	stored := map[*simt.Buffer]bool{}
	simt.Walk(body, func(op *simt.Op) {
		if op.Kind.Writes() {
			stored[op.Buffer] = true
		}
	})
	free := map[*simt.Value]bool{} // values of the body that depend on the index alone
	varies := map[*simt.Value]bool{}
	for i, a := range body.Args {
		free[a], varies[a] = i == 0, i > 0
	}
	for _, op := range body.Ops {
		ok := op.Kind.IsPure() && !op.MayTrap() || op.Kind == simt.Load && !stored[op.Buffer]
		for _, a := range op.Args {
			ok = ok && !varies[a]
		}
		for _, v := range op.Out {
			if ok && op.Kind != simt.Load {
				free[v] = true
			} else {
				varies[v] = true
			}
		}
		if ok {
			slice = append(slice, op)
			if op.Kind == simt.Load {
				loads = append(loads, op)
			}
		}
	}
	return needed(slice, loads), loads
}

// needed keeps those of the ops that the loads depend on, and the loads.
func needed(slice, loads []*simt.Op) (kept []*simt.Op) {
	want := map[*simt.Op]bool{}
	for _, op := range loads {
		want[op] = true
	}
	for i := len(slice) - 1; i >= 0; i-- {
		if want[slice[i]] {
			for _, a := range slice[i].Args {
				if a.Op != nil {
					want[a.Op] = true
				}
			}
		}
	}
	for _, op := range slice {
		if want[op] {
			kept = append(kept, op)
		}
	}
	return kept
}

// lastSharedStore is the position of the last op of a body that puts what was
// loaded into shared memory, -1 if there is none.
func lastSharedStore(body *simt.Block, loads []*simt.Op) int {
	derived := map[*simt.Value]bool{}
	for _, op := range loads {
		derived[op.Result()] = true
	}
	last := -1
	for i, op := range body.Ops {
		uses := false
		for _, a := range op.Args {
			uses = uses || derived[a]
		}
		if !uses {
			continue
		}
		for _, v := range op.Out {
			derived[v] = true
		}
		if op.StoresShared() {
			last = i
		}
	}
	return last
}

// splice drops the loads and inserts ops after position at.
func splice(ops []*simt.Op, at int, insert, drop []*simt.Op) (out []*simt.Op) {
	gone := map[*simt.Op]bool{}
	for _, op := range drop {
		gone[op] = true
	}
	for i, op := range ops {
		if !gone[op] {
			out = append(out, op)
		}
		if i == at {
			out = append(out, insert...)
		}
	}
	return out
}

// cloner copies ops with some values replaced.
type cloner struct {
	ids    *simt.Builder
	values map[*simt.Value]*simt.Value
	ops    []*simt.Op
	inside *simt.Value // holds if the iteration exists, nil if it does for sure; joins the masks of loads
}

func (c *cloner) emit(op *simt.Op, t simt.Type, hint string) *simt.Value {
	v := c.ids.NewValue(t, hint)
	v.Op, op.Out = op, []*simt.Value{v}
	c.ops = append(c.ops, op)
	return v
}

// ahead is the index of a later iteration of a loop, by more than that of the one at hand, and whether there is one.
func (c *cloner) ahead(loop *simt.Op, by *simt.Value, hint string) (next, more *simt.Value) {
	index, hi, truth := loop.Body.Args[0], loop.Args[1], simt.Scalar(dtype.Bool)
	next = c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{index, by}}, index.Type, hint)
	if n, known := simt.ConstOf(by); !loop.Wraps || known && n == 1 {
		return next, c.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{next, hi}}, truth, "more")
	}
	unsigned := func(v *simt.Value) *simt.Value {
		return c.emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{v}}, simt.Scalar(dtype.U32), "")
	}
	left := c.emit(&simt.Op{Kind: simt.Sub, Args: []*simt.Value{unsigned(hi), unsigned(index)}}, simt.Scalar(dtype.U32), "left")
	return next, c.emit(&simt.Op{Kind: simt.Gt, Args: []*simt.Value{left, unsigned(by)}}, truth, "more")
}

// guard makes loads conditional on index < hi.
func (c *cloner) guard(index, hi *simt.Value) {
	c.inside = c.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{index, hi}}, simt.Scalar(dtype.Bool), "more")
}

func (c *cloner) clone(ops []*simt.Op) {
	for _, op := range ops {
		copied := *op
		copied.Args = nil
		for _, a := range op.Args {
			if v := c.values[a]; v != nil {
				a = v
			}
			copied.Args = append(copied.Args, a)
		}
		if op.Kind == simt.Load && c.inside != nil {
			mask := c.inside
			if old := copied.Mask(); old != nil {
				mask = c.emit(&simt.Op{Kind: simt.And, Args: []*simt.Value{old, mask}, Line: op.Line}, mask.Type, "")
			}
			copied.Args = []*simt.Value{copied.Args[0], mask}
		}
		c.values[op.Result()] = c.emit(&copied, op.Result().Type, op.Result().Hint)
	}
}
