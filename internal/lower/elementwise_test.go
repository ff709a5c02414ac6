package lower

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/tile"
)

// TestUnary compares the element-wise ops that are made of several ops on registers,
// and the library's functions, with the interpreter.
func TestUnary(t *testing.T) {
	for name, c := range map[string]struct {
		from, to dtype.Type
		f        func(v *tile.Value) *tile.Value
	}{
		"round":         {dtype.F32, dtype.F32, func(v *tile.Value) *tile.Value { return v.Mul(4).Round() }},
		"erf":           {dtype.F32, dtype.F32, (*tile.Value).Erf},
		"log1p":         {dtype.F32, dtype.F32, func(v *tile.Value) *tile.Value { return v.Abs().Log1p() }},
		"expm1":         {dtype.F16, dtype.F32, func(v *tile.Value) *tile.Value { return v.Cast(dtype.F32).Expm1() }},
		"sigmoid":       {dtype.F32, dtype.F32, func(v *tile.Value) *tile.Value { return v.Mul(40).Sigmoid() }},
		"isnan":         {dtype.F32, dtype.Bool, func(v *tile.Value) *tile.Value { return v.Mul(3).Floor().Log().IsNaN() }},
		"clamp":         {dtype.F32, dtype.F32, func(v *tile.Value) *tile.Value { return v.Clamp(-0.5, 0.25) }},
		"gelu":          {dtype.F32, dtype.F32, tile.GELU},
		"gelu of f16":   {dtype.F16, dtype.F16, tile.GELU},
		"gelu tanh":     {dtype.F32, dtype.F32, tile.GELUTanh},
		"silu":          {dtype.BF16, dtype.BF16, tile.SiLU},
		"bits":          {dtype.F32, dtype.I32, func(v *tile.Value) *tile.Value { return v.Bitcast(dtype.U32).Bitcast(dtype.I32).Shr(8) }},
		"float of bits": {dtype.F32, dtype.F32, func(v *tile.Value) *tile.Value { return v.Bitcast(dtype.I32).And(-4096).Bitcast(dtype.F32) }},
		"f16 as bf16":   {dtype.F16, dtype.BF16, func(v *tile.Value) *tile.Value { return v.Bitcast(dtype.BF16) }},
		"bf16 as f16":   {dtype.BF16, dtype.F16, func(v *tile.Value) *tile.Value { return v.Bitcast(dtype.F16) }},
		"small as bf16": {dtype.F16, dtype.BF16, func(v *tile.Value) *tile.Value {
			return v.Cast(dtype.F32).Mul(0x1p-16).Cast(dtype.F16).Bitcast(dtype.BF16)
		}},
		"subnormal bits": {dtype.BF16, dtype.F16, func(v *tile.Value) *tile.Value {
			return v.Cast(dtype.F32).Mul(0x1p-126).Cast(dtype.BF16).Bitcast(dtype.F16)
		}},
		"i8 as u8": {dtype.I8, dtype.U8, func(v *tile.Value) *tile.Value { return v.Bitcast(dtype.U8).Shr(1) }},
		"u8 as i8": {dtype.U8, dtype.I8, func(v *tile.Value) *tile.Value { return v.Mul(3).Bitcast(dtype.I8) }},
	} {
		t.Run(name, func(t *testing.T) {
			k := axistest.Build(t, "unary", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 32})
				x, y := k.In("x", c.from, 1), k.Out("y", c.to, 1)
				k.Grid(k.CDiv(x.Dim(0), 128))
				y.Block(128).Store(c.f(x.Block(128).Load(k.ProgramID(0))), k.ProgramID(0))
			})
			l := axistest.Strided(t, []int{205}, []int{1}, 0)
			tol := 4 * dtype.F32.Epsilon()
			if c.to == dtype.F16 || c.to == dtype.BF16 {
				tol += c.to.Epsilon()
			}
			if !c.to.IsFloat() {
				tol = 0
			}
			differential(t, k, []int{210, 210}, []tensor{{l, 0}, {l, 1}}, false, tol)
		})
	}
}
