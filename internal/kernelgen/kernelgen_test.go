package kernelgen

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/bounds"
	"github.com/weftgpu/weft/tile"
	"pgregory.net/rapid"
)

// TestInterpreter runs random kernels in the interpreter, as it is and in its checking mode,
// which must find no race.
func TestInterpreter(t *testing.T) {
	for name, check := range map[string]bool{"fast": false, "checking": true} {
		t.Run(name, func(t *testing.T) {
			Check(t, 300, false, Options{}, func(t TB, c *Case, r *Report) {
				if err := r.Run(c, func() ([][]byte, error) { return c.Interpret(check) }); err != nil {
					t.Fatalf("%v", err)
				}
			})
		})
	}
}

// ofClusters are what kernels without clusters have none of, as drawn ones are.
var ofClusters = map[tile.Kind]bool{tile.OpPeer: true}

// TestKinds compares the tables with the closed set of ops.
func TestKinds(t *testing.T) {
	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		n := 0
		if ofClusters[kind] {
			continue
		}
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

// TestDrawn looks that every kind of op is drawn, and every element type.
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
	const n = 600
	gen := rapid.Custom(func(t *rapid.T) *Case { return Kernel(t, Options{}) })
	for i := range n {
		count(gen.Example(i).Kernel.Body)
	}
	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		if kinds[kind] < 3 && !ofClusters[kind] {
			t.Errorf("%d %v in %d kernels", kinds[kind], kind, n)
		}
	}
	for _, e := range elements(anyElem) {
		if types[e.String()] < n/10 {
			t.Errorf("%d values of %v in %d kernels", types[e.String()], e, n)
		}
	}
}

// TestCompareNotices changes one element of a result that is exact.
func TestCompareNotices(t *testing.T) {
	defer setFlag(t, "rapid.nofailfile", "true")()
	noticed := 0
	rapid.Check(t, func(t *rapid.T) {
		c := Kernel(t, Options{})
		got, err := c.Interpret(false)
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, len(got)-1).Draw(t, "buffer")
		at := rapid.IntRange(0, len(got[i])-1).Draw(t, "byte")
		if err := c.Bound(); err != nil || c.allowed[i][at/c.Elems[i].Size()].Kind(c.Elems[i]) != bounds.Exact || len(got[i]) == 0 {
			return
		}
		if got[i][at] ^= 0x40; c.Elems[i] == dtype.Bool {
			got[i][at] = 0x41 - got[i][at]
		}
		if c.Elems[i].IsFloat() && got[i][at]&0x3f == 0 { // it may be a subnormal number or a NaN now
			return
		}
		if noticed++; c.Compare(got, &Report{}) == nil {
			t.Fatalf("byte %d of buffer %d was changed\n%v", at, i, c)
		}
	})
	if noticed == 0 {
		t.Error("nothing was changed")
	}
}
