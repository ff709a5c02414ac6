package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// life says which ops are needed and how long values are.
type life struct {
	needed   map[*tile.Op]bool
	home     map[*tile.Value]*tile.Region // the region that defines a value
	last     map[*tile.Value]*tile.Op     // the last op of that region that uses it, itself or in its body
	dying    map[*tile.Op][]*tile.Value   // the inverse of last
	wide     map[*tile.Op]*tile.Region    // bodies of combines over whole rows
	users    map[*tile.Value][]*tile.Op   // the ops that use a value themselves
	operands map[*tile.Op][]operand       // of products that read them where they are
	argsOf   map[*tile.Op][]*tile.Value   // what these take
	how      manner
	orders   map[*tile.Region]grouped
}

func lifeOf(k *tile.Func, how manner) life {
	l := life{
		how:      how,
		users:    map[*tile.Value][]*tile.Op{},
		operands: map[*tile.Op][]operand{},
		argsOf:   map[*tile.Op][]*tile.Value{},
		orders:   map[*tile.Region]grouped{},
		needed:   map[*tile.Op]bool{},
		home:     map[*tile.Value]*tile.Region{},
		last:     map[*tile.Value]*tile.Op{},
		dying:    map[*tile.Op][]*tile.Value{},
		wide:     map[*tile.Op]*tile.Region{},
	}
	l.mark(k.Body)
	if how > copying {
		users := map[*tile.Value]int{}
		l.count(k.Body, users)
		l.takeIn(k.Body, users)
	}
	l.findUsers(k.Body)
	l.walk(k.Body, nil)
	for v, op := range l.last {
		l.dying[op] = append(l.dying[op], v)
	}
	for _, list := range l.dying { // the same registers in every run
		slices.SortFunc(list, func(a, b *tile.Value) int { return a.ID() - b.ID() })
	}
	return l
}

// order is a region's needed ops as they run.
func (l *life) order(r *tile.Region) grouped {
	o, ok := l.orders[r]
	switch {
	case ok:
	case l.how > inGo:
		o = groupsOf(r, l)
	default:
		o.ops = slices.DeleteFunc(slices.Clone(r.Ops), func(op *tile.Op) bool { return !l.needed[op] })
	}
	l.orders[r] = o
	return o
}

// body is what an op runs: that of a combine works on whole rows of its tiles.
func (l *life) body(op *tile.Op) *tile.Region {
	if op.Kind.Fact().Class != tile.Combine {
		return op.Body
	}
	if l.wide[op] == nil {
		a := axisOf(op.Args[0].Type().Shape, op.Axis)
		l.wide[op] = op.Widen(a.outer * a.inner)
	}
	return l.wide[op]
}

// bodies lists what an op runs.
func (l *life) bodies(op *tile.Op) []*tile.Region {
	if op.Kind.Fact().Class == tile.Combine {
		return []*tile.Region{l.body(op)}
	}
	return op.Regions()
}

// mark finds the ops that have an effect or whose results are used by one that
// has. Operands come before their uses, so one pass from the end is enough.
func (l *life) mark(r *tile.Region) {
	for i := len(r.Ops) - 1; i >= 0; i-- {
		op := r.Ops[i]
		if !op.Kind.HasEffect() && !l.needed[op] {
			continue
		}
		l.needed[op] = true
		for _, body := range l.bodies(op) {
			l.mark(body)
		}
		for _, a := range op.Args {
			if a.Op() != nil {
				l.needed[a.Op()] = true
			}
		}
	}
}

// args are the values that an op takes.
func (l *life) args(op *tile.Op) []*tile.Value {
	if list, ok := l.argsOf[op]; ok {
		return list
	}
	return op.Args
}

// count counts the uses of values by needed ops.
func (l *life) count(r *tile.Region, users map[*tile.Value]int) {
	for _, op := range r.Ops {
		if !l.needed[op] {
			continue
		}
		for _, a := range op.Args {
			users[a]++
		}
		for _, body := range l.bodies(op) {
			l.count(body, users)
		}
	}
}

// findUsers finds the needed ops that use values.
func (l *life) findUsers(r *tile.Region) {
	for _, op := range r.Ops {
		if l.needed[op] {
			for _, a := range l.args(op) {
				l.users[a] = append(l.users[a], op)
			}
			for _, body := range l.bodies(op) {
				l.findUsers(body)
			}
		}
	}
}

// frame is an op whose body is being walked.
type frame struct {
	region *tile.Region
	op     *tile.Op
	outer  *frame
}

func (l *life) walk(r *tile.Region, outer *frame) {
	for _, a := range r.Args {
		l.home[a] = r
	}
	for _, op := range l.order(r).ops {
		here := &frame{r, op, outer}
		args := l.args(op)
		if op.Kind == tile.OpCondition { // a While's results are what its body's arguments hold here
			args = append(slices.Clone(args), r.Args...)
		}
		for _, a := range args {
			for f := here; f != nil; f = f.outer {
				if f.region == l.home[a] {
					l.last[a] = f.op
				}
			}
		}
		for _, body := range l.bodies(op) {
			l.walk(body, here)
		}
		for _, v := range op.Out {
			l.home[v] = r
		}
	}
}

// usedIn reports whether a needed op of a region uses v.
func (l *life) usedIn(r *tile.Region, v *tile.Value) bool {
	for _, op := range r.Ops {
		if !l.needed[op] {
			continue
		}
		if count(l.args(op), v) > 0 {
			return true
		}
		for _, body := range l.bodies(op) {
			if l.usedIn(body, v) {
				return true
			}
		}
	}
	return false
}
