package mesh_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/mesh"
)

// drawPlacements draws placements for a tensor of a rank; partial says whether sums of parts are among them.
func drawPlacements(t *rapid.T, name string, dims, rank int, partial bool) []mesh.Placement {
	all := []mesh.Placement{mesh.Replicate}
	for d := range rank {
		all = append(all, mesh.Shard(d))
	}
	if partial {
		all = append(all, mesh.Partial(mesh.Sum))
	}
	return rapid.SliceOfN(rapid.SampledFrom(all), dims, dims).Draw(t, name)
}

// cut is the definition of Shard, for one dimension: where each of n ranks begins.
func cut(from, to, i, n int) (int, int) {
	size := (to - from + n - 1) / n
	return min(from+i*size, to), min(from+(i+1)*size, to)
}

// expected is what a rank has of a tensor of consecutive numbers.
func expected(m *mesh.Mesh, shape []int, placements []mesh.Placement, rank int) []float64 {
	at, sizes := m.At(rank), m.Sizes()
	from, to := make([]int, len(shape)), slices.Clone(shape)
	for i, p := range placements {
		for d := range shape {
			if p == mesh.Shard(d) {
				from[d], to[d] = cut(from[d], to[d], at[i], sizes[i])
			}
		}
	}
	values := []float64{0}
	for d := range shape {
		var next []float64
		for _, v := range values {
			for x := from[d]; x < to[d]; x++ {
				next = append(next, v*float64(shape[d])+float64(x))
			}
		}
		values = next
	}
	return values
}

// Whatever a tensor's placements were, redistributed each rank has just its part, and the whole is what it was.
func TestRedistribute(t *testing.T) {
	groups := map[int]*mesh.Group{}
	for _, n := range []int{1, 2, 3, 4, 6} {
		if n <= most() {
			groups[n] = open(t, n)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		sizes := rapid.SampledFrom([][]int{{1}, {2}, {3}, {4}, {2, 2}, {2, 3}, {3, 2}, {1, 3}, {2, 1, 2}}).Draw(r, "mesh")
		n := 1
		for _, s := range sizes {
			n *= s
		}
		g := groups[n]
		if g == nil {
			return
		}
		m := ok[*mesh.Mesh](t)(mesh.NewMesh(g, sizes))
		shape := rapid.SliceOfN(rapid.IntRange(0, 7), 0, 3).Draw(r, "shape")
		length := 1
		for _, s := range shape {
			length *= s
		}
		elem := rapid.SampledFrom([]weft.DType{weft.F32, weft.I32}).Draw(r, "elem")
		values := make([]float64, length)
		for i := range values {
			values[i] = float64(i)
		}
		x := ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(weft.FromFloats(g.Devices()[0], elem, values)).Reshape(shape...))
		now := ok[*mesh.Tensor](t)(mesh.Distribute(m, x, drawPlacements(r, "from", len(sizes), len(shape), true)...))
		for range rapid.IntRange(1, 3).Draw(r, "steps") {
			to := drawPlacements(r, "to", len(sizes), len(shape), true)
			next := ok[*mesh.Tensor](t)(now.Redistribute(to...))
			now.Close()
			now = next
			if slices.Contains(to, mesh.Partial(mesh.Sum)) {
				continue
			}
			for i, rank := range g.Ranks() {
				got, want := ok[[]float64](t)(weft.ToFloats(now.Local(i))), expected(m, shape, to, rank)
				if !slices.Equal(got, want) {
					r.Fatalf("rank %d of %v with %v has %v, want %v", rank, shape, to, got, want)
				}
			}
		}
		whole := ok[*weft.Tensor](t)(now.Whole(0))
		if got := ok[[]float64](t)(weft.ToFloats(whole)); !slices.Equal(got, values) || !slices.Equal(whole.Shape(), shape) {
			r.Fatalf("the whole became %v of %v", got, whole.Shape())
		}
		now.Close()
	})
}

// Parts of each rank's own, of every reduction, become their reduction.
func TestPartial(t *testing.T) {
	n := min(3, most())
	g := open(t, n)
	m := ok[*mesh.Mesh](t)(mesh.NewMesh(g, []int{n}, "tp"))
	for reduction, f := range reductions {
		for _, to := range []mesh.Placement{mesh.Replicate, mesh.Shard(0), mesh.Shard(1)} {
			var locals []*weft.Tensor
			want := make([]float64, 4*6)
			for rank, dev := range g.Devices() {
				values := make([]float64, len(want))
				for i := range values {
					values[i] = float64((i*7+rank*5)%9 - 4)
					if want[i] = f(want[i], values[i]); rank == 0 {
						want[i] = values[i]
					}
				}
				locals = append(locals, ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, values, 4, 6)))
			}
			x := ok[*mesh.Tensor](t)(mesh.FromLocal(m, []int{4, 6}, []mesh.Placement{mesh.Partial(reduction)}, locals...))
			whole := ok[*weft.Tensor](t)(ok[*mesh.Tensor](t)(x.Redistribute(to)).Whole(n - 1))
			if got := ok[[]float64](t)(weft.ToFloats(whole)); !slices.Equal(got, want) {
				t.Errorf("%v to %v: %v, want %v", reduction, to, got, want)
			}
			x.Close()
		}
	}
	if m.Dim("tp") != 0 || m.Dim("dp") != -1 {
		t.Error("names of dimensions")
	}
}
