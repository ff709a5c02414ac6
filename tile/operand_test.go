package tile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

type (
	count   int32
	measure float32
)

// body is the IR of a description without the lines of source.
func body(t *testing.T, describe func(k *tile.Builder)) string {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(build(t, "body", describe).String(), "\n") {
		text, _, _ := strings.Cut(line, "//")
		lines = append(lines, strings.TrimRight(text, " "))
	}
	return strings.Join(lines, "\n")
}

// wantSame demands that two descriptions build the same IR.
func wantSame(t *testing.T, name string, got, want func(k *tile.Builder)) {
	t.Helper()
	if diff := cmp.Diff(body(t, want), body(t, got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// A Go number is the same operand whatever its type, and takes the type of the other operand.
func TestNumbersOfAllTypes(t *testing.T) {
	numbers := []tile.Operand{3, int8(3), int16(3), int32(3), int64(3), uint(3), uint8(3), uint16(3), uint32(3), uint64(3), uintptr(3),
		float32(3), 3.0, dtype.ToFloat16(3), dtype.ToBFloat16(3), count(3), measure(3), 3 * time.Nanosecond}
	for _, elem := range []dtype.Type{dtype.I8, dtype.U8, dtype.I16, dtype.U16, dtype.I32, dtype.U32, dtype.I64, dtype.U64, dtype.F16, dtype.BF16, dtype.F32} {
		use := func(n tile.Operand) func(k *tile.Builder) {
			return func(k *tile.Builder) {
				x, c := k.InOut("x", elem, 1), k.InOut("c", dtype.I32, 1)
				k.Grid(1)
				v := x.Block(4).Load(1)
				v = v.Add(k.Const(elem, n)).Sub(k.Full(elem, n, 4)).Mul(x.Block(4).Fill(n).Load(2)).Add(x.At(k.Arange(4)).Fill(n).Gather())
				c.At(k.Float(n).Cast(dtype.I32)).Scatter(1)
				v = v.Add(n).Mul(n).Maximum(k.Where(v.Lt(n), n, k.Sub(n, v)))
				for range k.RangeStep(0, 9, 3) {
					c.At(c.At(3).Gather()).AtomicAdd(3)
				}
				x.At(3).Scatter(n)
				x.Block(4).Store(v, 0)
			}
		}
		for _, n := range numbers {
			wantSame(t, elem.String(), use(n), use(3))
		}
	}
	for _, n := range numbers[:11] { // coordinates and bounds, which are integers
		use := func(n tile.Operand) func(k *tile.Builder) {
			return func(k *tile.Builder) {
				x := k.InOut("x", dtype.I32, 1)
				k.Grid(n)
				for range k.RangeStep(n, k.CDiv(x.Dim(0), n), n) {
					x.At(n).AtomicAdd(x.Block(4).Load(n).At(n))
				}
			}
		}
		wantSame(t, "integers", use(n), use(3))
	}
}

// Numbers whose other operand is a number have a type that their Go types tell.
func TestNumbersAlone(t *testing.T) {
	for _, c := range []struct {
		x, y tile.Operand
		want dtype.Type
	}{
		{1, -1, dtype.I32}, {count(1), uint8(2), dtype.I32}, {1, 0.5, dtype.F32}, {0.5, 1, dtype.F32}, {measure(1), measure(2), dtype.F32},
		{true, false, dtype.Bool},
	} {
		body(t, func(k *tile.Builder) {
			x := k.In("x", dtype.F32, 1)
			k.Grid(1)
			if got := k.Where(x.Block(4).Load(0).Gt(0), c.x, c.y).Type(); !got.Equal(tile.TileOf(c.want, 4)) {
				t.Errorf("%v and %v: %v, want %v", c.x, c.y, got, c.want)
			}
		})
	}
}

// What the Builder does with a number on the left is what values do.
func TestNumbersOnTheLeft(t *testing.T) {
	for name, f := range map[string]struct {
		left  func(k *tile.Builder, x, y tile.Operand) *tile.Value
		value func(v *tile.Value, x tile.Operand) *tile.Value
	}{
		"sub": {(*tile.Builder).Sub, (*tile.Value).Sub},
		"div": {(*tile.Builder).Div, (*tile.Value).Div},
		"rem": {(*tile.Builder).Rem, (*tile.Value).Rem},
		"shl": {(*tile.Builder).Shl, (*tile.Value).Shl},
		"shr": {(*tile.Builder).Shr, (*tile.Value).Shr},
	} {
		for _, elem := range []dtype.Type{dtype.I32, dtype.U64, dtype.F32} {
			if elem.IsFloat() && name != "sub" && name != "div" {
				continue
			}
			use := func(f func(k *tile.Builder, v *tile.Value) *tile.Value) func(k *tile.Builder) {
				return func(k *tile.Builder) {
					x := k.InOut("x", elem, 2)
					k.Grid(1)
					x.Block(4, 2).Store(f(k, x.Block(4, 2).Load(0, 0)), 0, 0)
				}
			}
			wantSame(t, name+" number", use(func(k *tile.Builder, v *tile.Value) *tile.Value { return f.left(k, 7, v) }),
				use(func(k *tile.Builder, v *tile.Value) *tile.Value { return f.value(k.Const(elem, 7), v) }))
			wantSame(t, name+" value", use(func(k *tile.Builder, v *tile.Value) *tile.Value { return f.left(k, v, 7) }),
				use(func(k *tile.Builder, v *tile.Value) *tile.Value { return f.value(v, 7) }))
		}
	}
}

// An axis below 0 counts from the last one.
func TestNegativeAxes(t *testing.T) {
	add := func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Add(y[0])} }
	for name, f := range map[string]func(v *tile.Value, axis int) *tile.Value{
		"sum":     (*tile.Value).Sum,
		"max":     (*tile.Value).Max,
		"min":     (*tile.Value).Min,
		"prod":    (*tile.Value).Prod,
		"any":     func(v *tile.Value, axis int) *tile.Value { return v.Gt(0).Any(axis) },
		"all":     func(v *tile.Value, axis int) *tile.Value { return v.Gt(0).All(axis) },
		"argmax":  (*tile.Value).ArgMax,
		"argmin":  (*tile.Value).ArgMin,
		"cumsum":  func(v *tile.Value, axis int) *tile.Value { return v.CumSum(axis) },
		"cumprod": func(v *tile.Value, axis int) *tile.Value { return v.CumProd(axis, tile.Reverse) },
		"cummax":  func(v *tile.Value, axis int) *tile.Value { return v.CumMax(axis, tile.Exclusive) },
		"cummin":  func(v *tile.Value, axis int) *tile.Value { return v.CumMin(axis) },
		"reduce":  func(v *tile.Value, axis int) *tile.Value { return tile.Reduce([]*tile.Value{v}, axis, add)[0] },
		"scan":    func(v *tile.Value, axis int) *tile.Value { return tile.Scan([]*tile.Value{v}, axis, add)[0] },
		"scan exclusive": func(v *tile.Value, axis int) *tile.Value {
			return tile.ScanExclusive([]*tile.Value{v}, []tile.Operand{0}, axis, add)[0]
		},
		"iota":    func(v *tile.Value, axis int) *tile.Value { return v.Builder().Iota(axis, 2, 8, 16) },
		"unpack4": func(v *tile.Value, axis int) *tile.Value { return v.Unpack4(axis, dtype.I8) },
		"pack4":   func(v *tile.Value, axis int) *tile.Value { return v.Cast(dtype.U8).Pack4(axis, dtype.U8) },
	} {
		use := func(axis int) func(k *tile.Builder) {
			return func(k *tile.Builder) {
				x := k.In("x", dtype.U32, 3)
				k.Grid(1)
				f(x.Block(2, 8, 16).Load(0, 0, 0), axis)
			}
		}
		for axis := range 3 {
			wantSame(t, name, use(axis-3), use(axis))
		}
		for _, axis := range []int{3, -4} {
			_, err := tile.Build("bad", use(axis))
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("axis %d of ", axis)) || !strings.Contains(err.Error(), "[2,8,16]") {
				t.Errorf("%s: axis %d: %v", name, axis, err)
			}
		}
	}
	three := func(f func(k *tile.Builder, x *tile.View, v *tile.Value)) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x := k.In("x", dtype.F32, 3)
			k.Grid(1)
			f(k, x, x.Block(2, 8, 16).Load(0, 0, 0))
		}
	}
	wantSame(t, "dim", three(func(k *tile.Builder, x *tile.View, _ *tile.Value) { x.Dim(-1).Add(x.Dim(-3)) }),
		three(func(k *tile.Builder, x *tile.View, _ *tile.Value) { x.Dim(2).Add(x.Dim(0)) }))
	wantSame(t, "permute", three(func(k *tile.Builder, _ *tile.View, v *tile.Value) { v.Permute(-1, 0, -2) }),
		three(func(k *tile.Builder, _ *tile.View, v *tile.Value) { v.Permute(2, 0, 1) }))
	for axis := range 4 {
		wantSame(t, "expand", three(func(k *tile.Builder, _ *tile.View, v *tile.Value) { v.Expand(axis - 4) }),
			three(func(k *tile.Builder, _ *tile.View, v *tile.Value) { v.Expand(axis) }))
	}
	for name, f := range map[string]func(k *tile.Builder, x *tile.View, v *tile.Value){
		"axis 3 of view x of rank 3":                 func(_ *tile.Builder, x *tile.View, _ *tile.Value) { x.Dim(3) },
		"axis -4 of view x of rank 3":                func(_ *tile.Builder, x *tile.View, _ *tile.Value) { x.Dim(-4) },
		"[-4 0 1] does not order":                    func(_ *tile.Builder, _ *tile.View, v *tile.Value) { v.Permute(-4, 0, 1) },
		"axis -5 of f32[2,8,16], expanded to rank 4": func(_ *tile.Builder, _ *tile.View, v *tile.Value) { v.Expand(-5) },
		"axis -1 of f32, which is a scalar":          func(k *tile.Builder, _ *tile.View, _ *tile.Value) { k.Float(1).Sum(-1) },
		"axis -4 of f32[2,8,16], which has rank 3":   func(k *tile.Builder, _ *tile.View, v *tile.Value) { v.ArgMax(-4) },
	} {
		if _, err := tile.Build("bad", three(f)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// What is no operand is an error that says what to do.
func TestNoOperand(t *testing.T) {
	for says, f := range map[string]func(k *tile.Builder, v *tile.Value){
		"string is not a value or a number":              func(_ *tile.Builder, v *tile.Value) { v.Add("7") },
		"complex128 is not a value or a number":          func(_ *tile.Builder, v *tile.Value) { v.Add(1i) },
		"the value is nil":                               func(_ *tile.Builder, v *tile.Value) { v.Add(nil) },
		"a Var is not a value: read it with Get":         func(k *tile.Builder, v *tile.Value) { v.Add(k.Var(v)) },
		"true is a bool, the other operand is f32":       func(_ *tile.Builder, v *tile.Value) { v.Add(true) },
		"the operands are f32[4] and f32, want integers": func(k *tile.Builder, v *tile.Value) { k.CDiv(v, 2) },
		"where: cond: the value is nil":                  func(k *tile.Builder, v *tile.Value) { k.Where(nil, v, 0) },
		"where: the condition is f32[4], want bool":      func(k *tile.Builder, v *tile.Value) { k.Where(v, v, 0) },
		"0.5 is not a value of i32":                      func(k *tile.Builder, v *tile.Value) { k.Where(v.Gt(0), k.Int(1), 0.5) },
		"2.147483648e+09 is not a value of i32":          func(k *tile.Builder, v *tile.Value) { k.Where(v.Gt(0), 1<<31, 0) },
	} {
		_, err := tile.Build("bad", func(k *tile.Builder) { f(k, k.In("x", dtype.F32, 1).Block(4).Load(0)) })
		if !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// What a type does not hold, and what is no number, is refused by the function that was given it.
func TestConstantsThatDoNotFit(t *testing.T) {
	for says, describe := range map[string]func(k *tile.Builder, x *tile.View){
		"const: x: a string is not a number of f32": func(k *tile.Builder, _ *tile.View) { k.Const(dtype.F32, "1") },
		"full: x: a bool is not a number of i64":    func(k *tile.Builder, _ *tile.View) { k.Full(dtype.I64, true, 4) },
		"full: x: a <nil> is not a number":          func(k *tile.Builder, _ *tile.View) { k.Full(dtype.F32, nil, 4) },
		"2.5 is not a value of i32":                 func(k *tile.Builder, _ *tile.View) { k.Const(dtype.I32, float32(2.5)) },
		"256 is not a value of u8":                  func(k *tile.Builder, _ *tile.View) { k.Full(dtype.U8, uint16(256), 4) },
		"fill: a []int is not a number of i64":      func(_ *tile.Builder, x *tile.View) { x.Block(4).Fill([]int{1}) },
		"has more than 53 binary digits":            func(_ *tile.Builder, x *tile.View) { x.At(0).Fill(int64(1)<<60 + 1) },
	} {
		_, err := tile.Build("k", func(k *tile.Builder) {
			x := k.In("x", dtype.I64, 1)
			describe(k, x)
		})
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "operand_test.go:") {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
