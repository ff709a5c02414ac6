//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"math"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/testenv"
)

// The numbers that a device is asked for tell the right rounding from others.
func TestRoundedNumbers(t *testing.T) {
	nearest := func(x uint32) uint32 { return uint32(dtype.ToBFloat16(math.Float32frombits(x))) }
	isNaN := func(x uint32) bool { return x&0x7fffffff > 0x7f800000 }
	for _, c := range []struct {
		name  string
		right bool
		round func(x uint32) uint32
	}{
		{"nearest, ties to even", true, nearest},
		{"not normal as 0", true, func(x uint32) uint32 {
			if x&0x7f800000 == 0 {
				return x >> 16 & 0x8000
			}
			return nearest(x)
		}},
		{"one NaN", true, func(x uint32) uint32 {
			if isNaN(x) {
				return 0x7fff
			}
			return nearest(x)
		}},
		{"to zero", false, func(x uint32) uint32 { return x >> 16 }},
		{"ties away from zero", false, func(x uint32) uint32 {
			if isNaN(x) {
				return nearest(x)
			}
			return (x + 0x8000) >> 16
		}},
		{"ties to zero", false, func(x uint32) uint32 {
			if isNaN(x) {
				return nearest(x)
			}
			return (x + 0x7fff) >> 16
		}},
		{"NaN as infinity", false, func(x uint32) uint32 {
			if isNaN(x) {
				return 0x7f80
			}
			return nearest(x)
		}},
		{"more than 16 bits", false, func(x uint32) uint32 { return nearest(x) | x<<16 }},
	} {
		wrong := slices.ContainsFunc(roundedNumbers(), func(x uint32) bool { return !isRounded(x, c.round(x)) })
		if wrong == c.right {
			t.Errorf("%s: right %v, want %v", c.name, !wrong, c.right)
		}
	}
}

// The kernel that asks for the rounding finds out if it is another one.
func TestRoundingIsAsked(t *testing.T) {
	d := openSPIRV(t)
	if !d.phys.has(bfloat16s) {
		testenv.Skip(t, "vulkan bfloat16", d.info.Name)
	}
	right, err := askRounding(d, "%bfloats = OpFConvert %bfloat4 %floats")
	must(t, err)
	if d.Caps().BF16Nearest != right {
		t.Errorf("the device rounds to the nearest: %v, its caps say %v", right, d.Caps().BF16Nearest)
	}
	for _, wrong := range []string{
		"%twice = OpFAdd %float4 %floats %floats\n%bfloats = OpFConvert %bfloat4 %twice",
		"%counts = OpConvertUToF %float4 %words4\n%bfloats = OpFConvert %bfloat4 %counts",
	} {
		if ok, err := askRounding(d, wrong); err != nil || ok {
			t.Errorf("%s: %v, %v, want false", wrong, ok, err)
		}
	}
}
