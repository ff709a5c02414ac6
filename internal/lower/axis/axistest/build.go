package axistest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Build returns the kernel that f describes and fails the test if there is none.
func Build(t testing.TB, name string, f func(k *tile.Builder)) *tile.Func {
	t.Helper()
	k, err := tile.Build(name, f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return k
}

// Strided returns the layout of a shape and its strides and fails the test if there is none.
func Strided(t testing.TB, shape, stride []int, offset int) layout.Layout {
	t.Helper()
	l, err := layout.Strided(shape, stride, offset)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Each calls f with random programs: n, or few in short runs, and of those what the run's sample has. It returns how many.
// Another stream gives other programs.
func Each(t *testing.T, n, few int, stream uint64, f func(name string, k *tile.Func, rng *rand.Rand)) (programs int) {
	t.Helper()
	if programs = testenv.Share(n); testing.Short() {
		programs = few
	}
	for seed := range programs {
		name := fmt.Sprintf("seed %d", seed)
		g := &Generator{Rand: rand.New(rand.NewPCG(uint64(seed), stream))}
		f(name, Build(t, name, g.Kernel), g.Rand)
	}
	return programs
}
