package emit

import (
	"math"

	"github.com/weftgpu/weft/simt"
)

// pointOffsets are the indices along one dimension that are constants apart, by what they are apart from: filters f, f+1 and f+2 from f.
// The element indices of their points are then constants apart, too, times the stride. It takes the device's compiler long to find that out.
type pointOffsets map[*simt.Value]pointOffset

// pointOffset is an index as another value plus a constant.
type pointOffset struct {
	from *simt.Value
	by   int
}

// of is the index itself and 0 if it is not known to be a constant apart from others.
func (o pointOffsets) of(index *simt.Value) (from *simt.Value, by int) {
	if x, ok := o[index]; ok {
		return x.from, x.by
	}
	return index, 0
}

// findOffsets finds for each dimension the indices in registers that are constants apart. They are counted from the least of them, so that where a
// point is inside of the view, what its index is counted from is no larger than the view, either.
func (p *points) findOffsets() {
	for d, v := range p.indices {
		if v.Type().IsScalar() {
			continue
		}
		var list []*simt.Value
		for _, group := range p.groups {
			list = append(list, p.element(v, group[0]))
		}
		p.offsets[d] = offsetsOf(list)
	}
}

// offsetsOf are indices by the least of those that are constants apart from them; nil if there are no such indices.
func offsetsOf(indices []*simt.Value) pointOffsets {
	all, least := pointOffsets{}, map[[maxAddends]*simt.Value]pointOffset{}
	for _, x := range indices {
		terms, by, ok := addends(x)
		if !ok {
			continue
		}
		all[x] = pointOffset{x, by}
		if l, known := least[terms]; !known || by < l.by {
			least[terms] = all[x]
		}
	}
	if len(least) == len(all) {
		return nil
	}
	for x, o := range all {
		terms, _, _ := addends(x)
		all[x] = pointOffset{x, 0}
		if l := least[terms]; o.by-l.by <= math.MaxInt32 {
			all[x] = pointOffset{l.from, o.by - l.by}
		}
	}
	return all
}

// maxAddends is how many values an index may be the sum of, in addition to constants.
const maxAddends = 4

// addends are the values and the constant that an index is the sum of. It is false for too many, and where the sum of
// the constants is no number of 32 bits, as only that of all the index is.
func addends(index *simt.Value) (terms [maxAddends]*simt.Value, constant int, ok bool) {
	n := 0
	var add func(v *simt.Value, lane int) bool
	add = func(v *simt.Value, lane int) bool {
		if c, isConst := simt.ConstOf(v); isConst {
			constant += int(c)
			return true
		}
		if op := v.Op; op != nil {
			switch {
			case op.Kind == simt.Extract:
				if inner := op.Args[0]; inner.Op != nil && (inner.Op.Kind == simt.Compose || inner.Op.Kind == simt.Splat || inner.Op.Kind == simt.Add) {
					return add(inner, op.Lane)
				}
			case op.Kind == simt.Splat:
				return add(op.Args[0], 0)
			case op.Kind == simt.Compose:
				return add(op.Args[lane], 0)
			case op.Kind == simt.Add:
				return add(op.Args[0], lane) && add(op.Args[1], lane)
			}
		}
		if v.Type.Width > 1 || n == maxAddends {
			return false
		}
		terms[n] = v
		n++
		return true
	}
	ok = add(index, 0) && n > 0 && constant == int(int32(constant))
	return terms, constant, ok
}
