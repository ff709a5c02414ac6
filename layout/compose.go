package layout

import (
	"slices"
	"strconv"

	"github.com/weftgpu/weft/fault"
)

func (l Linear) inputBits() int { return len(slices.Concat(l.bases...)) }

func (l Linear) outputBits() int {
	sum := 0
	for _, n := range l.shape {
		sum += log2(n)
	}
	return sum
}

// IsSurjective reports whether every element of the tile is held somewhere.
func (l Linear) IsSurjective() bool { return len(l.eliminate()) == l.outputBits() }

// IsInjective reports whether no element is held twice.
func (l Linear) IsInjective() bool { return len(l.eliminate()) == l.inputBits() }

// DimName names the input of an Inverse that stands for a dimension: "dim0", "dim1", ..
func DimName(dim int) string { return "dim" + strconv.Itoa(dim) }

// Inverse returns a right inverse: a layout from coordinates (inputs DimName(0),
// DimName(1), ..) to input values (one dimension for each of l.Inputs()). Of the
// places that hold an element it names the one that uses the earliest bits; free
// bits, and all bits whose basis depends on earlier ones, are 0.
//
// Law: l.Eval(l.Inverse().Eval(c...)...) equals c for every coordinate c. If only
// free bits are replicated, l.Inverse().Eval(l.Eval(x...)...) is x with the free
// bits cleared.
//
// Errors: fault.ErrUnsupported if l is not surjective, fault.ErrLimit if its
// inputs have too many bits together.
func (l Linear) Inverse() (Linear, error) {
	if l.inputBits() > maxBits {
		return Linear{}, fault.New(fault.ErrLimit, "inverse", "%v has %d bits of inputs, want at most %d", l, l.inputBits(), maxBits)
	}
	s := l.eliminate()
	if len(s) != l.outputBits() {
		return Linear{}, fault.New(fault.ErrUnsupported, "inverse", "%v does not reach every element of its tile", l)
	}
	var inv Linear
	for _, b := range l.bases {
		inv.shape = append(inv.shape, 1<<len(b))
	}
	for d, n := range l.shape {
		packed := make([]int, log2(n))
		for bit := range packed {
			_, from := s.reduce(1 << (l.low(d) + bit))
			packed[bit] = inv.pack(l.values(from))
		}
		inv.names, inv.bases = append(inv.names, DimName(d)), append(inv.bases, packed)
	}
	return inv, nil
}

// values splits a set of input bits, counted through all inputs, into one value an input.
func (l Linear) values(set int) []int {
	out := make([]int, len(l.bases))
	for i, b := range l.bases {
		out[i] = set & (1<<len(b) - 1)
		set >>= len(b)
	}
	return out
}

// Compose feeds the coordinates of l into another layout: dimension d of l is the
// input names[d] of outer; inputs of outer that are not named are 0.
//
// Law: l.Compose(outer, names...).Apply(x) == outer.Apply({names[d]: l.Apply(x)[d]}).
//
// Errors: fault.ErrArgument unless there is one distinct name for each dimension or
// if the input of that name is smaller than the dimension.
func (l Linear) Compose(outer Linear, names ...string) (Linear, error) {
	if len(names) != len(l.shape) {
		return Linear{}, fault.New(fault.ErrArgument, "compose", "%s %v given for tile %s, want one for each dimension", fault.Count(len(names), "name"), names, tuple(l.shape))
	}
	for d, name := range names {
		if slices.Contains(names[:d], name) || l.shape[d] > outer.Size(name) {
			return Linear{}, fault.New(fault.ErrArgument, "compose", "dimension %d of %s does not fit input %q of %v, or the input is given twice", d, tuple(l.shape), name, outer)
		}
	}
	return l.mapBases(outer.shape, func(coord []int) []int {
		at := 0
		for d, name := range names {
			at ^= combine(outer.of(name), coord[d])
		}
		return outer.unpack(at)
	}), nil
}

// mapBases returns the layout with a linear map applied to its coordinates.
func (l Linear) mapBases(shape []int, f func(coord []int) []int) Linear {
	r := Linear{shape: slices.Clone(shape), names: l.names, bases: make([][]int, len(l.bases))}
	coord := make([]int, len(l.shape)) // f keeps none
	for i, bases := range l.bases {
		r.bases[i] = make([]int, len(bases))
		for bit, b := range bases {
			l.unpackTo(coord, b)
			r.bases[i][bit] = r.pack(f(coord))
		}
	}
	return r
}

// Transpose permutes the dimensions of the tile: dimension i of the result is
// dimension perm[i] of l. It panics if perm is no permutation.
//
// Law: Transpose(p).Eval(x...)[i] == Eval(x...)[p[i]].
func (l Linear) Transpose(perm []int) Linear {
	if !isPermutation(perm, len(l.shape)) {
		panic("layout: transpose of " + l.String() + " by " + tuple(perm))
	}
	pick := func(v []int) []int {
		out := make([]int, len(v))
		for i, d := range perm {
			out[i] = v[d]
		}
		return out
	}
	return l.mapBases(pick(l.shape), pick)
}

// Reshape gives the tile another shape with the same elements in the same
// row-major order. Unlike for strided layouts it is always possible.
//
// Law: Index does not change.
//
// Errors: fault.ErrShape if the shape is not one of powers of two with as many elements.
func (l Linear) Reshape(shape ...int) (Linear, error) {
	r := Linear{slices.Clone(shape), l.names, l.bases}
	if err := checkTile("reshape", shape); err != nil {
		return Linear{}, err
	}
	if r.outputBits() != l.outputBits() {
		return Linear{}, fault.New(fault.ErrShape, "reshape", "tile %s cannot become %s, which has another number of elements", tuple(l.shape), tuple(shape))
	}
	return r, nil
}

// Drop returns the layout of the tile with a dimension reduced to size 1: the
// dimension is projected away, and register bits that no longer tell elements
// apart are removed. Thread bits stay; those that told only this dimension apart
// become free.
//
// Law: Drop(d).At(DropRegister(d, r), t) == At(r, t) with 0 in dimension d.
func (l Linear) Drop(dim int) Linear {
	shape := l.Shape()
	shape[dim] = 1
	r := l.mapBases(shape, func(coord []int) []int {
		coord[dim] = 0
		return coord
	})
	if i := slices.Index(r.names, Register); i >= 0 {
		r.bases[i] = slices.DeleteFunc(r.bases[i], func(b int) bool { return b == 0 })
	}
	return r
}

// DropRegister returns the register of Drop(dim) that takes the value of a
// register of l: its bits without those that Drop removes. It serves reductions
// (where a value goes) and broadcasts (where a value comes from) alike.
func (l Linear) DropRegister(dim, register int) int {
	inDim := (l.shape[dim] - 1) << l.low(dim)
	out, n := 0, 0
	for bit, b := range l.of(Register) {
		if b&^inDim != 0 {
			out |= register >> bit & 1 << n
			n++
		}
	}
	return out
}
