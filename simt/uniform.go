package simt

import "slices"

// control checks a Branch or a While.
func (v *verifier) control(op *Op) error {
	blocks, n := op.Blocks(), len(op.Out)
	initial, params := []*Value(nil), []*Value(nil)
	switch {
	case op.Kind == Branch && len(blocks) != 2, op.Kind == While && len(blocks) != 1:
		return v.fail(op, "%d bodies", len(blocks))
	case op.Kind == While:
		if initial, params = op.Carried(); len(initial) != n || len(params) != n || breaks(op.Body) != 1 {
			return v.fail(op, "malformed loop of %d operands, %d results and %d breaks", len(initial), n, breaks(op.Body))
		}
	}
	for _, b := range blocks {
		if len(b.Ops) == 0 || op.Kind == Branch && len(b.Args) != 0 {
			return v.fail(op, "malformed body")
		}
		end := b.Ops[len(b.Ops)-1]
		if end.Kind != Yield || len(end.Args) != n {
			return v.fail(op, "a body does not yield %d values", n)
		}
		for i, out := range op.Out {
			if end.Args[i].Type != out.Type || initial != nil && (initial[i].Type != out.Type || params[i].Type != out.Type) {
				return v.fail(op, "value %d changes its type", i)
			}
		}
		if err := v.block(b, op, false); err != nil {
			return err
		}
	}
	return nil
}

// breakOf is the Break of a While.
func breakOf(loop *Op) *Op {
	return loop.Body.Ops[slices.IndexFunc(loop.Body.Ops, func(op *Op) bool { return op.Kind == Break })]
}

func breaks(b *Block) (n int) {
	for _, op := range b.Ops {
		if op.Kind == Break {
			n++
		}
	}
	return n
}

// uniform proves that the conditions on which all threads have to agree are the
// same in all of them: they are computed without the thread's number and without
// anything that a thread loads alone. So are the conditions of branches and the bounds of loops in which threads meet or exit.
func (v *verifier) uniform(k *Func) error {
	if k.Threads == 1 {
		return nil
	}
	u := uniformity{differs: make([]bool, nextID(k.Body)), source: differsByThread}
	u.solve(k.Body)
	var check func(b *Block) (meets bool, err error)
	check = func(b *Block) (meets bool, err error) {
		for _, op := range b.Ops {
			inner := false
			for _, body := range op.Blocks() {
				m, err := check(body)
				if err != nil {
					return false, err
				}
				inner = inner || m
			}
			conditions := 0
			switch op.Kind {
			case Break, Exit:
				conditions = 1
			case Branch:
				if inner {
					conditions = 1
				}
			case For:
				if inner {
					conditions = 3
				}
			}
			for _, a := range op.Args[:conditions] {
				if u.differs[a.ID] {
					return false, v.fail(op, "%v may differ between threads", a)
				}
			}
			meets = meets || inner || isCollective(op) || op.Kind == Exit
		}
		return meets, nil
	}
	_, err := check(k.Body)
	return err
}

// SameInThreads tells of the values of a kernel which are the same in all threads of a workgroup.
func SameInThreads(k *Func) func(v *Value) bool {
	u := uniformity{differs: make([]bool, nextID(k.Body)), source: differsByThread}
	u.solve(k.Body)
	return func(v *Value) bool { return v.ID < len(u.differs) && !u.differs[v.ID] }
}

// differsByThread reports whether the threads of a workgroup get results of an op that differ though its operands do not.
func differsByThread(op *Op) bool {
	switch op.Kind {
	case Load:
		return op.Buffer.Write
	case SharedLoad:
		return !op.Uniform
	}
	return op.Kind.has(byThread)
}

// uniformity finds the values that may differ between those who execute a kernel alike: the threads of a workgroup, or the workgroups of
// a cluster. It goes by their numbers: of two values with one, both differ where one does.
type uniformity struct {
	differs []bool
	changed bool
	source  func(op *Op) bool // whether results differ though operands do not
	same    func(op *Op) bool // whether they do not though operands do; nil for never
}

// solve finds them in a body.
func (u *uniformity) solve(b *Block) {
	for u.changed = true; u.changed; { // loops carry values backwards
		u.changed = false
		u.block(b)
	}
}

func (u *uniformity) flow(to *Value, from ...*Value) {
	for _, a := range from {
		if u.differs[a.ID] {
			u.mark(to)
		}
	}
}

func (u *uniformity) mark(v *Value) {
	if !u.differs[v.ID] {
		u.differs[v.ID], u.changed = true, true
	}
}

func (u *uniformity) block(b *Block) {
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			u.block(body)
		}
		switch {
		case op.Kind.IsLoop():
			initial, params := op.Carried()
			for i, out := range op.Out {
				u.flow(params[i], initial[i], op.Body.Ops[len(op.Body.Ops)-1].Args[i])
				u.flow(out, params[i])
				if op.Kind == For { // which may be left at different times
					u.flow(out, op.Args[:3]...)
				} else {
					u.flow(out, breakOf(op).Args...)
				}
			}
			if op.Kind == For {
				u.flow(op.Body.Args[0], op.Args[:3]...)
			}
		case op.Kind == Branch:
			for i, out := range op.Out {
				u.flow(out, op.Yields(i)...)
				u.flow(out, op.Args...)
			}
		case u.source(op):
			for _, out := range op.Out {
				u.mark(out)
			}
		case u.same != nil && u.same(op):
		default:
			for _, out := range op.Out {
				u.flow(out, op.Args...)
			}
		}
	}
}
