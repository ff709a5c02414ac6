package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var rotaryCases = []testCase{
	{"RotaryShapes", rotaryShapes},
	{"RotaryPositions", rotaryPositions},
	{"RotaryTables", rotaryTables},
	{"RotaryViews", rotaryViews},
	{"RotaryInPlace", rotaryInPlace},
	{"RotaryReplayed", rotaryReplayed},
}

// rotated is a call of Rotary.
type rotated struct {
	elem        weft.DType
	b, h, s, d  int
	dims        int // 0 for all
	base        float64
	interleaved bool
	positions   []float64 // nil for none
	tables      int       // rows of the tables, 0 for none
	from, to    form
	inPlace     bool
}

// rotates makes the call and checks it.
func (s *suite) rotates(c rotated) {
	s.Helper()
	var options []ops.RotaryOption
	dims, base := c.d, 10000.0
	if c.dims > 0 {
		dims = c.dims
		options = append(options, ops.RotaryDims(dims))
	}
	if c.base > 0 {
		base = c.base
		options = append(options, ops.RotaryBase(base))
	}
	if c.interleaved {
		options = append(options, ops.Interleaved())
	}
	position := func(b, row int) int64 { return int64(row) }
	if c.positions != nil {
		first := filled(weft.I32, 0, c.b).each(func(i int, _ float64) float64 { return c.positions[i%len(c.positions)] })
		options = append(options, ops.RotaryPositions(s.input(c.to, first)))
		position = func(b, row int) int64 { return int64(first.x[b]) + int64(row) }
	}
	turn := func(at int64, i int) (cos, sin float64) {
		angle := float64(at) * math.Pow(base, -2*float64(i)/float64(dims))
		return math.Cos(angle), math.Sin(angle)
	}
	if c.tables > 0 {
		cosines, sines := s.random(weft.F32, c.tables, dims/2), s.random(weft.F32, c.tables, dims/2)
		options = append(options, ops.RotaryTables(s.input(c.to, cosines), s.input(c.from, sines)))
		turn = func(at int64, i int) (cos, sin float64) {
			if at < 0 || at >= int64(c.tables) {
				return 0, 0
			}
			n := int(at)*(dims/2) + i
			return cosines.x[n], sines.x[n]
		}
	}
	x := s.random(c.elem, c.b, c.h, c.s, c.d)
	want, limit := turnedRows(x, dims, c.interleaved, position, turn)
	out, in := s.output(c.to, c.elem, x.shape...), (*weft.Tensor)(nil)
	if c.inPlace {
		out = s.outputOf(c.to, x)
		in = out.Tensor
	} else {
		in = s.input(c.from, x)
	}
	s.try(ops.RotaryInto(out.Tensor, in, options...))
	if err := out.verify(want, func(i int) float64 { return limit[i] }); err != nil {
		s.Error(fmt.Errorf("%+v: %w", c, err))
	}
}

// turnedRows are the rows of x [B,H,S,D] after their rotations, and how far off they may be.
func turnedRows(x host, dims int, interleaved bool, position func(b, row int) int64, turn func(at int64, i int) (cos, sin float64)) (want, limit []float64) {
	heads, rows, d := x.shape[1], x.shape[2], x.shape[3]
	want, limit = slices.Clone(x.x), make([]float64, len(x.x))
	for row := range len(x.x) / max(d, 1) {
		at := position(row/(heads*rows), row%rows)
		for i := range dims / 2 {
			j, k := row*d+i, row*d+i+dims/2
			if interleaved {
				j, k = row*d+2*i, row*d+2*i+1
			}
			cos, sin := turn(at, i)
			want[j], want[k] = x.x[j]*cos-x.x[k]*sin, x.x[k]*cos+x.x[j]*sin
			scale := max(math.Abs(cos), math.Abs(sin), 1)
			limit[j], limit[k] = bounds.Rotary(x.elem, want[j], scale*x.x[j], scale*x.x[k]), bounds.Rotary(x.elem, want[k], scale*x.x[j], scale*x.x[k])
		}
	}
	return want, limit
}

func rotaryShapes(s *suite) {
	for i, elem := range floatTypes {
		for j, c := range more(s, []rotated{
			{b: 2, h: 3, s: 21, d: 64}, {b: 1, h: 5, s: 3, d: 40, dims: 10}, {b: 3, h: 9, s: 1, d: 128}, {b: 1, h: 1, s: 33, d: 2},
		}, []rotated{{b: 1, h: 2, s: 70, d: 80}, {b: 2, h: 33, s: 2, d: 256}, {b: 1, h: 2, s: 3, d: 3000}, {b: 1, h: 2, s: 40, d: 96, dims: 32}, {b: 1, h: 4, s: 5, d: 7, dims: 6}}...) {
			if !s.full && j > 1 && j%3 != i {
				continue
			}
			for _, c.interleaved = range []bool{false, true} {
				c.elem = elem
				s.rotates(c)
			}
		}
	}
	for _, shape := range [][]int{{0, 2, 3, 4}, {1, 2, 0, 4}, {1, 2, 3, 0}} {
		s.compare(s.ok(ops.Rotary(s.tensor(filled(weft.F32, 0, shape...)))), nil, nil)
	}
}

// rotaryPositions has positions of all magnitudes, with frequencies that float64 holds exactly
// where they are very large.
func rotaryPositions(s *suite) {
	for _, c := range []rotated{
		{b: 5, h: 2, s: 9, d: 64, positions: []float64{0, 4096, 131072, -7, 1 << 24}},
		{b: 3, h: 1, s: 4, d: 48, base: 500000, positions: []float64{131071, 99999, 1e6}},
		{b: 4, h: 2, s: 5, d: 16, base: 256, positions: []float64{math.MaxInt32 - 4, math.MinInt32, -5, 1<<30 + 12345}},
		{b: 2, h: 1, s: 3, d: 6, base: 1.5, positions: []float64{1000, 77777}},
	} {
		for i, elem := range floatTypes {
			if s.full || i == 0 {
				c.elem = elem
				s.rotates(c)
				c.interleaved = true
				s.rotates(c)
			}
		}
	}
}

func rotaryTables(s *suite) {
	for i, elem := range floatTypes {
		c := rotated{elem: elem, b: 2, h: 3, s: 20, d: 48, tables: 40}
		s.rotates(c)
		c.positions, c.interleaved, c.from, c.to = []float64{30, -5}, i%2 == 0, forms[i], forms[i+1]
		s.rotates(c)
		c.positions, c.dims = []float64{math.MaxInt32, math.MinInt32}, 20
		s.rotates(c)
	}
}

func rotaryViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 2 {
				continue
			}
			s.rotates(rotated{elem: floatTypes[(i+2*j)%3], b: 2, h: 3, s: 7, d: 20, dims: 20 - 4*(i%2), interleaved: j%2 == 0, positions: []float64{3, 50}, from: f, to: g})
		}
	}
	// Heads after rows in memory, as a projection leaves them.
	x := s.random(weft.F32, 2, 5, 3, 8)
	in := s.ok(s.tensor(x).Permute(0, 2, 1, 3))
	moved := s.ok(ops.Copy(in))
	s.op("Rotary")
	s.compare(s.ok(ops.Rotary(in)), s.floats(s.ok(ops.Rotary(moved))), func(int) float64 { return 0x1p-20 })
}

func rotaryInPlace(s *suite) {
	for i, elem := range floatTypes {
		for j, f := range forms {
			if s.full || i == j%3 {
				s.rotates(rotated{elem: elem, b: 2, h: 3, s: 5, d: 24, dims: 24 - 8*(j%2), interleaved: i%2 == 0, to: f, inPlace: true})
			}
		}
	}
}

// rotaryReplayed captures a step and replays it at other positions.
func rotaryReplayed(s *suite) {
	x := s.random(weft.F32, 2, 2, 1, 8)
	positions, out := s.tensor(filled(weft.I32, 5, 2)), s.output(dense, weft.F32, x.shape...)
	in := s.tensor(x)
	sequence, err := s.dev.Capture(func(rec *weft.Recorder) error {
		on := rec.Use(positions)
		if err := ops.RotaryInto(rec.Use(out.Tensor), rec.Use(in), ops.RotaryPositions(on)); err != nil {
			return err
		}
		return ops.AddInto(on, on, 1)
	})
	s.try(err)
	defer sequence.Close()
	for at := 5; at < 9; at++ {
		s.try(sequence.Replay())
		want := s.floats(s.ok(ops.Rotary(in, ops.RotaryPositions(s.tensor(filled(weft.I32, float64(at), 2))))))
		out.check(want, nil)
	}
}
