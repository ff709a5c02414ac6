package tile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// faulty is a description with one error, on the line that at was set to.
type faulty struct {
	name     string
	kind     error
	says     string // part of the message
	describe func(k *tile.Builder, at *tile.Pos)
}

func TestErrors(t *testing.T) {
	for _, f := range slices.Concat(valueFaults, programFaults) {
		t.Run(f.name, func(t *testing.T) {
			var at tile.Pos
			k, err := tile.Build("faulty", func(k *tile.Builder) { f.describe(k, &at) })
			if err == nil {
				t.Fatalf("built\n%v", k)
			}
			wantError(t, err, f.kind, at)
			if !strings.Contains(err.Error(), f.says) {
				t.Errorf("error %q does not say %q", err, f.says)
			}
		})
	}
}

// What one kernel made is of no use in another.
func TestOtherKernel(t *testing.T) {
	var view *tile.View
	var value *tile.Value
	build(t, "first", func(k *tile.Builder) {
		view, value = k.InOut("x", dtype.I32, 1), k.Int(1)
	})
	for name, use := range map[string]func(k *tile.Builder){
		"operand":    func(k *tile.Builder) { k.Int(1).Add(value) },
		"receiver":   func(k *tile.Builder) { value.Add(k.Int(1)) },
		"grid":       func(k *tile.Builder) { k.Grid(value) },
		"bound":      func(k *tile.Builder) { k.Range(value)(func(*tile.Value) bool { return true }) },
		"coordinate": func(k *tile.Builder) { k.In("x", dtype.F32, 1).Block(1).Load(value) },
		"dim":        func(k *tile.Builder) { k.Grid(view.Dim(0)) },
		"load":       func(k *tile.Builder) { view.Block(1).Load(0).Add(k.Int(1)) },
		"store":      func(k *tile.Builder) { view.Block(1).Store(k.Int(1), 0) },
		"variable":   func(k *tile.Builder) { k.Var(k.Int(1)).Set(value); k.Var(value).Get().Neg() },
	} {
		_, err := tile.Build("second", use)
		if err == nil || !strings.Contains(err.Error(), "another kernel") {
			t.Errorf("%s: error %v, want one about another kernel", name, err)
		}
	}
}

// Verify finds what a pass over the IR broke.
func TestVerify(t *testing.T) {
	for name, damage := range map[string]func(k *tile.Func){
		"order":         func(k *tile.Func) { ops := k.Body.Ops; ops[0], ops[len(ops)-1] = ops[len(ops)-1], ops[0] },
		"kind":          func(k *tile.Func) { find(k, tile.OpDot).Kind = tile.OpFMA },
		"no kind":       func(k *tile.Func) { find(k, tile.OpDot).Kind = tile.NumKinds },
		"arity":         func(k *tile.Func) { op := find(k, tile.OpDot); op.Args = op.Args[:2] },
		"nil operand":   func(k *tile.Func) { find(k, tile.OpDot).Args[1] = nil },
		"view":          func(k *tile.Func) { find(k, tile.OpLoad).View = nil },
		"foreign view":  func(k *tile.Func) { v := *find(k, tile.OpLoad).View; find(k, tile.OpLoad).View = &v },
		"access":        func(k *tile.Func) { k.Views[0].Access = tile.Out },
		"result":        func(k *tile.Func) { find(k, tile.OpDot).Out = nil },
		"yield":         func(k *tile.Func) { b := find(k, tile.OpFor).Body; b.Ops = b.Ops[:len(b.Ops)-1] },
		"yielded":       func(k *tile.Func) { find(k, tile.OpYield).Args = nil },
		"body":          func(k *tile.Func) { find(k, tile.OpFor).Body = nil },
		"carried":       func(k *tile.Func) { op := find(k, tile.OpFor); op.Body.Args = op.Body.Args[:1] },
		"yield outside": func(k *tile.Func) { k.Body.Ops = append(k.Body.Ops, &tile.Op{Kind: tile.OpYield}) },
		"scalar":        func(k *tile.Func) { k.Scalars = nil },
	} {
		k := build(t, "matmul", matmulKernel)
		damage(k)
		if err := tile.Verify(k); err == nil {
			t.Errorf("%s: the damaged kernel verifies", name)
		}
	}
}

// find returns the first op of a kind, loops included.
func find(k *tile.Func, kind tile.Kind) *tile.Op {
	var in func(r *tile.Region) *tile.Op
	in = func(r *tile.Region) *tile.Op {
		for _, op := range r.Ops {
			if op.Kind == kind {
				return op
			}
			if op.Body != nil {
				if found := in(op.Body); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return in(k.Body)
}
