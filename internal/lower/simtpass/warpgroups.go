package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Warpgroups that share a tile need nothing of each other but the stages of its copies, where each stores its own rows: then each is a group of consumers of
// its own, which meets at barriers of its own. One of them stores what it has, while another still multiplies, and goes on with the next tile. (The cooperative
// schedule of NVIDIA's CUTLASS has them meet at each tile's end.)
type ownRows struct {
	*roleSplit
	groups int
	role   *simt.Block
	loops  []tensorLoop
}

// ownRows is how warpgroups go on by themselves, nil if they do not.
func (sp *roleSplit) ownRows(loops []tensorLoop) *ownRows {
	k := sp.Kernel
	roles := k.Body.Ops[len(k.Body.Ops)-1]
	o := &ownRows{roleSplit: sp, groups: k.Threads / simt.WarpgroupMMA.Threads, role: roles.Else, loops: loops}
	if k.Consumers > 1 || o.groups < 2 || !sp.Distinct || !o.alone(roles) {
		return nil
	}
	return o
}

// alone reports whether the warpgroups share stages of copies alone.
func (o *ownRows) alone(roles *simt.Op) bool {
	own, others := map[*simt.Shared]bool{}, map[*simt.Shared]bool{} // arrays of which warpgroups have parts, and all others that are stored
	simt.Walk(o.role, func(op *simt.Op) {
		if op.Kind == simt.TensorStore {
			of := others
			if op.Warpgroup > 0 {
				of = own
			}
			of[op.Shared] = true
		}
	})
	found := len(own) > 0 && len(others) == 0
	simt.Walk(o.role, func(op *simt.Op) {
		switch op.Kind {
		case simt.StoreMatrix, simt.SharedStore, simt.TensorStore:
			found = found && own[op.Shared]
		case simt.Load:
			found = found && !op.Buffer.Write
		case simt.Arrive, simt.Wait, simt.MatrixPlace, simt.GroupMMA, simt.GroupWait, simt.StoreWait, simt.For, simt.If, simt.Yield:
		default:
			found = found && op.Kind.IsPure()
		}
	})
	used := simt.UsesIn(roles.Body)
	for _, op := range o.byThread() {
		found = found && op.Kind.IsPure() && !slices.ContainsFunc(op.Out, func(v *simt.Value) bool { return used.Block(v) != nil })
	}
	return found
}

// byThread lists the ops before the roles whose results threads have of their own.
func (o *ownRows) byThread() (list []*simt.Op) {
	own := map[*simt.Value]bool{}
	for _, op := range o.Kernel.Body.Ops[:len(o.Kernel.Body.Ops)-1] {
		if op.Kind == simt.ThreadID || op.Kind == simt.WarpgroupID || slices.ContainsFunc(op.Args, func(a *simt.Value) bool { return own[a] }) {
			list = append(list, op)
			for _, v := range op.Out {
				own[v] = true
			}
		}
	}
	return list
}

// take makes each warpgroup a group.
func (o *ownRows) take() {
	k := o.Kernel
	list := o.byThread()
	k.Body.Ops = slices.DeleteFunc(k.Body.Ops, func(op *simt.Op) bool { return slices.Contains(list, op) })
	o.role.Ops = slices.Concat(list, o.role.Ops)
	e := o.edit.New()
	group := e.Name("consumer", e.Emit(&simt.Op{Kind: simt.ConsumerID}, simt.Scalar(dtype.I32)))
	within := e.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	thread := e.Name("thread", e.Binary(simt.Add, within, e.Binary(simt.Mul, group, e.Int(simt.WarpgroupMMA.Threads))))
	simt.Walk(o.role, func(op *simt.Op) {
		switch op.Kind {
		case simt.ThreadID:
			e.Replace(op.Result(), thread)
		case simt.WarpgroupID:
			e.Replace(op.Result(), group)
		}
	})
	e.ReplaceUses(o.role)
	begin := e.Take()
	o.stores(e, group)
	simt.Erase(o.role, func(op *simt.Op) bool { return op.Kind == simt.ThreadID || op.Kind == simt.WarpgroupID })
	o.role.Ops = slices.Concat(begin, o.role.Ops)
	k.Threads, k.Consumers = simt.WarpgroupMMA.Threads, o.groups
	o.Notes = append(o.Notes, fmt.Sprintf("%s: each of %d warpgroups goes on by itself", o.loops[0].path[0].Line, o.groups))
}

// stores lets each group store what it wrote.
func (o *ownRows) stores(e *simt.Editor, group *simt.Value) {
	var args [][]*simt.Value // of the stores that are one now
	e.Rewrite(o.role, func(op *simt.Op) {
		op.Cost /= o.groups
		switch {
		case op.Kind == simt.StoreWait:
			op.Pending /= o.groups
		case op.Kind == simt.TensorStore:
			if args = append(args, op.Args); op.Warpgroup < o.groups {
				return
			}
			op.Args = slices.Clone(op.Args)
			for i := range op.Args {
				op.Args[i] = ofGroup(e, group, args, i)
			}
			op.Warpgroup, args = 0, nil
		}
		e.Do(op)
	})
}

// ofGroup is one operand of the store of a group.
func ofGroup(e *simt.Editor, group *simt.Value, args [][]*simt.Value, i int) *simt.Value {
	v := args[0][i]
	for g, other := range args[1:] {
		if other[i] != v {
			v = e.Select(e.Binary(simt.Eq, group, e.Int(g+1)), other[i], v)
		}
	}
	return v
}
