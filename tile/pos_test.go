package tile_test

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// An error of Go's runtime in a description has its line and its text; what a description panics with goes on.
func TestRuntimeErrors(t *testing.T) {
	var at tile.Pos
	for name, c := range map[string]struct {
		says     string
		describe func(k *tile.Builder)
	}{
		"index": {"index out of range [1] with length 1", func(*tile.Builder) {
			in := make([]*tile.Value, 1)
			at = here(1)
			in[1].Add(1)
		}},
		"nil value": {"is nil", func(*tile.Builder) {
			var v *tile.Value
			at = here(1)
			v.Add(1)
		}},
		"nil view": {"is nil", func(*tile.Builder) {
			var v *tile.View
			at = here(1)
			v.Dim(0)
		}},
		"in a loop": {"is nil", func(k *tile.Builder) {
			for range k.Range(3) {
				at = here(1)
				tile.Dot(nil, nil, nil, tile.IEEE)
			}
		}},
		"in a branch": {"divide by zero", func(k *tile.Builder) {
			k.If(k.Int(1).Eq(1), func() {
				zero := 0
				at = here(1)
				k.Int(1 / zero)
			})
		}},
	} {
		_, err := tile.Build("k", c.describe)
		wantError(t, err, fault.ErrKernel, at)
		if err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("a panic of the description's own became %v", r)
		}
	}()
	_, _ = tile.Build("k", func(*tile.Builder) { panic("mine") })
}

// Functions that are nil are named, with the line that gives them.
func TestNilFunctions(t *testing.T) {
	var at tile.Pos
	for arg, describe := range map[string]func(k *tile.Builder){
		"then":      func(k *tile.Builder) { at = here(0); k.If(k.Int(1).Eq(1), nil) },
		"otherwise": func(k *tile.Builder) { at = here(0); k.If(k.Int(1).Eq(1), func() {}).Else(nil) },
		"cond": func(k *tile.Builder) {
			at = here(1)
			for range k.While(nil) {
			}
		},
		"combine": func(k *tile.Builder) {
			at = here(1)
			tile.Reduce([]*tile.Value{k.Zeros(dtype.F32, 4)}, 0, nil)
		},
	} {
		_, err := tile.Build("k", describe)
		wantError(t, err, fault.ErrKernel, at)
		if err != nil && !strings.Contains(err.Error(), arg+": the function is nil") {
			t.Errorf("%s: %v", arg, err)
		}
	}
	_, err := tile.Build("k", nil)
	wantError(t, err, fault.ErrArgument, here(-1))
}

// What stands for a value by mistake is named, with what to do.
func TestOperandAdvice(t *testing.T) {
	for says, operand := range map[string]func(k *tile.Builder) any{
		"a Var is not a value: read it with Get": func(k *tile.Builder) any { return k.Var(k.Zeros(dtype.F32, 4)) },
		"add: x: the value is nil":               func(*tile.Builder) any { return (*tile.Value)(nil) },
		"read it with Block and Load":            func(k *tile.Builder) any { return k.In("x", dtype.F32, 1) },
		"a Block is not a value":                 func(k *tile.Builder) any { return k.In("x", dtype.F32, 1).Block(4) },
		"read them with Gather":                  func(k *tile.Builder) any { return k.In("x", dtype.F32, 1).At(0) },
		"string is not a value or a number":      func(*tile.Builder) any { return "1" },
	} {
		var at tile.Pos
		_, err := tile.Build("k", func(k *tile.Builder) {
			at = here(1)
			k.Zeros(dtype.F32, 4).Add(operand(k))
		})
		wantError(t, err, fault.ErrKernel, at)
		if err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestPosOf(t *testing.T) {
	f := func() {}
	if got, want := tile.PosOf(f), here(-1); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := tile.PosOf((func())(nil)); got != (tile.Pos{}) {
		t.Errorf("of nil: %v", got)
	}
}

// The description of an op is where time goes that each of its positions takes.
func BenchmarkBuildPositions(b *testing.B) {
	for b.Loop() {
		_, err := tile.Build("k", func(k *tile.Builder) {
			v := k.Zeros(dtype.F32, 4)
			for range 100 {
				v = v.Add(1)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/201, "ns/position")
}
