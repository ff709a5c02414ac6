// Package memo is for those who write ops: it remembers what the calls of an op launch, so that
// a call like one before checks, chooses and allocates nothing.
//
// It stands above package weft, whose Device.Memoize it is made of, and below package ops, whose
// ops that are given their result (MatMulInto and the like) use it:
//
//	var calls = memo.New(func(o options, t []*weft.Tensor) error { return run(o, t[0], t[1]) })
//
//	func MyOpInto(out, x *weft.Tensor, o options) error { return calls.Run(o, out, x) }
package memo
