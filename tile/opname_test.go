package tile_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// receivers are what methods are called of: a kernel, its parameters and values of several types, none of which suits all ops.
var receivers = []struct {
	name string
	make func(k *tile.Builder) any
}{
	{"kernel", func(k *tile.Builder) any { return k }},
	{"view", func(k *tile.Builder) any { return k.In("x", dtype.F32, 2) }},
	{"block", func(k *tile.Builder) any { return k.In("x", dtype.F32, 2).Block(4, 8) }},
	{"points", func(k *tile.Builder) any { return k.In("x", dtype.F32, 1).At(3) }},
	{"variable", func(k *tile.Builder) any { return k.Var(k.Float(1)) }},
	{"branch", func(k *tile.Builder) any { return k.If(k.Const(dtype.Bool, true), func() {}) }},
	{"tile", func(k *tile.Builder) any { return k.Zeros(dtype.F32, 4, 8) }},
	{"integers", func(k *tile.Builder) any { return k.Zeros(dtype.I32, 4, 8) }},
	{"bools", func(k *tile.Builder) any { return k.Zeros(dtype.Bool, 4, 8) }},
	{"scalar", func(k *tile.Builder) any { return k.Float(1) }},
}

// others are methods that take anything, whose errors are found later, or of which others test the errors: the declarations, whose errors name the parameter,
// and schedules.
var others = map[string]bool{
	"Builder.Cluster": true, "Builder.ClusterID": true, "Builder.Fail": true, "Builder.In": true, "Builder.InOut": true, "Builder.Int": true, "Builder.Map": true,
	"Builder.Out": true, "Builder.Scalar": true, "Builder.Schedule": true, "Builder.SplitID": true, "Builder.Splits": true, "Points.Acquire": true, "Points.AcquireRelease": true, "Points.Gather": true,
	"Points.Mask": true, "Points.Release": true, "Value.Builder": true, "Value.ID": true, "Value.Op": true, "Value.OrderKey": true, "Value.String": true,
	"Value.Type": true, "Var.Get": true, "View.Block": true,
}

// bad are arguments that no op takes.
func bad(f reflect.Type, k *tile.Builder) [][]reflect.Value {
	none, text, other := make([]reflect.Value, 0), make([]reflect.Value, 0), make([]reflect.Value, 0)
	for i := range f.NumIn() {
		in := f.In(i)
		if f.IsVariadic() && i == f.NumIn()-1 {
			in = in.Elem()
		}
		zero := reflect.Zero(in)
		a, b := zero, zero
		switch {
		case in == reflect.TypeFor[tile.Operand]():
			a, b = reflect.ValueOf("text"), reflect.ValueOf(k.Zeros(dtype.U64, 2, 2, 2))
		case in == reflect.TypeFor[*tile.Value]():
			b = reflect.ValueOf(k.Zeros(dtype.U64, 2, 2, 2))
		case in.Kind() == reflect.Int:
			a, b = reflect.ValueOf(99), reflect.ValueOf(-99)
		case in == reflect.TypeFor[string]():
			a, b = reflect.ValueOf("a b"), reflect.ValueOf("name")
		case in == reflect.TypeFor[dtype.Type]():
			b = reflect.ValueOf(dtype.Bool)
		}
		none, text, other = append(none, zero), append(text, a), append(other, b)
	}
	return [][]reflect.Value{none, text, other}
}

// wordsOf is a name without what tells words apart.
func wordsOf(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// The op that an error names is the method that the description calls, whatever ops it is made of.
func TestErrorsNameTheCalledOp(t *testing.T) {
	failed, seen := map[string]bool{}, map[string]bool{}
	for _, r := range receivers {
		var count int
		if _, err := tile.Build("k", func(k *tile.Builder) { count = reflect.TypeOf(r.make(k)).NumMethod() }); count == 0 {
			t.Fatal(err)
		}
		for i := range count {
			for variant := range 3 {
				var name string
				_, err := tile.Build("kernel", func(k *tile.Builder) {
					x := reflect.ValueOf(r.make(k))
					method, typ := x.Method(i), x.Type()
					if typ.Kind() == reflect.Pointer {
						typ = typ.Elem()
					}
					name = typ.Name() + "." + x.Type().Method(i).Name
					out := method.Call(bad(method.Type(), k)[variant])
					for _, o := range out {
						if o.Kind() == reflect.Func { // a loop begins when it is ranged over
							for range o.Seq() {
							}
						}
					}
				})
				seen[name] = true
				var e *fault.Error
				if others[name] || !errors.As(err, &e) || strings.Contains(e.Msg, "declares no grid") { // which is found when all is described
					continue
				}
				method := name[strings.IndexByte(name, '.')+1:]
				failed[name] = true
				if wordsOf(e.Op) != wordsOf(method) {
					t.Errorf("%s of a %s, arguments %d: the error names %q: %v", name, r.name, variant, e.Op, err)
				}
			}
		}
	}
	for name := range seen {
		if !failed[name] && !others[name] {
			t.Errorf("%s takes all arguments of this test", name)
		}
	}
}

// So it is of the functions of the package, and of an op within a loop, a branch and another function of a description.
func TestErrorsNameTheCalledFunction(t *testing.T) {
	first := func(x, _ []*tile.Value) []*tile.Value { return x }
	for op, f := range map[string]func(k *tile.Builder, v *tile.Value){
		"dot":            func(_ *tile.Builder, v *tile.Value) { tile.Dot(v, v, nil, tile.IEEE) },
		"gelu":           func(k *tile.Builder, _ *tile.Value) { tile.GELU(k.Int(1)) },
		"gelu_tanh":      func(k *tile.Builder, _ *tile.Value) { tile.GELUTanh(k.Int(1)) },
		"silu":           func(*tile.Builder, *tile.Value) { tile.SiLU(nil) },
		"reduce":         func(_ *tile.Builder, v *tile.Value) { tile.Reduce([]*tile.Value{v}, 7, first) },
		"scan":           func(_ *tile.Builder, v *tile.Value) { tile.Scan([]*tile.Value{v}, 0, nil) },
		"scan_exclusive": func(_ *tile.Builder, v *tile.Value) { tile.ScanExclusive([]*tile.Value{v}, nil, 0, first) },
		"maximum": func(k *tile.Builder, v *tile.Value) {
			for range k.Range(3) {
				k.If(k.Const(dtype.Bool, true), func() { v.Maximum(nil) })
			}
		},
		"range":       func(k *tile.Builder, v *tile.Value) { k.Range(v)(func(*tile.Value) bool { return true }) },
		"split_range": func(k *tile.Builder, v *tile.Value) { k.SplitRange(v)(func(*tile.Value) bool { return true }) },
		"persistent":  func(k *tile.Builder, v *tile.Value) { k.Persistent(v)(func(*tile.Value) bool { return true }) },
		"doubled":     func(k *tile.Builder, _ *tile.Value) { k.Fail("doubled", "no") },
	} {
		_, err := tile.Build("kernel", func(k *tile.Builder) { f(k, k.Zeros(dtype.F32, 4, 8)) })
		var e *fault.Error
		if !errors.As(err, &e) || e.Op != op {
			t.Errorf("%v, want an error of %s", err, op)
		}
	}
}
