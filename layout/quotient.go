package layout

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// Quotient returns q such that l is a repeated by q: the left division of the
// direct product. It answers whether the pieces that an instruction works on (a)
// tile a distribution, and how the tile continues beyond one piece.
//
// Law: Product(a, q) equals l, up to the order of the inputs. q has the inputs of
// l, in order, without the low bits that a has.
//
// Errors: fault.ErrShape if the ranks differ, fault.ErrUnsupported, with the
// reason, if l is no such product.
func (l Linear) Quotient(a Linear) (Linear, error) {
	if len(a.shape) != len(l.shape) {
		return Linear{}, fault.New(fault.ErrShape, "quotient", "tiles %s and %s differ in rank, want the same", tuple(l.shape), tuple(a.shape))
	}
	q := Linear{shape: l.Shape(), names: l.names}
	for d, n := range a.shape {
		if n > q.shape[d] {
			return Linear{}, fault.New(fault.ErrUnsupported, "quotient", "size %d of dimension %d is not a multiple of %d", q.shape[d], d, n)
		}
		q.shape[d] /= n
	}
	for i, name := range a.names {
		if len(a.bases[i]) > l.Bits(name) {
			return Linear{}, fault.New(fault.ErrUnsupported, "quotient", "input %q has %s, want at least %d", name, fault.Count(l.Bits(name), "bit"), len(a.bases[i]))
		}
	}
	for i, name := range l.names {
		own := a.Bits(name)
		for bit := range own {
			if got, want := l.Basis(name, bit), a.Basis(name, bit); !slices.Equal(got, want) {
				return Linear{}, fault.New(fault.ErrUnsupported, "quotient", "bit %d of input %q is %s, want %s", bit, name, tuple(got), tuple(want))
			}
		}
		rest := make([]int, 0, len(l.bases[i])-own)
		for bit := own; bit < len(l.bases[i]); bit++ {
			coord := l.Basis(name, bit)
			for d, n := range a.shape {
				if coord[d]%n != 0 {
					return Linear{}, fault.New(fault.ErrUnsupported, "quotient", "bit %d of input %q is %s, which is within one tile %s", bit, name, tuple(l.Basis(name, bit)), tuple(a.shape))
				}
				coord[d] /= n
			}
			rest = append(rest, q.pack(coord))
		}
		q.bases = append(q.bases, rest)
	}
	return q, nil
}

// Sublayout keeps some inputs, the others at 0, and some dimensions, in the given
// order. Inputs that l does not have get no bits.
//
// Law: Sublayout(ins, dims).Apply(x)[i] == l.Apply(x)[dims[i]] for inputs x of ins.
//
// Errors: fault.ErrArgument for a dimension that is not there, or an input or a
// dimension that is given twice.
func (l Linear) Sublayout(ins []string, dims []int) (Linear, error) {
	var r Linear
	for i, d := range dims {
		if d < 0 || d >= len(l.shape) || slices.Contains(dims[:i], d) {
			return Linear{}, fault.New(fault.ErrArgument, "sublayout", "dimensions %v of tile %s do not exist, or one is given twice", dims, tuple(l.shape))
		}
		r.shape = append(r.shape, l.shape[d])
	}
	for i, name := range ins {
		if slices.Contains(ins[:i], name) {
			return Linear{}, fault.New(fault.ErrArgument, "sublayout", "input %q is given twice", name)
		}
		var bases []int
		for bit := range l.Bits(name) {
			from := l.Basis(name, bit)
			coord := make([]int, len(dims))
			for i, d := range dims {
				coord[i] = from[d]
			}
			bases = append(bases, r.pack(coord))
		}
		r.names, r.bases = append(r.names, name), append(r.bases, bases)
	}
	return r, nil
}
