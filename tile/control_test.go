package tile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// controlKernel uses every op of control, nested.
func controlKernel(k *tile.Builder) {
	x, y := k.In("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
	k.Grid(8)
	p := k.ProgramID(0)
	k.Exit(p.Gt(x.Dim(0)))
	a, b, c := k.Var(k.Int(0)), k.Var(k.Int(1)), k.Var(x.Block(16).Load(p))
	k.Assume(p.MultipleOf(1).Ge(0))
	k.Assert(c.Get().Lt(100), "large", c.Get())
	k.Print("a", a.Get(), p.Eq(1))
	k.Break()
	k.If(p.Eq(2), func() { y.Block(16).Store(c.Get(), 0) })
	for range k.While(func() *tile.Value { return a.Get().Lt(p) }) {
		k.If(a.Get().Gt(2), func() {
			c.Set(c.Get().Add(b.Get()))
			b.Set(a.Get())
		}).Else(func() {
			a.Set(a.Get().Add(1))
			c.Set(c.Get().Sub(1))
		})
		a.Set(a.Get().Add(1))
	}
	for i := range k.Persistent(100) {
		y.Block(16).Store(c.Get().Add(b.Get()), i)
	}
}

func TestControlErrors(t *testing.T) {
	for name, c := range map[string]struct {
		describe func(k *tile.Builder)
		kind     error
		text     string
	}{
		"the condition is nil": {func(k *tile.Builder) { k.If(nil, func() {}) }, fault.ErrKernel, "the condition is nil"},
		"condition type":       {func(k *tile.Builder) { k.If(k.Int(1), func() {}) }, fault.ErrKernel, "want a scalar bool"},
		"condition tile":       {func(k *tile.Builder) { k.If(k.Arange(4).Eq(1), func() {}) }, fault.ErrKernel, "want a scalar bool"},
		"exit":                 {func(k *tile.Builder) { k.Exit(k.Int(1)) }, fault.ErrKernel, "want a scalar bool"},
		"exit within": {func(k *tile.Builder) { k.If(k.Int(1).Eq(1), func() { k.Exit(k.Int(1).Eq(1)) }) },
			fault.ErrKernel, "cannot be in this body"},
		"while": {func(k *tile.Builder) {
			for range k.While(func() *tile.Value { return k.Int(1) }) {
			}
		}, fault.ErrKernel, "want a scalar bool"},
		"while sets": {func(k *tile.Builder) {
			v := k.Var(k.Int(1))
			for range k.While(func() *tile.Value { v.Set(k.Int(2)); return k.Int(1).Eq(1) }) {
			}
		}, fault.ErrKernel, "sets a variable"},
		"while left": {func(k *tile.Builder) {
			for range k.While(func() *tile.Value { return k.Int(1).Eq(1) }) {
				break
			}
		}, fault.ErrKernel, "left by break"},
		"late else": {func(k *tile.Builder) {
			v := k.Var(k.Int(1))
			b := k.If(k.Int(1).Eq(1), func() { v.Set(k.Int(2)) })
			v.Set(k.Int(3))
			b.Else(func() {})
		}, fault.ErrKernel, "does not follow"},
		"two elses": {func(k *tile.Builder) {
			y := k.Out("y", dtype.I32, 1)
			b := k.If(k.Int(1).Eq(1), func() {})
			b.Else(func() { y.At(0).Scatter(1) })
			b.Else(func() {})
		}, fault.ErrKernel, "second"},
		"two elses without ops": {func(k *tile.Builder) {
			v, x := k.Var(k.Int(1)), k.Int(2)
			b := k.If(k.Int(1).Eq(1), func() {})
			b.Else(func() { v.Set(x) })
			b.Else(func() {})
		}, fault.ErrKernel, "second"},
		"grid within": {func(k *tile.Builder) { k.If(k.Int(1).Eq(1), func() { k.Grid(1) }) }, fault.ErrKernel, "within"},
		"assert":      {func(k *tile.Builder) { k.Assert(k.Int(1), "x") }, fault.ErrKernel, "not a bool"},
		"print":       {func(k *tile.Builder) { k.Print("x", k.Int(1), k.Int(2)) }, fault.ErrKernel, "want a scalar bool"},
		"multiple":    {func(k *tile.Builder) { k.Int(8).MultipleOf(3) }, fault.ErrKernel, "power of two"},
		"multiples":   {func(k *tile.Builder) { k.Arange(8).MultipleOf(4) }, fault.ErrKernel, "want a scalar i32"},
		"runs":        {func(k *tile.Builder) { k.Arange(8).Contiguous(16) }, fault.ErrKernel, "up to the 8 elements"},
		"run of one":  {func(k *tile.Builder) { k.Int(8).Contiguous(1) }, fault.ErrKernel, "want a tile of i32"},
		"assume":      {func(k *tile.Builder) { k.Assume(k.Int(8)) }, fault.ErrKernel, "want a scalar bool"},
		"value from a branch": {func(k *tile.Builder) {
			var v *tile.Value
			k.If(k.Int(1).Eq(1), func() { v = k.Int(2).Add(1) })
			k.Out("y", dtype.I32, 1).At(0).Scatter(v)
		}, fault.ErrKernel, "outside of the loop or If that defines it; carry it out"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tile.Build("k", c.describe)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "control_test.go") {
				t.Errorf("%v; want %v with %q and a line", err, c.kind, c.text)
			}
		})
	}
}
