package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var cacheCases = []testCase{
	{"CacheAppendShapes", cacheShapes},
	{"CacheAppendPages", cachePages},
	{"CacheAppendViews", cacheViews},
	{"CacheAppendReplayed", cacheReplayed},
}

// appended is an append of S rows of B batches and H heads of D elements to a cache of so many
// rows, or of pages with so many.
type appended struct {
	elem           weft.DType
	b, h, s, d     int
	capacity       int
	positions      []float64
	pages, most    int // of the pool, and in a row of the table; 0 for none
	x, cache, list form
}

// append runs an append and compares the whole cache.
func (s *suite) append(a appended) {
	s.Helper()
	x := s.random(a.elem, a.b, a.h, a.s, a.d)
	first := a.b
	if a.pages > 0 {
		first = a.pages
	}
	cache := s.random(a.elem, first, a.h, a.capacity, a.d)
	want := slices.Clone(cache.x)
	positions, table := a.places(s)
	a.write(want, x.x, positions, table)
	out := s.outputOf(a.cache, cache)
	var list *weft.Tensor
	if a.pages > 0 {
		list = s.input(a.list, table)
	}
	s.try(ops.CacheAppend(out.Tensor, s.input(a.x, x), s.input(a.list, positions), list))
	out.check(want, nil)
}

// places are the positions of batches, and the pages of each if there are pages: all are different, and every fifth is none of the pool.
func (a appended) places(s *suite) (positions, table host) {
	positions = filled(weft.I32, 0, a.b).each(func(i int, _ float64) float64 { return a.positions[i%len(a.positions)] })
	if a.pages > 0 {
		order, outside := s.rng.Perm(a.pages), []float64{-1, float64(a.pages), math.MinInt32, math.MaxInt32}
		table = filled(weft.I32, 0, a.b, a.most).each(func(i int, _ float64) float64 {
			if i%5 == 4 || i >= len(order) {
				return outside[s.rng.IntN(len(outside))]
			}
			return float64(order[i])
		})
	}
	return positions, table
}

// write writes rows into a cache where it has them.
func (a appended) write(cache, x []float64, positions, table host) {
	for b := range a.b {
		for row := range a.s {
			batch, to := b, int(positions.x[b])+row
			if to < 0 {
				continue
			}
			if a.pages > 0 {
				if to/a.capacity >= a.most {
					continue
				}
				page := table.x[b*a.most+to/a.capacity]
				if page < 0 || page >= float64(a.pages) {
					continue
				}
				batch, to = int(page), to%a.capacity
			}
			for h := 0; h < a.h && to < a.capacity; h++ {
				copy(cache[((batch*a.h+h)*a.capacity+to)*a.d:], x[((b*a.h+h)*a.s+row)*a.d:][:a.d])
			}
		}
	}
}

// cacheShapes has one row and many, some or all of which the cache does not have.
func cacheShapes(s *suite) {
	around := []float64{0, 3, -2, 29, 40, -1000, math.MaxInt32, math.MinInt32}
	for i, elem := range s.reals() {
		for j, c := range more(s, [][4]int{{8, 3, 5, 64}, {3, 7, 1, 33}, {2, 1, 31, 24}}, [][4]int{{1, 40, 1, 128}, {2, 2, 70, 300}, {1, 1, 3, 2000}, {4, 5, 9, 1}}...) {
			if !s.full && j > 0 && i != j {
				continue
			}
			s.append(appended{elem: elem, b: c[0], h: c[1], s: c[2], d: c[3], capacity: 32, positions: around[j:]})
		}
	}
}

// cachePages has pages of any size, some of which the pool does not have, and rows beyond the
// table.
func cachePages(s *suite) {
	for i, c := range []appended{
		{b: 3, h: 2, s: 20, d: 64, capacity: 8, positions: []float64{0, 13, 30}, pages: 20, most: 6},
		{b: 4, h: 3, s: 1, d: 33, capacity: 5, positions: []float64{7, -3, 0, 1000}, pages: 30, most: 7},
		{b: 2, h: 1, s: 100, d: 16, capacity: 16, positions: []float64{-20, 90}, pages: 17, most: 8},
		{b: 2, h: 5, s: 3, d: 130, capacity: 1, positions: []float64{2, 5}, pages: 12, most: 6},
		{b: 1, h: 2, s: 9, d: 8, capacity: 64, positions: []float64{math.MaxInt32 - 3}, pages: 3, most: 2},
	} {
		for j, elem := range floatTypes {
			if s.full || i%3 == j {
				c.elem = elem
				s.append(c)
			}
		}
	}
}

func cacheViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 1 {
				continue
			}
			c := appended{elem: floatTypes[(i+2*j)%3], b: 3, h: 3, s: 6, d: 10 + i, capacity: 9, positions: []float64{0, 5, -2}, x: f, cache: g, list: forms[(i+2*j)%4]}
			if i%2 == 0 {
				c.pages, c.most = 8, 2
			}
			s.append(c)
		}
	}
}

// cacheReplayed captures a step and replays it at other positions, which only the device sees.
func cacheReplayed(s *suite) {
	const batch, heads, size, capacity = 2, 3, 16, 7
	x, cache := s.random(weft.F16, batch, heads, 1, size), s.random(weft.F16, batch, heads, capacity, size)
	positions := s.tensor(filled(weft.I32, 0, batch))
	step, to := s.tensor(x), s.tensor(cache)
	sequence, err := s.dev.Capture(func(rec *weft.Recorder) error {
		on := rec.Use(positions)
		if err := ops.CacheAppend(rec.Use(to), rec.Use(step), on, nil); err != nil {
			return err
		}
		return ops.AddInto(on, on, 1)
	})
	s.try(err)
	defer sequence.Close()
	want := slices.Clone(cache.x)
	for at := range capacity + 2 { // the last rows are beyond the cache
		s.try(sequence.Replay())
		for i := 0; i < batch*heads && at < capacity; i++ {
			copy(want[(i*capacity+at)*size:], x.x[i*size:][:size])
		}
		s.compare(to, want, nil)
	}
}
