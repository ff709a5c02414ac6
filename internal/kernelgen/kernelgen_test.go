package kernelgen

import (
	"flag"
	"testing"

	"github.com/weftgpu/weft/internal/bounds"
	"github.com/weftgpu/weft/tile"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	m.Run()
}

// TestInterpreter runs random kernels in the interpreter, as it is and in its checking mode,
// which must find no race.
func TestInterpreter(t *testing.T) {
	var count Count
	cases, undecided := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := Kernel(t, Options{})
		cases++
		err := c.Bound()
		if Undecided(err) {
			undecided++
			return
		}
		if err != nil {
			t.Fatalf("%v\n%v", err, c)
		}
		for _, check := range []bool{false, true} {
			got, err := c.Interpret(check)
			if err == nil {
				err = c.Compare(got, &count)
			}
			if err != nil {
				t.Fatalf("check %v: %v\n%v", check, err, c)
			}
		}
	})
	t.Logf("%d kernels, %d undecided; elements: %d exact, %d bounded, %d open",
		cases, undecided, count[bounds.Exact], count[bounds.Bounded], count[bounds.Open])
}

// TestKinds compares the tables with the closed set of ops.
func TestKinds(t *testing.T) {
	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		n := 0
		if _, ok := Unary[kind]; ok {
			n++
		}
		if _, ok := Binary[kind]; ok {
			n++
		}
		if _, ok := Recipes[kind]; ok {
			n++
		}
		if n != 1 {
			t.Errorf("%v stands in %d of the tables Unary, Binary and Recipes, want one", kind, n)
		}
	}
}

// TestDrawn looks that every kind, and every type with each element-wise kind that takes it, is drawn.
func TestDrawn(t *testing.T) {
	kinds, types := map[tile.Kind]int{}, map[string]int{}
	var count func(r *tile.Region)
	count = func(r *tile.Region) {
		for _, op := range r.Ops {
			kinds[op.Kind]++
			if v := op.Result(); v != nil {
				types[v.Type().Elem.String()]++
			}
			for _, body := range op.Regions() {
				count(body)
			}
		}
	}
	gen := rapid.Custom(func(t *rapid.T) *Case { return Kernel(t, Options{}) })
	for i := range 400 {
		count(gen.Example(i).Kernel.Body)
	}
	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		if kinds[kind] == 0 {
			t.Errorf("no %v in 400 kernels", kind)
		}
	}
	t.Log(kinds, types)
}
