package mesh

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
)

// summing is a group whose devices sum few elements by a kernel.
func summing(t *testing.T) *Group {
	g := reaching(t)
	g.sums.anywhere = true
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sums.ready(g)
	checkCan(t, g)
	return g
}

// checkCan skips the test on GPUs that cannot sum by a kernel. Devices of the CPU can.
func checkCan(t *testing.T, g *Group) {
	t.Helper()
	switch {
	case g.sums.why == nil:
	case os.Getenv("WEFT_MESH_BACKEND") == "":
		t.Fatal(g.sums.why)
	default:
		t.Skip(g.sums.why)
	}
}

// addends are random numbers on each member, and their sum as each has it: rounded once.
func addends(t *testing.T, g *Group, r *rand.Rand, elem weft.DType, n int) (x []*weft.Tensor, sum []float64) {
	values := make([]float32, n)
	for range g.Devices() {
		own := make([]float64, n)
		for i := range own {
			own[i] = float64(dtype.Round(elem, r.NormFloat64()))
			values[i] += float32(own[i])
		}
		x = append(x, must(t)(weft.FromFloats(g.Devices()[len(x)], elem, own)))
	}
	for _, v := range values {
		sum = append(sum, float64(dtype.Round(elem, float64(v))))
	}
	return x, sum
}

func checkSums(t *testing.T, list []*weft.Tensor, want []float64, what ...any) {
	t.Helper()
	for rank, x := range list {
		got, err := weft.ToFloats(x)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%v: rank %d has %d elements, want %d", what, rank, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%v: rank %d: element %d of %d is %v, want %v", what, rank, i, len(want), got[i], want[i])
			}
		}
	}
}

// Small sums are those of the ranks in their order, rounded once, the same bits on each: of any size and float, in place and apart, one after the other on the
// same stages, alternately started and replayed.
func TestSmallSums(t *testing.T) {
	g := summing(t)
	r := rand.New(rand.NewPCG(21, 4))
	for _, elem := range []weft.DType{weft.F32, weft.BF16, weft.F16} {
		for _, n := range []int{1, 3, 1000, 1024*mostSlices + 5, 70001} {
			x, want := addends(t, g, r, elem, n)
			var apart []*weft.Tensor
			for _, d := range g.Devices() {
				wide := must(t)(weft.Full(d, elem, -7, n+8)) // an offset within memory
				apart = append(apart, must(t)(wide.Slice(0, 3, 3+n)))
			}
			if err := g.AllReduce(Sum, apart, x); err != nil {
				t.Fatal(err)
			}
			checkSums(t, apart, want, elem, "apart")
			step, err := g.Capture(func(rec []*weft.Recorder) error {
				var own, to []*weft.Tensor
				for i, r := range rec {
					own, to = append(own, r.Use(x[i])), append(to, r.Use(apart[i]))
				}
				return errors.Join(g.AllReduce(Sum, to, own), g.AllReduce(Sum, own, own), g.AllReduce(Sum, own, to))
			})
			if err != nil {
				t.Fatal(err)
			}
			first := make([][]float64, len(x))
			for i := range x {
				first[i] = must2(t)(weft.ToFloats(x[i]))
			}
			for replay := range 2 {
				if err := step.Replay(); err != nil {
					t.Fatal(err)
				}
				var last []float64
				for _, v := range want {
					sum := float32(0)
					for range g.Devices() {
						sum += float32(v)
					}
					last = append(last, float64(dtype.Round(elem, float64(sum))))
				}
				checkSums(t, x, last, elem, "replayed", replay)
				checkSums(t, apart, want, elem, "replayed", replay)
				for i := range x {
					if err := x[i].CopyFrom(must(t)(weft.FromFloats(g.Devices()[i], elem, first[i]))); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := errors.Join(step.Close(), g.AllReduce(Sum, x, x)); err != nil {
				t.Fatal(err)
			}
			checkSums(t, x, want, elem, "in place")
		}
	}
}

// The first sum of a group may be one that is captured.
func TestSmallSumFirst(t *testing.T) {
	g := reaching(t)
	g.sums.anywhere = true
	x, want := addends(t, g, rand.New(rand.NewPCG(3, 4)), weft.F32, 5000)
	step, err := g.Capture(func(rec []*weft.Recorder) error {
		var own []*weft.Tensor
		for i, r := range rec {
			own = append(own, r.Use(x[i]))
		}
		return g.AllReduce(Sum, own, own)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer step.Close()
	checkCan(t, g)
	if err := step.Replay(); err != nil {
		t.Fatal(err)
	}
	checkSums(t, x, want)
}

func must2(t *testing.T) func([]float64, error) []float64 {
	return func(x []float64, err error) []float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// What is no small sum of floats goes by the library.
func TestSmallSumsRefuse(t *testing.T) {
	g := summing(t)
	for name, c := range map[string]*call{
		"largest":  {kind: allReduce, reduce: Max, elem: weft.F32, count: 4},
		"integers": {kind: allReduce, reduce: Sum, elem: weft.I32, count: 4},
		"double":   {kind: allReduce, reduce: Sum, elem: weft.F64, count: 4},
		"many":     {kind: allReduce, reduce: Sum, elem: weft.F32, count: mostSmall},
		"gathered": {kind: allGather, elem: weft.F32, count: 4},
	} {
		if g.sums.takes(g, c) {
			t.Errorf("%s: a small sum", name)
		}
	}
	if c := (&call{kind: allReduce, reduce: Sum, elem: weft.BF16, count: 4}); !g.sums.takes(g, c) {
		t.Error("no small sum")
	}
}

// A rank that fails to start ends the group, and those that wait for it go on.
func TestSmallSumFails(t *testing.T) {
	if testenv.RaceDetector && os.Getenv("WEFT_MESH_BACKEND") == "" {
		t.Skip("the interpreter's atomic ops and a copy that ends waits are no atomic accesses to the race detector")
	}
	g := summing(t)
	x, _ := addends(t, g, rand.New(rand.NewPCG(1, 2)), weft.F32, 100)
	if err := errors.Join(g.AllReduce(Sum, x, x), g.Synchronize()); err != nil {
		t.Fatal(err)
	}
	g.sums.views.stage[1][0].Close()
	if err := g.AllReduce(Sum, x, x); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("a member's part is closed: %v", err)
	}
	for i, d := range g.Devices() {
		if err := d.Synchronize(); err != nil {
			t.Errorf("device %d: %v", i, err)
		}
	}
	if g.Err() == nil {
		t.Error("the group has no error")
	}
}
