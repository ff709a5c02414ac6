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
			for _, shape := range [][]int{{2, heads, 3, head}, {1, heads, 3, head + 1}} {
				if err := g.RingAttention(normals(t, r, g, weft.F32, shape...), odd, odd, odd, true); !errors.Is(err, weft.ErrShape) {
					t.Errorf("a result %v of queries [1 %d 3 %d]: %v", shape, heads, head, err)
				}
			}
			if err := g.RingAttention(odd, odd, odd, odd, true, nil); !errors.Is(err, weft.ErrArgument) {
				t.Errorf("a nil option: %v", err)
			}
		}
	}
}

// What does not fit on one rank is refused by name, and the results of no rank are written.
func TestLayersRefuse(t *testing.T) {
	g := open(t, 2)
	full := func(i int, elem weft.DType, shape ...int) *weft.Tensor {
		return ok[*weft.Tensor](t)(weft.Full(g.Devices()[i], elem, 7, shape...))
	}
	both := func(shape ...int) []*weft.Tensor {
		return []*weft.Tensor{full(0, weft.F32, shape...), full(1, weft.F32, shape...)}
	}
	out, x, w := both(2, 4), both(2, 4), both(4, 4)
	rows, q := both(1, 2, 4), both(1, 2, 2, 2)
	mlp := func(out, up, down []*weft.Tensor) error { return g.MLP(out, x, up, down, nil) }
	heads := func(out, q, k, w []*weft.Tensor) error { return g.HeadsAttention(out, q, k, k, w) }
	closed := full(1, weft.F32, 4, 4)
	closed.Close()
	for name, c := range map[string]struct {
		err  error
		kind error
	}{
		"no down":            {mlp(out, w, nil), weft.ErrArgument},
		"a nil down":         {mlp(out, w, []*weft.Tensor{w[0], nil}), weft.ErrArgument},
		"a closed down":      {mlp(out, w, []*weft.Tensor{w[0], closed}), weft.ErrClosed},
		"rows of down":       {mlp(out, w, []*weft.Tensor{w[0], full(1, weft.F32, 5, 4)}), weft.ErrShape},
		"type of down":       {mlp(out, w, []*weft.Tensor{w[0], full(1, weft.F16, 4, 4)}), weft.ErrArgument},
		"down elsewhere":     {mlp(out, w, []*weft.Tensor{w[0], w[0]}), weft.ErrDevice},
		"rows of up":         {mlp(out, []*weft.Tensor{w[0], full(1, weft.F32, 5, 4)}, w), weft.ErrShape},
		"shape of out":       {mlp([]*weft.Tensor{out[0], full(1, weft.F32, 4, 2)}, w, w), weft.ErrShape},
		"out repeats":        {mlp([]*weft.Tensor{out[0], ok[*weft.Tensor](t)(full(1, weft.F32, 1, 4).Broadcast(2, 4))}, w, w), weft.ErrUnsupported},
		"out overlaps down":  {mlp([]*weft.Tensor{out[0], ok[*weft.Tensor](t)(w[1].Slice(0, 0, 2))}, w, w), weft.ErrUnsupported},
		"rows of w":          {heads(rows, q, q, []*weft.Tensor{w[0], full(1, weft.F32, 5, 4)}), weft.ErrShape},
		"dimensions of q":    {heads(rows, []*weft.Tensor{q[0], w[1]}, q, w), weft.ErrShape},
		"heads of k":         {heads(rows, q, []*weft.Tensor{q[0], full(1, weft.F32, 1, 3, 2, 2)}, w), weft.ErrShape},
		"shape of attention": {heads([]*weft.Tensor{rows[0], full(1, weft.F32, 2, 1, 4)}, q, q, w), weft.ErrShape},
	} {
		if !errors.Is(c.err, c.kind) {
			t.Errorf("%s: %v, want %v", name, c.err, c.kind)
		}
	}
	for _, list := range [][]*weft.Tensor{out, rows, w} {
		for i, x := range list {
			if got := ok[[]float64](t)(weft.ToFloats(x)); slices.ContainsFunc(got, func(x float64) bool { return x != 7 }) {
				t.Errorf("rank %d: %v was written", i, got)
			}
		}
	}
}

// Results that overlap operands are refused on every engine before anything is written.
func TestProductsOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for engine, options := range engines {
		g := open(t, 2, options...)
		a, b := normals(t, r, g, weft.F32, 2, 2), normals(t, r, g, weft.F32, 2, 2)
		before := ok[[]float64](t)(weft.ToFloats(a[0]))
		for name, err := range map[string]error{
			"of a":                  g.MatMulReduceScatter(cuts(t, a, 0), a, b),
			"of b":                  g.MatMulReduceScatter(cuts(t, b, 0), a, b),
			"of a, gathered":        g.AllGatherMatMul(a, cuts(t, a, 0), b),
			"of b, gathered":        g.AllGatherMatMul(b, cuts(t, a, 0), b),
			"and repeats, gathered": g.AllGatherMatMul(repeats(t, a), cuts(t, a, 0), b),
		} {
			if !errors.Is(err, weft.ErrUnsupported) {
				t.Errorf("%s: a result that is part %s: %v", engine, name, err)
			}
		}
		for i := range a {
			if got := ok[[]float64](t)(weft.ToFloats(a[i])); !slices.Equal(got, before) {
				t.Errorf("%s: a of rank %d is %v, was %v", engine, i, got, before)
			}
		}
	}
}

// repeats are the first rows of matrices, as often as there are rows.
func repeats(t testing.TB, list []*weft.Tensor) (repeated []*weft.Tensor) {
	for _, x := range list {
		row := ok[*weft.Tensor](t)(weft.Zeros(x.Device(), x.DType(), 1, x.Dim(1)))
		repeated = append(repeated, ok[*weft.Tensor](t)(row.Broadcast(x.Shape()...)))
	}
	return repeated
}
