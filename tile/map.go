package tile

import (
	"path/filepath"
	"reflect"
	"runtime"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Map applies a function of single elements to tiles of one shape, or with dimensions of size 1, or to scalars, and
// returns a value of that shape, to which a smaller result is broadcast. The kernel fails with
// fault.ErrKernel, the op and its line if the function uses more than the elements side by side: which elements
// are in one tile is the launch's choice, and must not change what the function means. So there are no
//
//   - reductions, scans and products of matrices
//   - changes of shape or order, but for scalars and constants that become tiles
//   - coordinates: Iota, ProgramID and sizes. Random numbers need them; they are for kernels
//   - loads, stores, atomic ops and exits
//   - assertions, which elements beyond a tensor's edges would have to pass, too. Print and Break are allowed
//
// Branches and loops go by scalars; what variables carry through them has such a shape, too.
func (k *Builder) Map(name string, f func(in []*Value) *Value, in ...*Value) *Value {
	m := &elementMap{k: k, name: name}
	for _, v := range in {
		if v == nil || v.typ.Elem == dtype.Invalid || !k.owns(name, v) {
			k.fail(fault.New(fault.ErrKernel, name, "an input is missing"))
			return k.newValue(Type{}, nil)
		}
		if !m.grow(v.typ.Shape) {
			k.fail(fault.New(fault.ErrShape, name, "an input of shape %v beside one of %v", v.typ.Shape, m.shape))
			return k.newValue(Type{}, nil)
		}
	}
	region, start := k.region, len(k.region.Ops)
	views, scalars, grid, schedule := len(k.kernel.Views), len(k.kernel.Scalars), k.kernel.Grid, k.kernel.Schedule
	out := f(slices.Clone(in))
	if k.err != nil {
		return k.newValue(Type{}, nil)
	}
	line := lineOf(f).String()
	switch {
	case len(k.kernel.Views) != views || len(k.kernel.Scalars) != scalars:
		k.fail(fault.New(fault.ErrKernel, name, "a map declares no parameters").At(line))
	case k.kernel.Grid != grid || k.kernel.Schedule != schedule:
		k.fail(fault.New(fault.ErrKernel, name, "a map has no grid and no schedule of its own").At(line))
	case k.region != region || len(region.Ops) < start:
		k.fail(fault.New(fault.ErrKernel, name, "a loop or a branch of the map is not complete").At(line))
	case out == nil || out.typ.Elem == dtype.Invalid:
		k.fail(fault.New(fault.ErrKernel, name, "the map returns no value").At(line))
	default:
		m.check(region.Ops[start:])
		if k.owns(name, out) && !m.fits(out.typ) {
			k.fail(fault.New(fault.ErrShape, name, "the map returns %v for elements of shape %v", out.typ, m.shape).At(line))
		}
	}
	if k.err != nil {
		return k.newValue(Type{}, nil)
	}
	switch {
	case out.typ.IsScalar() && len(m.shape) > 0:
		return out.Splat(m.shape...)
	case out.typ.IsScalar():
		return out
	}
	return out.Broadcast(m.shape...)
}

// elementMap is a map that is being applied.
type elementMap struct {
	k     *Builder
	name  string
	shape []int // of its elements, empty for scalars
}

// grow makes the shape one to which another broadcasts, too, and reports whether there is one.
func (m *elementMap) grow(shape []int) bool {
	switch {
	case len(shape) == 0:
	case len(m.shape) == 0:
		m.shape = slices.Clone(shape)
	case len(m.shape) != len(shape):
		return false
	default:
		for d, n := range shape {
			if n != m.shape[d] && min(n, m.shape[d]) != 1 {
				return false
			}
			m.shape[d] = max(m.shape[d], n)
		}
	}
	return true
}

// fits reports whether values of a type are elements side by side.
func (m *elementMap) fits(t Type) bool {
	if t.IsScalar() {
		return true
	}
	if len(t.Shape) != len(m.shape) {
		return false
	}
	for d, n := range t.Shape {
		if n != m.shape[d] && n != 1 {
			return false
		}
	}
	return true
}

// check fails for the first op that does more than compute with elements side by side.
func (m *elementMap) check(ops []*Op) {
	for _, op := range ops {
		if !isElementwise(op.Kind) {
			m.k.fail(fault.New(fault.ErrKernel, m.name, "%v within a map, which is a function of single elements", op.Kind).At(op.Pos.String()))
			return
		}
		for _, v := range op.Out {
			if !m.fits(v.typ) {
				m.k.fail(fault.New(fault.ErrShape, m.name, "%v of %v within a map of elements of shape %v", op.Kind, v.typ, m.shape).At(op.Pos.String()))
				return
			}
		}
		for _, r := range []*Region{op.Body, op.Else} {
			if r != nil {
				m.check(r.Ops)
			}
		}
	}
}

// isElementwise reports whether an op gives each element what follows from the elements at its place.
func isElementwise(kind Kind) bool {
	switch kind.Fact().Class {
	case Unary, Binary, Compare, Ternary:
		return true
	}
	switch kind {
	case OpConst, OpSplat, OpBroadcast, OpFor, OpYield, OpIf, OpWhile, OpCondition, OpPrint, OpBreakpoint, OpMultipleOf:
		return true
	}
	return false
}

// lineOf is the line where a function begins.
func lineOf(f any) Pos {
	p := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if p == nil {
		return Pos{}
	}
	file, line := p.FileLine(p.Entry())
	return Pos{File: filepath.Base(file), Line: line}
}
