// Package memo is for authors of ops: it remembers what the calls of an op launch, so that
// a repeated call checks, chooses and allocates nothing.
//
// It is above package weft, whose Device.Memoize it uses, and below package ops, whose
// ops that are given their result (MatMulInto and the like) use it:
//
//	var calls = memo.New(func(o options, t []*weft.Tensor) error { return run(o, t[0], t[1]) })
//
//	func MyOpInto(out, x *weft.Tensor, o options) error { return calls.Run(o, out, x) }
package memo
