package suite

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
)

func namesOf(works []Work) (names []string) {
	for _, w := range works {
		names = append(names, w.Name)
	}
	return names
}

// A sample is the same every time, its families do not depend on each other, and a larger one begins with a smaller one.
func TestSampled(t *testing.T) {
	draw := func(s Sample) []string { return namesOf(s.works(Full)) }
	all := draw(Sample{Seed: 7, Count: 20})
	if !slices.Equal(all, draw(Sample{Seed: 7, Count: 20})) {
		t.Error("a seed has two samples")
	}
	if slices.Equal(all, draw(Sample{Seed: 8, Count: 20})) {
		t.Error("two seeds have one sample")
	}
	if want := 20 * len(SampledFamilies()); len(all) != want || len(slices.Compact(slices.Sorted(slices.Values(all)))) != want {
		t.Errorf("%d works, want %d different ones", len(all), want)
	}
	for i, family := range SampledFamilies() {
		if got := draw(Sample{Seed: 7, Count: 20, Family: family}); !slices.Equal(got, all[20*i:20*(i+1)]) {
			t.Errorf("%s alone are %v, with the others %v", family, got, all[20*i:20*(i+1)])
		}
		if got := draw(Sample{Seed: 7, Count: 5, Family: family}); !slices.Equal(got, all[20*i:20*i+5]) {
			t.Errorf("the first %s are %v, want %v", family, got, all[20*i:20*i+5])
		}
	}
	for want, s := range map[string]Sample{"0 works": {Seed: 1}, "product,": {Count: 1, Family: "product,"}} {
		if _, err := ListSampled(Tiny, s, Sampled); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", s, err, want)
		}
	}
}

// Half of the sizes are multiples, the others are any, and each order of magnitude is as frequent as another. Sizes are within their limits.
func TestDrawnSizes(t *testing.T) {
	const n, most = 20000, 16384
	d := &drawer{rand.New(rand.NewPCG(1, 2)), Full}
	multiples, small := 0, 0
	for range n {
		size := d.side(most)
		if size < 1 || size > most {
			t.Fatalf("a size of %d", size)
		}
		if size%8 == 0 {
			multiples++
		}
		if x := d.logUniform(1, most-1); x < 1 || x >= most {
			t.Fatalf("%d drawn", x)
		} else if x < 128 {
			small++
		}
	}
	// A half, and of the other half what is a multiple of 8 by chance: an eighth of the sizes beyond 8, which are 11 of 14 octaves.
	if share := float64(multiples) / n; share < 0.53 || share > 0.58 {
		t.Errorf("%.3f of the sizes are multiples of 8", share)
	}
	if share := float64(small) / n; share < 0.48 || share > 0.52 { // 7 of 14 octaves
		t.Errorf("%.3f of the numbers are below 128", share)
	}
	for _, s := range sizes {
		limit := of(s, 1<<27+1<<20, 1<<22+1<<20, 1<<12+1<<11)
		for _, w := range (Sample{Seed: 3, Count: 200}).works(s) {
			x := w.Inputs[0]
			oneImage := w.Op == "conv2d" && x.Shape[0] == 1
			if w.Output.Len() == 0 || w.Op != "matmul" && w.Op != "linear" && !oneImage && x.Len() > 2*limit {
				t.Errorf("%v: %s has %d elements, the result %d", s, w.Name, x.Len(), w.Output.Len())
			}
		}
	}
}
