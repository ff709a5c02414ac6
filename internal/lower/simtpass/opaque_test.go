package simtpass

import (
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/simt"
)

// heldKernel multiplies in a loop by left operands in registers, %WORDS, of which those that are computed before the loop are the same in all iterations.
const heldKernel = `workgroup held threads=128 {
	buffer 0 x : u32 read
	buffer 1 y : f32 write
	shared 0 tile : f16[4096]
	%zero.0 = const 0 : i32
	%thread.1 = thread : i32
	%n.2 = const 4 : i32
	%one.3 = const 1 : i32
	%c.4 = const 0 : f32x4
	%w.5 = load x %thread.1 : u32
	%same.6 = compose %w.5, %w.5, %w.5, %w.5 : u32x4
	%sum.20, %last.24, %rest.25 = for %i.8 = %zero.0 to %n.2 step %one.3, %acc.9 = %c.4, %carried.22 = %same.6, %changed.23 = %same.6 {
		%b.10 = matrix.place tile lead=64 %zero.0 : u64
		%j.11 = add %i.8, %thread.1 : i32
		%u.12 = load x %j.11 : u32
		%other.13 = compose %u.12, %u.12, %u.12, %u.12 : u32x4
		%mixed.14 = compose %u.12, %w.5, %u.12, %u.12 : u32x4
		%v.15 = load x %thread.1 : u32
		%again.16 = compose %v.15, %v.15, %v.15, %v.15 : u32x4
		%flag.30 = lt %one.3, %n.2 : bool
		%picked.31 = branch %flag.30 {
			yield %same.6
		} else {
			yield %other.13
		}
		%kept.32 = branch %flag.30 {
			yield %same.6
		} else {
			yield %again.16
		}
		%turned.33 = for %j.34 = %zero.0 to %n.2 step %one.3, %now.35 = %same.6 {
			yield %again.16
		}
		%p.17 = group.mma f16 %WORDS, %b.10, %acc.9 : f32x4
		%q.18 = group.wait 0 %p.17 : f32x4
		yield %q.18, %carried.22, %other.13
	}
	%r.21 = extract 0 %sum.20 : f32
	store y %thread.1, %r.21
}
`

// TestOpaque: left operands in registers that a loop leaves as they are, in all words or in one, computed before it or in it or carried, are copied opaquely in each
// iteration, and others are not.
func TestOpaque(t *testing.T) {
	for words, want := range map[string]bool{"same.6": true, "again.16": true, "mixed.14": true, "carried.22": true, "other.13": false, "changed.23": false,
		"kept.32": true, "turned.33": true, "picked.31": false} {
		k := readKernel(t, strings.ReplaceAll(heldKernel, "WORDS", words))
		opaque(&Context{Kernel: k})
		simt.Walk(k.Body, func(op *simt.Op) {
			if got := slices.Contains(op.Opaque, 0); op.Kind == simt.GroupMMA && got != want {
				t.Errorf("%s: opaque: %v, want %v\n%v", words, got, want, k)
			}
		})
	}
}
