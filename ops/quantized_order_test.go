package ops_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Pack and Unpack copy what has another order alone. Their results keep their memory when the matrix is closed, and 8 bits are not repacked.
func TestPackShares(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(5, 18))
	for _, c := range []struct {
		n, k         int
		scheme       ops.QuantScheme
		data, scales bool // whether they are views, of the transposed matrix
	}{
		{7, 64, ops.QuantScheme{Bits: 4, Block: [2]int{1, 32}}, true, true},
		{7, 62, ops.QuantScheme{Bits: 4, Block: [2]int{1, 31}}, false, true}, // columns of 31 bytes
		{7, 48, ops.QuantScheme{Bits: 8, Asymmetric: true, Block: [2]int{1, 16}}, true, true},
		{7, 40, ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}}, false, true},
	} {
		x, _ := ragged(t, dev, rng, weft.F32, c.n, c.k)
		q, err := ops.Quantize(x, c.scheme)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := q.T().Pack()
		if err != nil {
			t.Fatal(err)
		}
		back, err := q.Unpack()
		if err != nil {
			t.Fatal(err)
		}
		want, err := weft.ToFloats(q.Data)
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string]struct {
			a, b   *weft.Tensor
			shares bool
		}{"data": {q.Data.T(), packed.Data, c.data}, "scales": {q.Scales.T(), packed.Scales, c.scales}, "data that is as it was": {q.Data, back.Data, true}} {
			if shares := pair.a.Overlaps(pair.b); shares != pair.shares {
				t.Errorf("%d×%d of %v: %s: a view: %v", c.k, c.n, c.scheme, name, shares)
			}
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := packed.T().Unpack()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := weft.ToFloats(again.Data); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d×%d of %v: %v became %v: %v", c.k, c.n, c.scheme, want, got, err)
		}
	}
}

// A matrix whose parts do not fit together is refused before anything is copied.
func TestPackRefuses(t *testing.T) {
	dev := openCPU(t)
	var none *ops.Quantized
	if _, err := none.Pack(); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("nil: %v", err)
	}
	x, err := weft.Zeros(dev, weft.F32, 4, 6)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ops.Quantize(x, ops.QuantScheme{Bits: 4, Block: [2]int{1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	wrong := *q
	wrong.Packed = 0
	if _, err := wrong.Unpack(); !errors.Is(err, weft.ErrShape) {
		t.Errorf("packed along the other dimension: %v", err)
	}
	if err := q.Scales.Close(); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() (*ops.Quantized, error){"Pack": q.Pack, "transposed, Pack": q.T().Pack, "Unpack": q.Unpack} {
		if _, err := f(); !errors.Is(err, weft.ErrClosed) || !strings.Contains(fmt.Sprint(err), ": scales: ") {
			t.Errorf("%s of closed scales: %v", name, err)
		}
	}
}
