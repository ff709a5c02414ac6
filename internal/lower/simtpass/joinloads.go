package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Loads that are joined: the fewest that are worth a branch, and the most words of a thread.
const leastJoined, mostJoined = 4, 64

// joinLoads lets masked loads of a loop that waits for them, and those before it of its first iteration, share a branch where they follow each other: without masks where all of them hold, and with the masks
// elsewhere. In SPIR-V a masked load reads the first element where its mask is false, and what it gave is replaced after that. By the times NVIDIA's compiler waits for each such load by
// itself. (8 rows of 8191 keys of 8 heads of 128 elements of F16 by Vulkan: 41 µs, 21 with one branch.)
//
// What loops carry is left alone, since a branch's results would have to be copied, and so is what is the same in all threads, such as lengths: the results of a branch are not, by masks
// of others.
func joinLoads(r *Context) {
	if r.Caps.Language != target.SPIRV {
		return
	}
	same := simt.SameInThreads(r.Kernel)
	in := func(b *simt.Block) {
		if b != nil && slices.ContainsFunc(b.Ops, func(op *simt.Op) bool { return op.Kind == simt.For && awaitsLoads(op) }) {
			joinIn(r, b, same)
		}
	}
	in(r.Kernel.Body)
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		switch {
		case op.Kind.IsLoop() && awaitsLoads(op):
			joinIn(r, op.Body, same)
		default:
			in(op.Body)
			in(op.Else)
		}
	})
}

// mostProducts are the most products of matrices for each load of a loop that waits for its loads.
const mostProducts = 2

// awaitsLoads reports whether a loop waits for its loads more than for anything else: by few products of matrices for what it loads in whole words, as of attention of few queries, or without a
// count, as where parts are combined. (Loops of other products were not timed.)
func awaitsLoads(loop *simt.Op) bool {
	products, loads, elements := 0, 0, 0
	simt.Walk(loop.Body, func(op *simt.Op) {
		switch {
		case op.Kind == simt.CooperativeMulAdd:
			products++
		case op.Kind == simt.Load && op.Packed:
			loads++
		case op.Kind == simt.Load && op.Mask() != nil && op.Result().Type.Elem.IsFloat():
			elements++
		}
	})
	if loop.Kind == simt.While {
		return products == 0
	}
	return products > 0 && elements == 0 && products <= mostProducts*loads
}

// A joining is a run of ops of a block from a masked load on, up to one with effects.
type joining struct {
	*simt.Editor
	first, loads, later []*simt.Op // what loads do not depend on, they, and what depends on them
	run                 []*simt.Op // all of them in order
	given               map[*simt.Value]bool
	words               int
}

func joinIn(r *Context, b *simt.Block, same func(v *simt.Value) bool) {
	carried := map[*simt.Value]bool{}
	for _, op := range b.Ops {
		if op.Kind.IsLoop() || op.Kind == simt.Yield {
			for _, v := range op.Args {
				carried[v] = true
			}
		}
	}
	j := &joining{Editor: simt.Edit(r.Kernel).New(), given: map[*simt.Value]bool{}}
	before, list := len(b.Ops), slices.Clone(b.Ops)
	var ops []*simt.Op
	for _, op := range list {
		masked := op.Kind == simt.Load && op.Mask() != nil && !carried[op.Result()] && !same(op.Result())
		depends := slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return j.given[v] })
		words := 0
		if masked {
			words = op.Result().Type.Width
		}
		if !op.Kind.IsPure() && (depends || op.Kind != simt.Load) || j.words+words > mostJoined {
			ops = append(ops, j.end()...)
			depends = false
		}
		switch {
		case masked:
			j.loads, j.words = append(j.loads, op), j.words+words
			j.given[op.Result()] = true
		case len(j.loads) == 0:
			ops = append(ops, op)
			continue
		case depends:
			j.later = append(j.later, op)
			for _, v := range op.Out {
				j.given[v] = true
			}
		default:
			j.first = append(j.first, op)
		}
		j.run = append(j.run, op)
	}
	ops = append(ops, j.end()...)
	b.Ops = append(slices.Clone(b.Ops[:len(b.Ops)-before]), ops...) // after constants at the kernel's entry
}

// end is the run as it is to be.
func (j *joining) end() (ops []*simt.Op) {
	if ops = j.run; len(j.loads) >= leastJoined {
		j.Append(j.first...)
		j.branch()
		j.Append(j.later...)
		ops = j.Take()
	}
	j.first, j.loads, j.later, j.run, j.words = nil, nil, nil, nil, 0
	clear(j.given)
	return ops
}

// branch appends the branch.
func (j *joining) branch() {
	var masks []*simt.Value
	for _, op := range j.loads {
		if m := op.Mask(); !slices.Contains(masks, m) {
			masks = append(masks, m)
		}
	}
	all := masks[0]
	for _, m := range masks[1:] {
		all = j.Binary(simt.And, all, m)
	}
	branch := &simt.Op{Kind: simt.Branch, Args: []*simt.Value{all}, Line: j.loads[0].Line}
	yes, no := j.New(), j.New()
	var with, without []*simt.Value
	for _, op := range j.loads {
		whole := yes.Copy(op)
		whole.Args, whole.Fill = whole.Args[:1], 0
		yes.Append(whole)
		without = append(without, whole.Result())
		if len(masks) == 1 {
			with = append(with, no.Const(op.Result().Type, op.Fill))
		} else {
			some := no.Copy(op)
			no.Append(some)
			with = append(with, some.Result())
		}
		op.Result().Op = branch
		branch.Out = append(branch.Out, op.Result())
	}
	yes.Append(&simt.Op{Kind: simt.Yield, Args: without})
	no.Append(&simt.Op{Kind: simt.Yield, Args: with})
	branch.Body, branch.Else = &simt.Block{Ops: yes.Take()}, &simt.Block{Ops: no.Take()}
	j.Append(branch)
}
