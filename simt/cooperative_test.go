package simt

import (
	"maps"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// eights multiplies 8×8 matrices of F16 by 8 threads, each of which has a row of a and of c, and a column of b.
func eights() *MatrixInstruction {
	line, lines := [][2]int{{0, 1}, {0, 2}, {0, 4}}, [][2]int{{1, 0}, {2, 0}, {4, 0}}
	f := Fragment{Registers: line, Threads: lines}
	return &MatrixInstruction{Name: "8x8x8", Cooperative: true, Threads: 8, Rows: 8, Columns: 8, MostColumns: 8, Bytes: 16,
		Sums: map[dtype.Type]dtype.Type{dtype.F16: dtype.F32}, A: f, B: f, C: f}
}

// cooperative declares an instruction and gives a matrix of each use.
func (f *fixture) cooperative(change func(m *MatrixInstruction)) (m *MatrixInstruction, a, b, c *Value) {
	m = eights()
	change(m)
	f.Func.DeclareCooperative(m)
	halves := f.NewShared("halves", dtype.F16, 1024)
	a = f.CooperativeLoad(halves, f.Int(0), m.Matrix(dtype.F16, MatrixA), 8, false)
	b = f.CooperativeLoad(halves, f.Int(0), m.Matrix(dtype.F16, MatrixB), 8, true)
	return m, a, b, f.Const(m.Matrix(dtype.F16, MatrixC), 0)
}

func unchanged(*MatrixInstruction) {}

// brokenCooperative breaks the rules of cooperative matrices.
var brokenCooperative = []brokenRow{
	{"sums of another shape", func(f *fixture) {
		_, a, b, c := f.cooperative(unchanged)
		f.emit(CooperativeMulAdd, c.Type, b, a, c)
	}, "the product of"},
	{"a store of a number", func(f *fixture) { f.CooperativeStore(f.tile, 0, f.Int(0), f.float(), 8, false) }, "a store of f32"},
	{"a store to an array of another type", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		f.CooperativeStore(f.tile, 0, f.Int(0), a, 8, false)
	}, "a matrix f16x8 a 8 8 of an array of f32"},
	{"a store of rows apart by 24 bytes", func(f *fixture) {
		_, _, _, c := f.cooperative(unchanged)
		f.CooperativeStore(f.tile, 0, f.Int(0), c, 6, true)
	}, "rows are 6 elements apart"},
	{"a store to no array", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		f.Do(&Op{Kind: CooperativeStore, Args: []*Value{f.Int(0), a}, Pitch: 8})
	}, "no shared array"},
	{"a load of an array of another type", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		f.CooperativeLoad(f.tile, f.Int(0), a.Type, 8, false)
	}, "of an array of f32"},
	{"a load of no array", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		f.Emit(&Op{Kind: CooperativeLoad, Args: []*Value{f.Int(0)}, Pitch: 8}, a.Type)
	}, "no shared array"},
	{"rows apart by 4 bytes", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		f.CooperativeLoad(a.Op.Shared, f.Int(0), a.Type, 10, false)
	}, "rows are 10 elements apart"},
	{"matrices that are not declared", func(f *fixture) {
		x := f.float()
		f.emit(Compose, Type{dtype.F32, 2, MatrixShape{MatrixC, 8, 8, dtype.F16}}, x, x)
	}, "declares no matrices"},
	{"a sum of matrices", func(f *fixture) {
		_, _, _, c := f.cooperative(unchanged)
		f.Unary(Neg, c)
	}, "its result is a matrix"},
	{"a matrix of two elements", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		x := f.float()
		f.emit(Compose, a.Type, x, x)
	}, "2 operands for"},
	{"an element beyond those of a thread", func(f *fixture) {
		_, a, _, _ := f.cooperative(unchanged)
		f.Emit(&Op{Kind: Extract, Lane: 8, Args: []*Value{a}}, f32T)
	}, "lane 8"},
}

// brokenInstructions breaks the rules of the instructions that a kernel declares.
var brokenInstructions = map[string]func(k *Func){
	"no instruction":               func(k *Func) { k.Cooperative = []*MatrixInstruction{nil} },
	"matrices of 32 threads, 16×8": func(k *Func) { k.Cooperative = []*MatrixInstruction{WarpMMA} },
	"4 threads are no subgroups of 8": func(k *Func) {
		k.Threads = 4
		k.DeclareCooperative(eights())
	},
	"3 bits of registers and 4 of 8 threads": declares(func(m *MatrixInstruction) { m.A.Threads = append(m.A.Threads[:3:3], [2]int{}) }),
	"register 4 of thread 0 is at 0, 8":      declares(func(m *MatrixInstruction) { m.C.Registers = [][2]int{{0, 1}, {0, 2}, {0, 8}} }),
	"no thread has 0, 4":                     declares(func(m *MatrixInstruction) { m.B.Registers = [][2]int{{0, 1}, {0, 2}, {0, 2}} }),
	"bytes along K":                          declares(func(m *MatrixInstruction) { m.Sums[dtype.F32] = dtype.F16 }),
	"opaque matrices f16x8 b 8 8 with a":     declares(func(m *MatrixInstruction) { m.MakeOpaque(dtype.F16); m.B = eights().A; m.B.Threads[0] = [2]int{3, 0} }),
	"opaque matrices of 2 types":             declares(func(m *MatrixInstruction) { m.MakeOpaque(dtype.F16); m.Sums[dtype.BF16] = dtype.F32 }),
}

func declares(change func(m *MatrixInstruction)) func(k *Func) {
	return func(k *Func) {
		m := eights()
		change(m)
		k.DeclareCooperative(m)
	}
}

// TestCooperativeElements: elements that are extracted and composed again are the matrix that they were of, unless it rounds them.
func TestCooperativeElements(t *testing.T) {
	f := newFixture()
	m, a, b, c := f.cooperative(unchanged)
	sum := f.CooperativeMulAdd(a, b, c)
	elements := func(x *Value) (list []*Value) {
		for i := range x.Type.Width {
			list = append(list, f.Extract(x, i))
		}
		return list
	}
	if f.ComposeMatrix(sum.Type, elements(sum)...) != sum {
		t.Error("a matrix is composed of its own elements")
	}
	x := f.float()
	eight := []*Value{x, x, x, x, x, x, x, x}
	if f.Extract(f.ComposeMatrix(m.Matrix(dtype.F16, MatrixC), eight...), 1) != x {
		t.Error("an element of F32 changes")
	}
	if f.Extract(f.ComposeMatrix(a.Type, eight...), 1) == x {
		t.Error("an element of F16 is not rounded")
	}
	if v := f.ComposeMatrix(a.Type, elements(sum)...); v == sum || v.Type != a.Type {
		t.Errorf("a composed matrix is %v", v.Type)
	}
	if err := Verify(f.Func); err != nil {
		t.Error(err)
	}
}

// TestInRows: threads have vectors of consecutive elements, and copies where there are too few.
func TestInRows(t *testing.T) {
	for _, c := range []struct{ across, along, threads, held, vector, distinct int }{
		{16, 16, 32, 8, 4, 256}, {8, 8, 32, 2, 2, 64}, {8, 8, 64, 1, 1, 64}, {16, 8, 8, 16, 4, 128}, {4, 4, 32, 1, 1, 16}, {8, 32, 1, 256, 4, 256},
	} {
		f := InRows(c.across, c.along, c.threads)
		if f.Held() != c.held || 1<<len(f.Threads) != c.threads {
			t.Errorf("%v: %v", c, f)
		}
		seen := map[int]bool{}
		for thread := range c.threads {
			for register := range f.Held() {
				row, column := f.At(register, thread)
				number := row*c.along + column
				seen[number] = true
				if want := register%c.vector + c.vector*thread + register/c.vector*c.vector*c.threads; want%(c.across*c.along) != number {
					t.Errorf("%v: register %d of thread %d is element %d, want %d", c, register, thread, number, want)
				}
			}
		}
		if len(seen) != c.distinct {
			t.Errorf("%v: %d elements", c, len(seen))
		}
	}
}

// opaqueElement is a kernel that printers refuse.
func opaqueElement() *Func {
	f := newFixture()
	_, a, b, c := f.cooperative(func(m *MatrixInstruction) { m.MakeOpaque(dtype.F16) })
	f.Extract(f.CooperativeMulAdd(a, b, c), 1)
	return f.Func
}

// TestCheckOpaque: printers refuse kernels that know of the elements of opaque matrices.
func TestCheckOpaque(t *testing.T) {
	for name, use := range map[string]func(f *fixture, c *Value){
		"extract": func(f *fixture, c *Value) { f.Emit(&Op{Kind: Extract, Args: []*Value{c}}, f32T) },
		"compose": func(f *fixture, c *Value) {
			x := f.float()
			f.emit(Compose, c.Type, x, x, x, x, x, x, x, x)
		},
		"": func(f *fixture, c *Value) { f.CooperativeStore(f.tile, 0, f.Int(0), c, 8, false) },
	} {
		for _, opaque := range []bool{false, true} {
			f := newFixture()
			_, a, b, c := f.cooperative(func(m *MatrixInstruction) {
				if opaque {
					m.MakeOpaque(dtype.F16)
				}
			})
			use(f, f.CooperativeMulAdd(a, b, c))
			if err := Verify(f.Func); err != nil {
				t.Fatal(err)
			}
			if err := f.Func.CheckOpaque(); (err != nil) != (opaque && name != "") || err != nil && !strings.Contains(err.Error(), name+" of an opaque matrix f32x8 c 8 8") {
				t.Errorf("%q, opaque %v: %v", name, opaque, err)
			}
		}
	}
}

// everyBrokenKernel lists what breaks the rules of declarations.
func everyBrokenKernel() map[string]func(k *Func) {
	all := maps.Clone(brokenKernels)
	maps.Copy(all, brokenInstructions)
	return all
}
