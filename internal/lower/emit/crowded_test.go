package emit_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/emit"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// failer is what testing.T and rapid.T have in common.
type failer interface{ Fatalf(string, ...any) }

// lowerPadded lowers a kernel with padded operands and holds against it that they surely do not fit, if that is said. It
// returns what was said and, if operands are padded, what became of it.
func lowerPadded(t failer, k *tile.Func, layouts []layout.Layout, caps target.Caps) (crowded, tooLarge bool) {
	buffers := make([]int, len(layouts))
	for i := range buffers {
		buffers[i] = i
	}
	d := pass.NewDump(k.Name)
	passed, err := tilepass.Run(k, axis.FactsOf(layouts, buffers), caps, assign.Threads(k, caps), d)
	if err != nil {
		t.Fatalf("%v", err)
	}
	e, crowded, err := emit.Padded(passed, assign.New(passed.Func, passed.Facts, passed.Threads, passed.Caps, assign.Fallback{}))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if !e.Padded {
		return false, false
	}
	c := &simtpass.Context{Kernel: e.Kernel, Stages: max(k.Schedule.Stages, 1), Distinct: e.Distinct, Caps: passed.Caps, Padded: true, Dump: d}
	if err := simtpass.Run(c); err != nil {
		t.Fatalf("%v", err)
	}
	tooLarge = c.TooLarge || c.Kernel.SharedBytes() > caps.SharedBytes
	if crowded && !tooLarge {
		t.Fatalf("%d bytes of %d suffice:\n%v", c.Kernel.SharedBytes(), caps.SharedBytes, k)
	}
	return crowded, tooLarge
}

// Padded operands that are refused before they are emitted would not have fitted: those of attention, and of random chains of
// products, in random amounts of shared memory.
func TestCrowdedOperandsDoNotFit(t *testing.T) {
	t.Run("attention", func(t *testing.T) {
		for name, target := range lowertest.Targets {
			refused, all := 0, 0
			for _, shared := range []int{16, 24, 32, 48} {
				for _, head := range []int{32, 64, 128} {
					caps := target
					caps.MaxThreads, caps.SharedBytes, caps.Registers = 256, shared<<10, 255
					cfg := kernels.AttentionConfigFor(caps, dtype.F32, 512, 512, head)
					cfg.Last = shared == 16 || shared == 48
					k, err := kernels.Attention.Build(cfg)
					if err != nil {
						t.Fatal(err)
					}
					form, err := layout.Contiguous(2, 2, 512, head)
					if err != nil {
						t.Fatal(err)
					}
					crowded, tooLarge := lowerPadded(t, k, []layout.Layout{form, form, form, form}, caps)
					refused, all = refused+count(crowded), all+count(tooLarge)
				}
			}
			t.Logf("%s: %d refused of %d", name, refused, all)
			if refused == 0 {
				t.Errorf("%s: none of %d that do not fit is refused", name, all)
			}
		}
	})
	refused, all := 0, 0
	t.Run("random", rapid.MakeCheck(func(t *rapid.T) {
		caps := lowertest.Targets[rapid.SampledFrom([]string{"shared memory", "shuffles", "few shuffles"}).Draw(t, "target")]
		k, layouts := randomProducts(t)
		caps.SharedBytes = rapid.IntRange(2, 48).Draw(t, "KB") << 10
		crowded, tooLarge := lowerPadded(t, k, layouts, caps)
		refused, all = refused+count(crowded), all+count(tooLarge)
	}))
	// About half are refused, so that of a sample's few none may be.
	if t.Logf("random: %d refused of %d", refused, all); refused == 0 && all >= 10 {
		t.Errorf("none of %d random kernels that do not fit is refused", all)
	}
}

func count(x bool) int {
	if x {
		return 1
	}
	return 0
}

// randomProducts is a kernel of a loop with a chain of products, between which are other ops.
func randomProducts(t *rapid.T) (*tile.Func, []layout.Layout) {
	size := func(name string) int { return 8 << rapid.IntRange(0, 3).Draw(t, name) }
	m, inner := size("m"), size("k")
	threads := 32 << rapid.IntRange(1, 3).Draw(t, "threads")
	k, err := tile.Build("chain", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads, Stages: rapid.IntRange(1, 2).Draw(t, "stages")})
		a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
		total := k.Var(k.Zeros(dtype.F32, m, 1))
		for i := range k.Range(a.Dim(1)) {
			left := a.Block(m, inner).Load(0, i)
			for p := range rapid.IntRange(1, 4).Draw(t, "products") {
				n, depth := size(fmt.Sprint("n", p)), left.Type().Shape[1]
				sums := tile.Dot(left, b.Block(depth, n).Load(i, p), k.Zeros(dtype.F32, m, n), tile.IEEE)
				switch rapid.IntRange(0, 6).Draw(t, "between") {
				case 0, 6:
					left = sums.Exp()
				case 1:
					left = sums.Sub(sums.Max(1))
				case 2:
					left = sums.Sub(sums.Max(0))
				case 3:
					out.Block(m, n).Store(sums, 0, p)
				case 4:
					left = sums
				default: // the next has the same left operand
					total.Set(total.Get().Add(sums.Sum(1)))
				}
			}
			total.Set(total.Get().Add(left.Sum(1)))
		}
		out.Block(m, 1).Store(total.Get(), 0, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	var layouts []layout.Layout
	for _, v := range k.Views {
		l, err := layout.Strided([]int{256, 255}, rapid.SampledFrom([][]int{{256, 1}, {1, 256}}).Draw(t, v.Name), 0)
		if err != nil {
			t.Fatal(err)
		}
		layouts = append(layouts, l)
	}
	return k, layouts
}
