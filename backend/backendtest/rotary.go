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
	rotation
	elem       weft.DType
	b, h, s, d int
	positions  []float64 // nil for none
	from, to   form
	inPlace    bool
}

// rotation is how rows are rotated.
type rotation struct {
	dims        int     // 0 for all
	base        float64 // 0 for the usual one
	interleaved bool
	tables      int // rows of the tables, 0 for none
}

// rotor is a rotation of rows of a length.
type rotor struct {
	dims        int
	interleaved bool
	turn        func(at int64, i int) (cos, sin float64) // of pair i at a position
}

// rotor gives the options of a rotation of rows of d elements, and what they mean.
func (s *suite) rotor(r rotation, d int, cosines, sines form) (options []ops.RotaryOption, means rotor) {
	s.Helper()
	dims, base := d, 10000.0
	if r.dims > 0 {
		dims = r.dims
		options = append(options, ops.RotaryDims(dims))
	}
	if r.base > 0 {
		base = r.base
		options = append(options, ops.RotaryBase(base))
	}
	if r.interleaved {
		options = append(options, ops.Interleaved())
	}
	means = rotor{dims, r.interleaved, func(at int64, i int) (cos, sin float64) {
		angle := float64(at) * math.Pow(base, -2*float64(i)/float64(dims))
		return math.Cos(angle), math.Sin(angle)
	}}
	if r.tables > 0 {
		cos, sin := s.random(weft.F32, r.tables, dims/2), s.random(weft.F32, r.tables, dims/2)
		options = append(options, ops.RotaryTables(s.input(cosines, cos), s.input(sines, sin)))
		means.turn = func(at int64, i int) (float64, float64) {
			if at < 0 || at >= int64(r.tables) {
				return 0, 0
			}
			n := int(at)*(dims/2) + i
			return cos.x[n], sin.x[n]
		}
	}
	return options, means
}

// rows are the rows of x [B,H,S,D] after their rotations, and how far off they may be.
func (r rotor) rows(x host, position func(b, row int) int64) (want, limit []float64) {
	heads, rows, d := x.shape[1], x.shape[2], x.shape[3]
	want, limit = slices.Clone(x.x), make([]float64, len(x.x))
	for row := range len(x.x) / max(d, 1) {
		at := position(row/(heads*rows), row%rows)
		for i := range r.dims / 2 {
			j, k := row*d+i, row*d+i+r.dims/2
			if r.interleaved {
				j, k = row*d+2*i, row*d+2*i+1
			}
			cos, sin := r.turn(at, i)
			want[j], want[k] = x.x[j]*cos-x.x[k]*sin, x.x[k]*cos+x.x[j]*sin
			scale := max(math.Abs(cos), math.Abs(sin), 1)
			limit[j], limit[k] = bounds.Rotary(x.elem, want[j], scale*x.x[j], scale*x.x[k]), bounds.Rotary(x.elem, want[k], scale*x.x[j], scale*x.x[k])
		}
	}
	return want, limit
}

// rotates makes the call and checks it.
func (s *suite) rotates(c rotated) {
	s.Helper()
	options, r := s.rotor(c.rotation, c.d, c.to, c.from)
	position := func(b, row int) int64 { return int64(row) }
	if c.positions != nil {
		first := filled(weft.I32, 0, c.b).each(func(i int, _ float64) float64 { return c.positions[i%len(c.positions)] })
		options = append(options, ops.RotaryPositions(s.input(c.to, first)))
		position = func(b, row int) int64 { return int64(first.x[b]) + int64(row) }
	}
	x := s.random(c.elem, c.b, c.h, c.s, c.d)
	want, limit := r.rows(x, position)
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

func rotaryShapes(s *suite) {
	for i, elem := range floatTypes {
		for j, c := range more(s, []rotated{
			{b: 2, h: 3, s: 21, d: 64}, {b: 1, h: 5, s: 3, d: 40, rotation: rotation{dims: 10}}, {b: 3, h: 9, s: 1, d: 128}, {b: 1, h: 1, s: 33, d: 2},
		}, []rotated{{b: 1, h: 2, s: 70, d: 80}, {b: 2, h: 33, s: 2, d: 256}, {b: 1, h: 2, s: 3, d: 3000}, {b: 1, h: 2, s: 40, d: 96, rotation: rotation{dims: 32}}, {b: 1, h: 4, s: 5, d: 7, rotation: rotation{dims: 6}}}...) {
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
		{b: 3, h: 1, s: 4, d: 48, rotation: rotation{base: 500000}, positions: []float64{131071, 99999, 1e6}},
		{b: 4, h: 2, s: 5, d: 16, rotation: rotation{base: 256}, positions: []float64{math.MaxInt32 - 4, math.MinInt32, -5, 1<<30 + 12345}},
		{b: 2, h: 1, s: 3, d: 6, rotation: rotation{base: 1.5}, positions: []float64{1000, 77777}},
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
		c := rotated{elem: elem, b: 2, h: 3, s: 20, d: 48, rotation: rotation{tables: 40}}
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
			s.rotates(rotated{elem: floatTypes[(i+2*j)%3], b: 2, h: 3, s: 7, d: 20, rotation: rotation{dims: 20 - 4*(i%2), interleaved: j%2 == 0}, positions: []float64{3, 50}, from: f, to: g})
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
				s.rotates(rotated{elem: elem, b: 2, h: 3, s: 5, d: 24, rotation: rotation{dims: 24 - 8*(j%2), interleaved: i%2 == 0}, to: f, inPlace: true})
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
