package emit

import "github.com/weftgpu/weft/simt"

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

// findOffsets finds for each dimension the indices in registers that are constants apart.
func (p *points) findOffsets() {
	for d, v := range p.indices {
		if v.Type().IsScalar() {
			continue
		}
		offsets, from := pointOffsets{}, map[[maxAddends]*simt.Value]*simt.Value{}
		for _, group := range p.groups {
			x := p.element(v, group[0])
			terms, by, ok := addends(x)
			if !ok {
				continue
			}
			if from[terms] == nil {
				from[terms] = p.l.sum(terms)
			}
			offsets[x] = pointOffset{from[terms], by}
		}
		if len(from) < len(offsets) {
			p.offsets[d] = offsets
		}
	}
}

// maxAddends is how many values an index may be the sum of, in addition to constants.
const maxAddends = 4

// addends are the values and the constant that an index is the sum of. It is false for too many.
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
	ok = add(index, 0) && n > 0
	return terms, constant, ok
}

// sum is the sum of the terms that are not nil.
func (l *emitter) sum(terms [maxAddends]*simt.Value) (sum *simt.Value) {
	for _, v := range terms {
		switch {
		case sum == nil:
			sum = v
		case v != nil:
			sum = l.b.Binary(simt.Add, sum, v)
		}
	}
	return sum
}
