package interp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// here is the line of the caller, as findings name it.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// runWith runs a kernel with options on I32 or F32 buffers, one for each view.
func runWith(t *testing.T, k *tile.Func, o Options, tensors ...[]float64) error {
	t.Helper()
	p := &Program{Kernel: k, Options: o}
	var buffers [][]byte
	var layouts []layout.Layout
	for i, x := range tensors {
		b := make([]byte, 4*len(x))
		dtype.PutFloats(k.Views[i].Elem, b, x)
		l, err := layout.Contiguous(len(x))
		if err != nil {
			t.Fatal(err)
		}
		p.Buffers, buffers, layouts = append(p.Buffers, i), append(buffers, b), append(layouts, l)
	}
	grid, words := launchOf(t, p, layouts)
	return p.Run(grid, buffers, words)
}

func TestAssert(t *testing.T) {
	var line string
	k := build(t, "assert", func(k *tile.Builder) {
		x := k.In("x", dtype.F32, 1)
		k.Grid(3)
		p := k.ProgramID(0)
		v := x.Block(4).Load(p)
		line = here()
		k.Assert(v.Le(x.Dim(0).Cast(dtype.F32)), "too large", v, p) // one line below
	})
	line = strings.Replace(line, fmt.Sprint(lineOf(line)), fmt.Sprint(lineOf(line)+1), 1)
	err := runWith(t, k, Options{}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99, 12})
	for _, want := range []string{"too large", "f32 99", "i32 2", "[2]", "program [2 0 0]", line} {
		if !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q in it", err, want)
		}
	}
	if err := runWith(t, k, Options{}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 12}); err != nil {
		t.Error(err)
	}
}

func lineOf(s string) (n int) {
	fmt.Sscan(s[strings.LastIndexByte(s, ':')+1:], &n)
	return n
}

func TestPrintAndBreak(t *testing.T) {
	k := build(t, "print", func(k *tile.Builder) {
		x := k.In("x", dtype.I32, 1)
		k.Grid(4)
		p := k.ProgramID(0)
		v := k.Var(x.Block(4).Load(p))
		k.Print("block", v.Get(), p.Eq(1), p.Lt(9))
		s := k.Var(k.Int(0))
		for i := range k.Range(3) {
			s.Set(s.Get().Add(i))
			k.If(p.Eq(2), func() { k.Break() })
		}
		k.Break(p)
	})
	var text bytes.Buffer
	var frames []Frame
	o := Options{Print: &text, Break: func(f Frame) { frames = append(frames, f) }}
	if err := runWith(t, k, o, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.HasSuffix(got, "program [1 0 0]: block = i32[4] [4 5 6 7]\n") || strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "interp/debug_test.go:") {
		t.Errorf("printed %q", got)
	}
	var sums []float64
	for _, f := range frames {
		switch len(f.Values) {
		case 2:
			if f.Program[0] != 2 || !slices.Equal(f.Values[0].Data, []float64{8, 9, 10, 11}) {
				t.Errorf("frame %+v", f)
			}
			sums = append(sums, f.Values[1].Data...)
		case 1:
			if f.Values[0].Data[0] != float64(f.Program[0]) {
				t.Errorf("frame %+v", f)
			}
		}
	}
	if !slices.Equal(sums, []float64{0, 1, 3}) || len(frames) != 7 {
		t.Errorf("%d frames, sums %v", len(frames), sums)
	}
	if err := runWith(t, k, Options{Print: &text}, make([]float64, 16)); err != nil {
		t.Error(err)
	}
}

// Each problem is found where it is, and nowhere else.
func TestCheck(t *testing.T) {
	numbers := func(n int) []float64 { return make([]float64, n) }
	for name, c := range map[string]struct {
		describe func(k *tile.Builder)
		tensors  [][]float64
		fresh    []int
		want     map[Problem]string // what the text has to hold
	}{
		"clean": {func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 1), k.InOut("y", dtype.F32, 1)
			k.Grid(4)
			p := k.ProgramID(0)
			y.Block(8).Store(x.Block(8).Load(p).Add(1), p)
			y.Block(8).Store(y.Block(8).Load(p).Div(2), p)
		}, [][]float64{numbers(30), numbers(30)}, []int{1}, nil},
		"unwritten": {func(k *tile.Builder) {
			x, y := k.InOut("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			x.Block(8).Store(k.Zeros(dtype.F32, 8), 0)
			y.Block(16).Store(x.Block(16).Load(0), 0)
		}, [][]float64{numbers(20), numbers(16)}, []int{0}, map[Problem]string{Uninitialized: "x, element 8"}},
		"two writers": {func(k *tile.Builder) {
			y := k.Out("y", dtype.I32, 1)
			k.Grid(3)
			y.Block(8).Store(k.Zeros(dtype.I32, 8), k.ProgramID(0).Div(2))
		}, [][]float64{numbers(16)}, nil, map[Problem]string{Race: "program [0 0 0]"}},
		"read and write": {func(k *tile.Builder) {
			y := k.InOut("y", dtype.I32, 1)
			k.Grid(3)
			p := k.ProgramID(0)
			y.At(p).Scatter(y.At(p.Add(1)).Gather())
		}, [][]float64{numbers(20)}, nil, map[Problem]string{Race: "gather at interp/debug_test.go"}},
		"atomics": {func(k *tile.Builder) {
			y := k.InOut("y", dtype.I32, 1)
			k.Grid(3)
			y.At(2).AtomicAdd(1)
		}, [][]float64{numbers(20)}, nil, nil},
		"atomic and not": {func(k *tile.Builder) {
			y := k.InOut("y", dtype.I32, 1)
			k.Grid(3)
			y.At(2).AtomicAdd(1)
			y.At(k.ProgramID(0)).Scatter(1)
		}, [][]float64{numbers(20)}, nil, map[Problem]string{Race: "atomic at"}},
		"the last one reads": {lastReads(func(at tile.Points) tile.Points { return at.AcquireRelease() }, 0), [][]float64{numbers(5), numbers(1), numbers(2)}, nil, nil},
		"the last one reads without an order": {lastReads(func(at tile.Points) tile.Points { return at }, 0),
			[][]float64{numbers(5), numbers(1), numbers(2)}, nil, map[Problem]string{Race: "parts, element 0 of the buffer, is also touched by program [0 0 0], scatter"}},
		"the last one reads without an acquire": {lastReads(func(at tile.Points) tile.Points { return at.Release() }, 0),
			[][]float64{numbers(5), numbers(1), numbers(2)}, nil, map[Problem]string{Race: "parts, element 0 of the buffer, is also touched by program [0 0 0], scatter"}},
		"the last one reads without a release": {lastReads(func(at tile.Points) tile.Points { return at.Acquire() }, 0),
			[][]float64{numbers(5), numbers(1), numbers(2)}, nil, map[Problem]string{Race: "parts, element 0 of the buffer, is also touched by program [0 0 0], scatter"}},
		"the last one reads what is written after the count": {lastReads(func(at tile.Points) tile.Points { return at.AcquireRelease() }, 1),
			[][]float64{numbers(5), numbers(1), numbers(2)}, nil, map[Problem]string{Race: "parts, element 0 of the buffer, is also touched by program [0 0 0], scatter"}},
		"an order through others": {func(k *tile.Builder) {
			y, count := k.InOut("y", dtype.I32, 1), k.InOut("count", dtype.I32, 1)
			k.Grid(4)
			p := k.ProgramID(0)
			k.If(p.Gt(0), func() { count.At(p.Sub(1)).Acquire().AtomicOr(0) })
			y.At(0).Scatter(p)
			count.At(p).Release().AtomicExchange(1)
		}, [][]float64{numbers(1), numbers(4)}, nil, nil},
		"out of bounds": {func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			i := k.Arange(16)
			y.At(i).Mask(i.Lt(y.Dim(0))).Scatter(x.At(i.Sub(1)).Gather())
		}, [][]float64{numbers(15), numbers(10)}, nil, map[Problem]string{OutOfBounds: "point [-1] of x, which has size [15]"}},
		"nan": {func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			k.Grid(2)
			p := k.ProgramID(0)
			y.Block(8).Store(x.Block(8).Load(p).Log().Add(1).Maximum(3), p)
		}, [][]float64{{1, 1, 1, 1, 1, 1, 1, 1, 1, -1, 1, 1}, numbers(12)}, nil, map[Problem]string{NaN: "[1]"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := build(t, "check", c.describe)
			var found []Finding
			o := Options{Check: true, Uninitialized: c.fresh, Report: func(f Finding) { found = append(found, f) }}
			if err := runWith(t, k, o, c.tensors...); err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				want, ok := c.want[f.Problem]
				if !ok || !strings.Contains(f.Text, want) || f.Pos.File != "interp/debug_test.go" {
					t.Errorf("found %v", f.Error())
				}
			}
			if len(found) != len(c.want) {
				t.Errorf("%d findings, want %v", len(found), c.want)
			}
			o.Report = nil
			if err := runWith(t, k, o, c.tensors...); (err != nil) != (c.want != nil) || err != nil && !errors.Is(err, fault.ErrKernel) {
				t.Errorf("without a report: %v", err)
			}
			if err := runWith(t, k, Options{}, c.tensors...); err != nil {
				t.Errorf("without checks: %v", err)
			}
		})
	}
}

// lastReads has the last of the programs that count themselves sum what all of them have stored before, or after they counted, and reset the count.
func lastReads(order func(at tile.Points) tile.Points, after int) func(k *tile.Builder) {
	return func(k *tile.Builder) {
		parts, sum, count := k.InOut("parts", dtype.I32, 1), k.InOut("sum", dtype.I32, 1), k.InOut("count", dtype.I32, 1)
		k.Grid(parts.Dim(0))
		p := k.ProgramID(0)
		write := func(now bool) {
			if now {
				parts.At(p).Scatter(p)
			}
		}
		write(after == 0)
		last := order(count.At(0)).AtomicAdd(1).Eq(parts.Dim(0).Sub(1))
		write(after == 1)
		k.If(last, func() {
			sum.Block(1).Store(parts.Block(8).Load(0).Sum(0).Reshape(1), 0)
			count.At(0).AtomicExchange(0)
		})
	}
}

// The interpreter holds a kernel to its promises.
func TestHints(t *testing.T) {
	k := build(t, "hints", func(k *tile.Builder) {
		x := k.InOut("x", dtype.I32, 1)
		k.Grid(x.Dim(0).MultipleOf(4).Div(4))
		n := x.At(0).Gather()
		k.Assume(n.Gt(0))
		all := x.Block(4).Load(0)
		x.At(1).Scatter(n.MultipleOf(8).Div(8))
		k.Print("runs", all.Contiguous(2))
	})
	for first, want := range map[float64]string{16: "", 0: "assume", -8: "assume", 12: "12 is not a multiple of 8", 24: "breaks the promised runs of 2"} {
		err := runWith(t, k, Options{Print: io.Discard}, []float64{first, 17, 6, 7})
		if (err != nil) != (want != "") || err != nil && (!errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: %v", first, err)
		}
	}
}
