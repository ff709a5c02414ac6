package tile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// mapped builds a kernel that applies a map to a tile [4,8] and a row [1,8] of it.
func mapped(f func(in []*tile.Value) *tile.Value) (*tile.Func, error) {
	return tile.Build("mapped", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		at := k.ProgramTile(y, 4, 8)
		y.Block(4, 8).Store(k.Map("f", f, x.Block(4, 8).Load(at...), x.Block(1, 8).Load(0, at[1])).Cast(dtype.F32), at...)
	})
}

// What depends on which elements are in a tile is refused, by the op's name and line.
func TestMapsAreElementwise(t *testing.T) {
	var at tile.Pos
	mark := func(v *tile.Value) *tile.Value { return v } // so that the line before a call may be noted
	for _, c := range []struct {
		name string
		kind error
		says string
		f    func(x, y *tile.Value) *tile.Value
	}{
		{"sum", fault.ErrKernel, "sum cannot be in a map", func(x, _ *tile.Value) *tile.Value { at = here(0); return x.Sum(0) }},
		{"maximum", fault.ErrKernel, "max cannot be in a map", func(x, _ *tile.Value) *tile.Value { at = here(0); return x.Sub(x.Max(1)) }},
		{"argmax", fault.ErrKernel, "cannot be in a map", func(x, _ *tile.Value) *tile.Value { at = here(0); return x.ArgMax(1).Cast(dtype.F32) }},
		{"scan", fault.ErrKernel, "scan cannot be in a map", func(x, _ *tile.Value) *tile.Value { at = here(0); return x.CumSum(1) }},
		{"transposition", fault.ErrKernel, "permute cannot be in a map", func(x, _ *tile.Value) *tile.Value {
			at = here(1)
			return x.Transpose().Reshape(4, 8)
		}},
		{"reshape", fault.ErrKernel, "reshape cannot be in a map", func(x, _ *tile.Value) *tile.Value { at = here(0); return x.Reshape(8, 4).Reshape(4, 8) }},
		{"dot", fault.ErrKernel, "cannot be in a map", func(x, y *tile.Value) *tile.Value {
			at = here(1)
			return tile.Dot(x, x.Transpose(), x.Builder().Zeros(dtype.F32, 4, 4), tile.IEEE)
		}},
		{"coordinates", fault.ErrKernel, "iota cannot be in a map", func(x, _ *tile.Value) *tile.Value {
			at = here(1)
			return x.Builder().Iota(1, 4, 8).Cast(dtype.F32).Add(x)
		}},
		{"program", fault.ErrKernel, "program_id cannot be in a map", func(x, _ *tile.Value) *tile.Value {
			at = here(1)
			return x.Add(x.Builder().ProgramID(0).Cast(dtype.F32))
		}},
		{"element", fault.ErrKernel, "at cannot be in a map", func(x, _ *tile.Value) *tile.Value { at = here(0); return x.Sub(x.At(0, 0)) }},
		{"assertion", fault.ErrKernel, "assert cannot be in a map", func(x, _ *tile.Value) *tile.Value {
			at = here(1)
			x.Builder().Assert(x.Gt(0), "positive")
			return x
		}},
		{"exit", fault.ErrKernel, "exit cannot be in a map", func(x, _ *tile.Value) *tile.Value {
			k := x.Builder()
			on := k.Int(1).Gt(0)
			at = here(1)
			k.Exit(on)
			return x
		}},
		{"loop that reduces", fault.ErrKernel, "sum cannot be in a map", func(x, _ *tile.Value) *tile.Value {
			k := x.Builder()
			v := k.Var(x)
			for range k.Range(3) {
				at = here(1)
				v.Set(v.Get().Add(x.Sum(0)))
			}
			return v.Get()
		}},
		{"loop of another shape", fault.ErrShape, "within a map of elements of shape [4 8]", func(x, _ *tile.Value) *tile.Value {
			k := x.Builder()
			at = here(1)
			v := k.Var(k.Zeros(dtype.F32, 16))
			for range k.Range(3) {
				v.Set(v.Get().Add(1))
			}
			return x
		}},
		{"another shape", fault.ErrShape, "const of f32[2,2] within a map", func(x, _ *tile.Value) *tile.Value {
			at = here(1)
			return x.Builder().Zeros(dtype.F32, 2, 2)
		}},
		{"parameter", fault.ErrKernel, "declares parameters", func(x, _ *tile.Value) *tile.Value {
			at = here(-1)
			return x.Mul(x.Builder().Scalar("factor", dtype.F32))
		}},
		{"grid", fault.ErrKernel, "sets a grid or a schedule", func(x, _ *tile.Value) *tile.Value {
			at = here(-1)
			x.Builder().Schedule(tile.Schedule{Threads: 64})
			return x
		}},
		{"nothing", fault.ErrKernel, "returns nil", func(x, _ *tile.Value) *tile.Value { at = here(0); return mark(nil) }},
	} {
		at = tile.Pos{}
		f := c.f
		_, err := mapped(func(in []*tile.Value) *tile.Value { return f(in[0], in[1]) })
		where := fmt.Sprintf("map_test.go:%d:", at.Line)
		switch c.name {
		case "parameter", "grid", "nothing": // the map's own line, which is the closure's above
			where = "map_test.go:"
		}
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), where) || !strings.Contains(err.Error(), " f: ") {
			t.Errorf("%s: %v; want %v with %q at %s", c.name, err, c.kind, c.says, where)
		}
	}
}

// What is element by element is a map: constants, rows and columns that are broadcast, branches and loops by scalars, prints.
func TestMapsMayBranchAndLoop(t *testing.T) {
	for name, f := range map[string]func(x, y *tile.Value) *tile.Value{
		"row":      func(x, y *tile.Value) *tile.Value { return y },
		"both":     func(x, y *tile.Value) *tile.Value { return x.Mul(y).Add(2).FMA(x, y) },
		"constant": func(x, y *tile.Value) *tile.Value { return x.Builder().Float(3) },
		"casts":    func(x, y *tile.Value) *tile.Value { return x.Bitcast(dtype.I32).And(255).Cast(dtype.F32) },
		"where":    func(x, y *tile.Value) *tile.Value { return x.Builder().Where(x.Gt(y), x, 0) },
		"print": func(x, y *tile.Value) *tile.Value {
			x.Builder().Print("x", x)
			return x
		},
		"loop": func(x, y *tile.Value) *tile.Value {
			k := x.Builder()
			v := k.Var(x)
			for i := range k.Range(3) {
				k.If(i.Gt(0), func() { v.Set(v.Get().Mul(y)) }).Else(func() { v.Set(v.Get().Add(1)) })
			}
			return v.Get()
		},
	} {
		kernel, err := mapped(func(in []*tile.Value) *tile.Value { return f(in[0], in[1]) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(kernel.String(), "store") {
			t.Errorf("%s: %v stores nothing", name, kernel)
		}
	}
}
