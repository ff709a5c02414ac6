package backendtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/tile"
)

func cpuSuite(t *testing.T) *suite {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return &suite{T: t, dev: dev, rng: rand.New(rand.NewPCG(1, 1)), trace: newTrace(t.Name())}
}

// fill writes ones over tiles that reach beyond the view it is meant for.
var fill = weft.NewKernel("fill", func(k *tile.Builder, tiles int) {
	o := k.Out("o", weft.F32, 2)
	k.Grid(tiles)
	o.Block(4, 4).Store(k.Full(weft.F32, 1, 4, 4), 0, k.ProgramID(0))
})

// What a faulty backend would do is seen: elements not written, wrong ones, and
// writes around the output.
func TestSuiteSeesFaults(t *testing.T) {
	s := cpuSuite(t)
	for _, f := range forms {
		ones := filled(weft.F32, 1, 3, 7)
		out := s.output(f, weft.F32, 3, 7)
		if err := out.verify(ones.x, nil); err == nil {
			t.Errorf("%s: an output that nobody wrote passes", f)
		}
		s.try(fill.Launch(2, out.Tensor))
		if err := out.verify(ones.x, nil); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		wrong := slices.Clone(ones.x)
		wrong[20] += 1e-6
		if err := out.verify(wrong, func(int) float64 { return 1e-7 }); err == nil || !strings.Contains(err.Error(), "element 20") {
			t.Errorf("%s: a wrong element gives %v", f, err)
		}
		if f == dense || f == transposed {
			continue // no memory around
		}
		around := slices.Repeat([]float64{sentinel(weft.F32)}, out.around.Len())
		for at := range out.Layout().Offsets() {
			around[at] = 1
		}
		around[0] = 0
		damaged := s.tensor(host{weft.F32, out.around.Shape(), around})
		s.try(out.around.CopyFrom(damaged))
		if err := out.verify(ones.x, nil); err == nil || !strings.Contains(err.Error(), "overwritten") {
			t.Errorf("%s: an overwritten neighbour gives %v", f, err)
		}
	}
}

// Inputs are surrounded by poison: one element too many would be a NaN.
func TestInputsArePoisoned(t *testing.T) {
	s := cpuSuite(t)
	x := s.input(sliced, filled(weft.F32, 1, 2, 2))
	l := x.Layout()
	beyond := weft.NewKernel("beyond", func(k *tile.Builder, _ struct{}) {
		x, o := k.In("x", weft.F32, 1), k.Out("o", weft.F32, 1)
		k.Grid(k.CDiv(o.Dim(0), 8))
		o.Block(8).Store(x.Block(8).Load(k.ProgramID(0)), k.ProgramID(0))
	})
	_, hi := l.Bounds()
	all := s.ok(weft.Empty(s.dev, weft.F32, hi+4))
	memory := weft.TensorView{Tensor: x, Layout: all.Layout()}
	s.try(beyond.LaunchViews(struct{}{}, nil, memory, weft.TensorView{Tensor: all, Layout: all.Layout()}))
	got := s.floats(all)
	inside := map[int]bool{}
	for at := range l.Offsets() {
		inside[at] = true
	}
	for at, v := range got {
		if inside[at] != (v == 1) || !inside[at] && !math.IsNaN(v) {
			t.Errorf("element %d is %v", at, v)
		}
	}
}

// The forms differ in what they are meant to: strides, offsets and order.
func TestFormsDiffer(t *testing.T) {
	s := cpuSuite(t)
	for f, want := range map[form]string{
		dense: "(3,4):(4,1)", transposed: "(3,4):(1,3)", sliced: "(3,4):(8,1)+9", stepped: "(3,4):(9,-2)+7",
	} {
		x := s.random(weft.I32, 3, 4)
		in := s.input(f, x)
		if got := in.Layout().String(); got != want {
			t.Errorf("%s has the layout %s, want %s", f, got, want)
		}
		s.compare(in, x.x, nil)
	}
}

// In a sample no case is run by both software GPUs, but for those of the host, and each runs its part; the CPU and
// real GPUs run all.
func TestSamples(t *testing.T) {
	shared := []backend.Info{{Backend: "vulkan", Kind: backend.Software}, {Backend: "webgpu", Kind: backend.Software}}
	whole := []backend.Info{{Backend: "cpu", Kind: backend.CPU}, {Backend: "vulkan", Kind: backend.GPU}, {Backend: "toy", Kind: backend.Software}}
	ran, ever := map[string]int{}, map[string]bool{}
	for _, seed := range []string{"", "4876b11", "2026-11-22", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"} {
		t.Setenv(testenv.SampleEnv, seed)
		for _, group := range caseGroups {
			for _, c := range group {
				n := 0
				for _, on := range shared {
					if !leftOut(on, c.name) {
						n++
						ran[seed+on.Backend]++
						ever[c.name] = ever[c.name] || seed != ""
					}
				}
				always := seed == "" || slices.ContainsFunc(unsampled, func(u testCase) bool { return u.name == c.name })
				if always && n != len(shared) || !always && n > 1 {
					t.Errorf("seed %q: %s runs on %d of %v", seed, c.name, n, shared)
				}
				for _, on := range whole {
					if leftOut(on, c.name) {
						t.Errorf("seed %q: %s does not run on %v", seed, c.name, on)
					}
				}
			}
		}
	}
	all := ran["vulkan"]
	for _, on := range shared {
		if n := ran["4876b11"+on.Backend]; n < all/testenv.SampleParts/2+len(unsampled) || n > all*2/testenv.SampleParts+len(unsampled) {
			t.Errorf("%s runs %d of %d cases", on.Backend, n, all)
		}
	}
	if len(ever) != all || all < 100 {
		t.Errorf("18 samples have %d of %d cases", len(ever), all)
	}
}
