package mesh_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/ops"
)

// normals is a tensor of normal numbers on each device, the same on all.
func normals(t testing.TB, r *rand.Rand, g *mesh.Group, elem weft.DType, shape ...int) (list []*weft.Tensor) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	for _, dev := range g.Devices() {
		list = append(list, ok[*weft.Tensor](t)(weft.FromFloats(dev, elem, x, shape...)))
	}
	return list
}

// cuts is a rank's part of its tensor along a dimension, as a view.
func cuts(t testing.TB, list []*weft.Tensor, dim int) (parts []*weft.Tensor) {
	for i, x := range list {
		n := x.Dim(dim) / len(list)
		parts = append(parts, ok[*weft.Tensor](t)(x.Slice(dim, i*n, (i+1)*n)))
	}
	return parts
}

// alike compares tensors within a distance.
func alike(t *testing.T, what string, got, want *weft.Tensor, within float64) {
	t.Helper()
	x, y := ok[[]float64](t)(weft.ToFloats(got)), ok[[]float64](t)(weft.ToFloats(want))
	if len(x) != len(y) {
		t.Fatalf("%s: %d elements, want %d", what, len(x), len(y))
	}
	for i := range x {
		if !(math.Abs(x[i]-y[i]) <= within*(1+math.Abs(y[i]))) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, x[i], y[i])
		}
	}
}

// A layer that is cut over ranks gives what one device gives.
func TestLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const tokens, width, inner, heads, head = 12, 10, 24, 12, 8
	for engine, options := range engines {
		for n := 1; n <= min(4, most()); n++ {
			g := open(t, n, options...)
			x, up, down := normals(t, r, g, weft.F32, tokens, width), normals(t, r, g, weft.F32, width, inner), normals(t, r, g, weft.F32, inner, width)
			want := ok[*weft.Tensor](t)(ops.MatMul(ok[*weft.Tensor](t)(ops.MatMul(x[0], up[0], ops.Fuse(ops.GELUMap))), down[0]))
			out, part := normals(t, r, g, weft.F32, tokens, width), normals(t, r, g, weft.F32, tokens/n, width)
			if err := errors.Join(g.MLP(out, x, cuts(t, up, 1), cuts(t, down, 0), ops.GELUMap),
				g.SequenceMLP(part, cuts(t, x, 0), cuts(t, up, 1), cuts(t, down, 0), ops.GELUMap)); err != nil {
				t.Fatal(err)
			}
			for i := range out {
				alike(t, engine+" mlp", ok[*weft.Tensor](t)(out[i].To(want.Device())), want, 1e-4)
				rows := ok[*weft.Tensor](t)(want.Slice(0, i*tokens/n, (i+1)*tokens/n))
				alike(t, engine+" sequence mlp", ok[*weft.Tensor](t)(part[i].To(want.Device())), rows, 1e-4)
			}
			q, k, v := normals(t, r, g, weft.F32, 2, heads, tokens, head), normals(t, r, g, weft.F32, 2, heads, tokens, head), normals(t, r, g, weft.F32, 2, heads, tokens, head)
			w := normals(t, r, g, weft.F32, heads*head, width)
			seen := ok[*weft.Tensor](t)(ops.Attention(q[0], k[0], v[0], ops.Causal()))
			flat := ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(seen.Permute(0, 2, 1, 3)).Contiguous()).Reshape(2, tokens, heads*head))
			want = ok[*weft.Tensor](t)(ops.MatMul(flat, w[0]))
			sum := normals(t, r, g, weft.F32, 2, tokens, width)
			if err := g.HeadsAttention(sum, cuts(t, q, 1), cuts(t, k, 1), cuts(t, v, 1), cuts(t, w, 0), ops.Causal()); err != nil {
				t.Fatal(err)
			}
			alike(t, engine+" heads", sum[0], want, 1e-4)
		}
	}
}

// zigzag is a rank's part of its tensor [B,heads,tokens,D], as Zigzag has it.
func zigzag(t testing.TB, list []*weft.Tensor) (parts []*weft.Tensor) {
	for i, x := range list {
		n := x.Dim(2) / (2 * len(list))
		first, last := i*n, (2*len(list)-1-i)*n
		parts = append(parts, ok[*weft.Tensor](t)(ops.Concat(2, ok[*weft.Tensor](t)(x.Slice(2, first, first+n)), ok[*weft.Tensor](t)(x.Slice(2, last, last+n)))))
	}
	return parts
}

// ringCuts are the ways of cutting tokens.
var ringCuts = []struct {
	name    string
	causal  bool
	cut     func(t testing.TB, list []*weft.Tensor) []*weft.Tensor
	options []mesh.RingOption
}{
	{"", false, func(t testing.TB, list []*weft.Tensor) []*weft.Tensor { return cuts(t, list, 2) }, nil},
	{"causal", true, func(t testing.TB, list []*weft.Tensor) []*weft.Tensor { return cuts(t, list, 2) }, nil},
	{"zigzag", false, zigzag, []mesh.RingOption{mesh.Zigzag()}},
	{"causal zigzag", true, zigzag, []mesh.RingOption{mesh.Zigzag()}},
}

// Attention of sequences that are cut over ranks gives what one device gives, again on the same memory.
func TestRingAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const heads, head = 2, 8
	for engine, options := range engines {
		for n := 1; n <= min(5, most()); n++ {
			g := open(t, n, options...)
			for _, cut := range ringCuts {
				for _, elem := range []weft.DType{weft.F32, weft.BF16} {
					tokens := 2 * n * (1 + r.IntN(5))
					q, k, v := normals(t, r, g, elem, 1, heads, tokens, head), normals(t, r, g, elem, 1, heads, tokens, head), normals(t, r, g, elem, 1, heads, tokens, head)
					var option []ops.AttentionOption
					if cut.causal {
						option = append(option, ops.Causal())
					}
					want := ok[*weft.Tensor](t)(ops.Attention(q[0], k[0], v[0], option...))
					out := normals(t, r, g, elem, 1, heads, tokens/n, head)
					for range 2 {
						if err := g.RingAttention(out, cut.cut(t, q), cut.cut(t, k), cut.cut(t, v), cut.causal, cut.options...); err != nil {
							t.Fatal(err)
						}
					}
					for i, rows := range cut.cut(t, slices.Repeat([]*weft.Tensor{want}, n)) {
						alike(t, engine+" ring "+cut.name, out[i], rows, 4*elem.Epsilon()+1e-5)
					}
				}
			}
			if err := g.RingAttention(nil, nil, nil, nil, false); !errors.Is(err, weft.ErrArgument) {
				t.Errorf("nil: %v", err)
			}
			odd := normals(t, r, g, weft.F32, 1, heads, 3, head)
			if err := g.RingAttention(odd, odd, odd, odd, true, mesh.Zigzag()); !errors.Is(err, weft.ErrShape) {
				t.Errorf("two chunks of three tokens: %v", err)
			}
			if err := g.RingAttention(odd, odd, odd, odd, true, nil); !errors.Is(err, weft.ErrArgument) {
				t.Errorf("a nil option: %v", err)
			}
		}
	}
}
