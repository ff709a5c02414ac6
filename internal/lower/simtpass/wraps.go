package simtpass

import "github.com/weftgpu/weft/simt"

// wraps marks the arithmetic on signed integers that may overflow. In C++ a signed sum that overflows has no meaning,
// and compilers make use of that. They may for indices, which lowering keeps in range, but a user's numbers must wrap.
// They are told apart by where they come from.
func wraps(r *Context) {
	data := dataOf(r.Kernel)
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		switch op.Kind {
		case simt.Neg, simt.Add, simt.Sub, simt.Mul:
			e := op.Args[0].Type.Elem
			for _, a := range op.Args {
				op.Wraps = op.Wraps || e.IsInt() && e.IsSigned() && *data.At(a)
			}
		}
	})
}

// dataOf returns the values that depend on what is loaded, converted or moved between threads.
func dataOf(k *simt.Func) *simt.Table[bool] {
	data := &simt.Table[bool]{}
	data.Hold(k.Body)
	for changed := true; changed; { // loops carry values backwards
		changed = spreadData(k.Body, data)
	}
	return data
}

func spreadData(b *simt.Block, data *simt.Table[bool]) (changed bool) {
	flow := func(to *simt.Value, from ...*simt.Value) {
		if *data.At(to) {
			return
		}
		for _, v := range from {
			if *data.At(v) {
				*data.At(to), changed = true, true
			}
		}
	}
	for _, op := range b.Ops {
		r := op.Result()
		switch op.Kind {
		case simt.Load, simt.SharedLoad, simt.Atomic, simt.Convert, simt.Bitcast, simt.ShuffleXor, simt.MMA:
			changed = changed || !*data.At(r)
			*data.At(r) = true
		case simt.Select: // the truth that chooses is no part of what is chosen
			flow(r, op.Args[1:]...)
		case simt.For, simt.While, simt.Branch:
			initial, params := op.Carried()
			for i, out := range op.Out {
				from := op.Yields(i)
				if initial != nil {
					from = append(from, initial[i])
					flow(params[i], from...)
				}
				flow(out, from...)
			}
		default:
			if r != nil {
				flow(r, op.Args...)
			}
		}
		for _, body := range op.Blocks() {
			changed = spreadData(body, data) || changed
		}
	}
	return changed
}
