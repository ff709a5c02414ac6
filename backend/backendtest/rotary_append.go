package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var rotaryAppendCases = []testCase{
	{"RotaryAppendShapes", rotaryAppendShapes},
	{"RotaryAppendPages", rotaryAppendPages},
	{"RotaryAppendTables", rotaryAppendTables},
	{"RotaryAppendViews", rotaryAppendViews},
	{"RotaryAppendProjection", rotaryAppendProjection},
	{"RotaryAppendReplayed", rotaryAppendReplayed},
}

// rotatedAppend is a call of RotaryAppend: an append of keys and values, and a rotation.
type rotatedAppend struct {
	appended
	rotation
	queries int // heads, 0 for no q
	q       form
}

// rotateAppend makes the call and checks q and both caches as a whole.
func (s *suite) rotateAppend(c rotatedAppend) {
	s.Helper()
	s.op("RotaryAppend")
	options, r := s.rotor(c.rotation, c.d, c.x, c.q)
	first := c.b
	if c.pages > 0 {
		first = c.pages
	}
	positions, table := c.places(s)
	position := func(b, row int) int64 { return int64(positions.x[b]) + int64(row) }
	k, v := s.random(c.elem, c.b, c.h, c.s, c.d), s.random(c.elem, c.b, c.h, c.s, c.d)
	keys, values := s.random(c.elem, first, c.h, c.capacity, c.d), s.random(c.elem, first, c.h, c.capacity, c.d)
	turned, limits := r.rows(k, position)
	wantKeys, wantValues, limit := slices.Clone(keys.x), slices.Clone(values.x), make([]float64, len(keys.x))
	c.write(wantKeys, turned, positions, table)
	c.write(limit, limits, positions, table)
	c.write(wantValues, v.x, positions, table)
	toKeys, toValues := s.outputOf(c.cache, keys), s.outputOf(c.cache, values)
	var q *weft.Tensor
	var toQ output
	var wantQ, limitQ []float64
	if c.queries > 0 {
		x := s.random(c.elem, c.b, c.queries, c.s, c.d)
		wantQ, limitQ = r.rows(x, position)
		toQ = s.outputOf(c.q, x)
		q = toQ.Tensor
	}
	var list *weft.Tensor
	if c.pages > 0 {
		list = s.input(c.list, table)
	}
	s.try(ops.RotaryAppend(toKeys.Tensor, toValues.Tensor, q, s.input(c.x, k), s.input(c.x, v), s.input(c.list, positions), list, options...))
	within := func(list []float64) func(i int) float64 { return func(i int) float64 { return list[i] } }
	checks := []error{toKeys.verify(wantKeys, within(limit)), toValues.verify(wantValues, nil)}
	if q != nil {
		checks = append(checks, toQ.verify(wantQ, within(limitQ)))
	}
	for i, err := range checks {
		if err != nil {
			s.Error(fmt.Errorf("%+v: %s: %w", c, []string{"keys", "values", "q"}[i], err))
		}
	}
}

// rotaryAppendShapes has one row and many, some or all of which the caches do not have, with queries of more heads than keys, and without.
func rotaryAppendShapes(s *suite) {
	around := []float64{0, 3, -2, 29, 40, -1000, math.MaxInt32 - 5, math.MinInt32}
	for i, elem := range floatTypes {
		for j, c := range more(s, []rotatedAppend{
			{appended: appended{b: 8, h: 3, s: 5, d: 64}, queries: 9}, {appended: appended{b: 3, h: 7, s: 1, d: 34}}, {appended: appended{b: 2, h: 1, s: 31, d: 40}, queries: 1, rotation: rotation{dims: 12, base: 500000}},
		}, []rotatedAppend{
			{appended: appended{b: 1, h: 40, s: 1, d: 128}, queries: 80}, {appended: appended{b: 2, h: 2, s: 70, d: 300}, queries: 2}, {appended: appended{b: 1, h: 1, s: 3, d: 2000}, queries: 3},
			{appended: appended{b: 4, h: 5, s: 9, d: 2}}, {appended: appended{b: 2, h: 2, s: 4, d: 7}, rotation: rotation{dims: 6}, queries: 4},
		}...) {
			if !s.full && j > 0 && i != j {
				continue
			}
			c.elem, c.capacity, c.positions = elem, 32, around[j:]
			for _, c.interleaved = range []bool{false, true} {
				s.rotateAppend(c)
			}
		}
	}
	for _, shape := range [][]int{{0, 2, 3, 4}, {1, 2, 0, 4}, {1, 2, 3, 0}, {1, 0, 3, 4}} { // nothing to append
		x := func() *weft.Tensor { return s.tensor(filled(weft.F32, 1, shape...)) }
		s.try(ops.RotaryAppend(x(), x(), nil, x(), x(), s.tensor(filled(weft.I32, 0, shape[0])), nil))
	}
	// Queries are rotated where there is no row for keys, or no head.
	for _, c := range []appended{{b: 2, h: 2, s: 3, d: 8, capacity: 0}, {b: 2, h: 0, s: 3, d: 8, capacity: 4}} {
		c.elem, c.positions = weft.F32, []float64{5, 1}
		s.rotateAppend(rotatedAppend{appended: c, queries: 4})
	}
}

// rotaryAppendPages has pages of any size, some of which the pools do not have, and rows beyond the table.
func rotaryAppendPages(s *suite) {
	for i, c := range []appended{
		{b: 3, h: 2, s: 20, d: 64, capacity: 8, positions: []float64{0, 13, 30}, pages: 20, most: 6},
		{b: 4, h: 3, s: 1, d: 34, capacity: 5, positions: []float64{7, -3, 0, 1000}, pages: 30, most: 7},
		{b: 2, h: 1, s: 100, d: 16, capacity: 16, positions: []float64{-20, 90}, pages: 17, most: 8},
		{b: 1, h: 2, s: 9, d: 8, capacity: 64, positions: []float64{1 << 30}, pages: 3, most: 2},
	} {
		for j, elem := range floatTypes {
			if s.full || i%3 == j {
				c.elem = elem
				s.rotateAppend(rotatedAppend{appended: c, queries: 4 * (i % 3), rotation: rotation{interleaved: j%2 == 1}})
			}
		}
	}
}

func rotaryAppendTables(s *suite) {
	for i, elem := range floatTypes[:either(s, 2, 3)] {
		c := rotatedAppend{appended: appended{elem: elem, b: 2, h: 3, s: 20, d: 48, capacity: 50, positions: []float64{28, -5}}, queries: 6, rotation: rotation{tables: 40, interleaved: i%2 == 0}}
		s.rotateAppend(c)
		c.pages, c.most, c.capacity, c.dims = 9, 4, 8, 20
		s.rotateAppend(c)
	}
}

func rotaryAppendViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 1 {
				continue
			}
			c := rotatedAppend{appended: appended{elem: floatTypes[(i+2*j)%3], b: 3, h: 3, s: 6, d: 10 + 2*i, capacity: 9, positions: []float64{0, 5, -2}, x: f, cache: g, list: forms[(i+2*j)%4]},
				queries: 3 * j, q: forms[(2*i+j)%4], rotation: rotation{interleaved: j%2 == 0}}
			if i%2 == 0 {
				c.pages, c.most = 8, 2
			}
			s.rotateAppend(c)
		}
	}
}

// rotaryAppendProjection has q, k and v next to each other in each row, as a projection leaves them, and caches that share a tensor.
func rotaryAppendProjection(s *suite) {
	const batch, rows, heads, groups, size, capacity = 2, 3, 4, 2, 16, 8
	x := s.random(weft.F16, batch, rows, (heads + 2*groups), size)
	both := s.random(weft.F16, batch, 2*groups, capacity, size)
	positions := filled(weft.I32, 0, batch).each(func(i int, _ float64) float64 { return float64(4 * i) })
	in, to := s.tensor(x), s.tensor(both)
	all := s.ok(in.Permute(0, 2, 1, 3))
	part := func(t *weft.Tensor, from, to int) *weft.Tensor { return s.ok(t.Slice(1, from, to)) }
	at := s.tensor(positions)
	k, v := s.ok(ops.Rotary(part(all, heads, heads+groups), ops.RotaryPositions(at))), s.ok(ops.Copy(part(all, heads+groups, heads+2*groups)))
	q := s.floats(s.ok(ops.Rotary(part(all, 0, heads), ops.RotaryPositions(at))))
	want := s.tensor(both)
	s.try(ops.CacheAppend(part(want, 0, groups), k, at, nil))
	s.try(ops.CacheAppend(part(want, groups, 2*groups), v, at, nil))
	s.op("RotaryAppend")
	s.try(ops.RotaryAppend(part(to, 0, groups), part(to, groups, 2*groups), part(all, 0, heads), part(all, heads, heads+groups), part(all, heads+groups, heads+2*groups), at, nil))
	near := func(int) float64 { return 0x1p-10 } // compilers may round products once or twice
	s.compare(to, s.floats(want), near)
	s.compare(part(all, 0, heads), q, near)
}

// rotaryAppendReplayed captures a step and replays it at other positions, which only the device sees.
func rotaryAppendReplayed(s *suite) {
	const batch, heads, size, capacity = 2, 3, 16, 5
	x := s.random(weft.F32, batch, heads, 1, size)
	positions, k, v := s.tensor(filled(weft.I32, 0, batch)), s.tensor(x), s.tensor(s.random(weft.F32, batch, heads, 1, size))
	caches := [2]*weft.Tensor{s.tensor(filled(weft.F32, 7, batch, heads, capacity, size)), s.tensor(filled(weft.F32, 8, batch, heads, capacity, size))}
	want := [2]*weft.Tensor{s.tensor(filled(weft.F32, 7, batch, heads, capacity, size)), s.tensor(filled(weft.F32, 8, batch, heads, capacity, size))}
	q := s.tensor(x)
	s.op("RotaryAppend")
	sequence, err := s.dev.Capture(func(rec *weft.Recorder) error {
		on := rec.Use(positions)
		if err := ops.RotaryAppend(rec.Use(caches[0]), rec.Use(caches[1]), rec.Use(q), rec.Use(k), rec.Use(v), on, nil); err != nil {
			return err
		}
		return ops.AddInto(on, on, 1)
	})
	s.try(err)
	defer sequence.Close()
	turned := s.tensor(x)
	near := func(int) float64 { return 0x1p-20 }
	for at := range capacity + 1 { // the last row is beyond the caches
		s.try(sequence.Replay())
		now := s.tensor(filled(weft.I32, float64(at), batch))
		s.try(ops.CacheAppend(want[0], s.ok(ops.Rotary(k, ops.RotaryPositions(now))), now, nil))
		s.try(ops.CacheAppend(want[1], v, now, nil))
		s.try(ops.RotaryInto(turned, turned, ops.RotaryPositions(now)))
		for i := range caches {
			s.compare(caches[i], s.floats(want[i]), near)
		}
		s.compare(q, s.floats(turned), near)
	}
}
