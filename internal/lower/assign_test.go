package lower

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

var (
	conversionNote = regexp.MustCompile(`a conversion of (.*) by (.*), cost \d+: from the layout that the (.*) at \S+ takes.*? to the layout that the (.*) at`)
	widthNote      = regexp.MustCompile(`by vectors of (\d+) `)
)

// TestConversionStandsBeforeTheLoop: what does not change in a loop is converted before it.
func TestConversionStandsBeforeTheLoop(t *testing.T) {
	i := slices.IndexFunc(lowertest.Scenes(t), func(s lowertest.Scene) bool { return s.Name == "before a loop" })
	s := lowertest.Scenes(t)[i]
	r, err := Lower(s.Kernel(t), s.Facts(), lowertest.Targets["shuffles"])
	if err != nil {
		t.Fatal(err)
	}
	moves := func(b *simt.Block) (n int) {
		simt.Walk(b, func(op *simt.Op) {
			if op.Kind == simt.SharedStore {
				n++
			}
		})
		return n
	}
	all, inside := moves(r.Kernel.Body), 0
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.For {
			inside += moves(op.Body)
		}
	})
	if all == 0 || inside != 0 {
		t.Errorf("%d stores to shared memory, %d of them in the loop:\n%v", all, inside, r.Kernel)
	}
}

// TestScenes: known kernels get the conversions that they need and no more, and compute
// what they did.
func TestScenes(t *testing.T) {
	for _, s := range lowertest.Scenes(t) {
		t.Run(s.Name, func(t *testing.T) {
			k := s.Kernel(t)
			r, err := Lower(k, s.Facts(), lowertest.Targets["shuffles"])
			if err != nil {
				t.Fatal(err)
			}
			var conversions []string
			var widths []int
			for _, note := range r.Notes {
				if m := conversionNote.FindStringSubmatch(note); m != nil {
					conversions = append(conversions, fmt.Sprintf("%s by %s, %s to %s", m[1], m[2], m[3], m[4]))
				}
				if m := widthNote.FindStringSubmatch(note); m != nil {
					widths = append(widths, int(m[1][0]-'0'))
				}
			}
			if !slices.Equal(conversions, s.Conversions) || !slices.Equal(widths, s.Widths) {
				t.Errorf("conversions %q, want %q; widths %v, want %v:\n%s", conversions, s.Conversions, widths, s.Widths, strings.Join(r.Notes, "\n"))
			}
			args := make([]tensor, len(s.Args))
			for i, l := range s.Args {
				args[i] = tensor{l, i}
			}
			differential(t, k, s.Sizes, args, false, s.Tol)
		})
	}
}

// TestConversionsYieldToTheLimit: where shared memory is short, tiles stay in distributions that take
// more time, and a kernel is not refused for a conversion.
func TestConversionsYieldToTheLimit(t *testing.T) {
	f32 := dtype.F32
	for _, c := range []struct {
		name  string
		build func(k *tile.Builder)
	}{
		{"the tile alone", func(k *tile.Builder) {
			x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
			y.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Transpose(), 0, 0)
		}},
		{"with the operands of a dot", func(k *tile.Builder) {
			x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
			v := x.Block(64, 64).Load(0, 0)
			for range 2 { // two arrays each
				v = tile.Dot(v, v, k.Zeros(f32, 64, 64), tile.IEEE)
			}
			y.Block(64, 64).Store(v.Reshape(16, 4, 64).Permute(1, 2, 0).Reshape(64, 64), 0, 0)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := axistest.Build(t, "limit", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 256})
				c.build(k)
			})
			facts := axis.FactsOf([]layout.Layout{lowertest.Rows(t, 64, 64), lowertest.Rows(t, 64, 64)}, []int{0, 1})
			caps := lowertest.Targets["shuffles"]
			caps.SharedBytes = 0
			r, err := Lower(k, facts, caps)
			if err != nil {
				t.Fatal(err)
			}
			need := r.Kernel.SharedBytes()
			if !conversionNote.MatchString(strings.Join(r.Notes, "\n")) {
				t.Fatalf("no conversion with all the memory of the world:\n%s", strings.Join(r.Notes, "\n"))
			}
			caps.SharedBytes = need - 1
			if r, err = Lower(k, facts, caps); err != nil {
				t.Fatal(err)
			}
			if got := r.Kernel.SharedBytes(); got >= need {
				t.Errorf("takes %d bytes of %d", got, need-1)
			}
		})
	}
}
