package layout

import "github.com/weftgpu/weft/fault"

// Flatten returns the leaves as one level of modes.
//
// Law: Flatten().At(i) == At(i), and no mode is a group.
func (a Nested) Flatten() Nested { return groupOf(a.leaves()...) }

// Coalesce returns the same function with the fewest leaves: sizes of 1 are
// dropped and leaves that form one run are merged. The result is a leaf or one
// level of modes; one element becomes 1:0.
//
// Law: Coalesce().At(i) == At(i) for every index, and no layout of fewer leaves
// does the same.
func (a Nested) Coalesce() Nested {
	flat := a.coalesced()
	if len(flat) == 1 {
		return flat[0]
	}
	return groupOf(flat...)
}

// coalesced lists the leaves of Coalesce, at least one.
func (a Nested) coalesced() []Nested {
	var out []Nested
	for _, m := range a.leaves() {
		last := len(out) - 1
		switch {
		case m.n == 1:
		case last >= 0 && out[last].continues(m):
			out[last].n *= m.n
		default:
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		out = append(out, leafOf(1, 0))
	}
	return out
}

// continues reports whether leaf m goes on where leaf a ends.
func (a Nested) continues(m Nested) bool {
	end, ok := mul(int64(a.n), int64(a.d))
	return ok && int(end) == m.d
}

// CoalesceModes coalesces every mode by itself and keeps the modes apart.
//
// Law: CoalesceModes().At(i, j, ..) == At(i, j, ..).
func (a Nested) CoalesceModes() Nested {
	modes := a.split()
	for k, m := range modes {
		modes[k] = m.Coalesce()
	}
	return groupOf(modes...)
}

// filtered lists the leaves that move: size above 1 and stride not 0.
func (a Nested) filtered() []Nested {
	var out []Nested
	for _, m := range a.leaves() {
		if m.n > 1 && m.d != 0 {
			out = append(out, m)
		}
	}
	return out
}

// Compose returns a after b: b chooses and orders indices of a. The result keeps
// the nesting of b; a leaf of b that crosses leaves of a becomes a group.
//
// Law: a.Compose(b).At(i) == a.At(b.At(i)) for every index of b, and the result
// refines b.
//
// Errors: fault.ErrShape if b reaches outside of the indices of a;
// fault.ErrUnsupported where a leaf of b crosses a leaf of a without dividing
// it, or where leaves of b carry into each other within one of a, so that no sum
// of strides is the composition.
func (a Nested) Compose(b Nested) (Nested, error) {
	if lo, hi := b.Bounds(); lo < 0 || hi >= a.Size() {
		return Nested{}, fault.New(fault.ErrShape, "compose", "%v reaches %d to %d, outside of the %d indices of %v", b, lo, hi, a.Size(), a)
	}
	c := composer{outer: a.coalesced()}
	c.reach = make([]int, len(c.outer))
	r, ok := c.walk(b)
	for k, m := range c.outer {
		ok = ok && c.reach[k] < m.n
	}
	if !ok {
		return Nested{}, fault.New(fault.ErrUnsupported, "compose", "%v after %v: the sizes and strides do not divide", a, b)
	}
	return r, nil
}

// composer sends the leaves of an inner layout through an outer one. An index of
// the outer layout is a number in the mixed radix of its leaves; reach[k] is the
// largest value that digit k can take when the leaves are added, and as long as
// no digit overflows the outer function of the sum is the sum of the functions.
type composer struct {
	outer []Nested
	reach []int
}

func (c *composer) walk(b Nested) (Nested, bool) {
	if b.leaf {
		return c.cross(b.n, b.d)
	}
	modes := make([]Nested, len(b.modes))
	for k, m := range b.modes {
		var ok bool
		if modes[k], ok = c.walk(m); !ok {
			return Nested{}, false
		}
	}
	return groupOf(modes...), true
}

// cross finds the outer offsets of the indices 0, d, 2d, .. (n of them): digit by
// digit, d either skips whole digits or steps through one, and then goes on in
// the next only if it arrives there exactly.
func (c *composer) cross(n, d int) (Nested, bool) {
	if n == 1 {
		return leafOf(1, 0), true
	}
	var out []Nested
	for k, m := range c.outer {
		switch {
		case (n-1)*d < m.n: // stays within this digit
			c.reach[k] += (n - 1) * d
			out = append(out, leafOf(n, d*m.d))
			if len(out) == 1 {
				return out[0], true
			}
			return groupOf(out...), true
		case d%m.n == 0: // skips this digit
			d /= m.n
		case m.n%d == 0 && n%(m.n/d) == 0: // runs through this digit
			steps := m.n / d
			c.reach[k] += (steps - 1) * d
			out = append(out, leafOf(steps, d*m.d))
			n, d = n/steps, 1
		default:
			return Nested{}, false
		}
	}
	return Nested{}, false // unreachable: the bounds were checked
}

// ComposeModes composes mode k with tiles[k] and keeps the modes beyond the
// tiles: the tile of a larger layout, mode by mode.
//
// Law: ComposeModes(t, u).At(i, j, ..) == At(t.At(i), u.At(j), ..).
//
// Errors: fault.ErrShape for more tiles than modes, and those of Compose.
func (a Nested) ComposeModes(tiles ...Nested) (Nested, error) {
	return a.byMode("compose", tiles, Nested.Compose)
}

// byMode applies an operation to the leading modes.
func (a Nested) byMode(op string, tiles []Nested, do func(mode, tile Nested) (Nested, error)) (Nested, error) {
	if len(tiles) > a.Rank() {
		return Nested{}, fault.New(fault.ErrShape, op, "%s given for %s of %v", fault.Count(len(tiles), "tile"), fault.Count(a.Rank(), "mode"), a)
	}
	modes := a.split()
	for k, t := range tiles {
		var err error
		if modes[k], err = do(modes[k], t); err != nil {
			return Nested{}, err
		}
	}
	return groupOf(modes...), nil
}
