package interp

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// clusterSums is a kernel whose programs, in clusters of so many, share the sums of the rows of x [M,K] in tiles of 8 rows and 4 terms.
func clusterSums(t *testing.T, size int) *tile.Func {
	t.Helper()
	return build(t, "cluster_sums", func(k *tile.Builder) {
		x, out := k.In("x", dtype.F32, 2), k.Out("out", dtype.F32, 1)
		k.Schedule(tile.Schedule{Cluster: size})
		k.ClusterGrid(k.CDiv(out.Dim(0), 8))
		cluster, rank := k.ClusterID()
		sum := k.Var(k.Zeros(dtype.F32, 8))
		for i := range k.ClusterRange(k.CDiv(x.Dim(1), 4)) {
			sum.Set(sum.Get().Add(x.Block(8, 4).Load(cluster, i).Sum(1).Reshape(8)))
		}
		out.Block(8/k.Cluster()).Store(sum.Get().ClusterSum(0).Mul(2), cluster.Mul(k.Cluster()).Add(rank))
	})
}

// TestClusterSum: programs of a cluster add their parts of sums, whatever the sizes, as one program adds all.
func TestClusterSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, size := range [][2]int{{8, 4}, {8, 3}, {21, 37}, {64, 64}, {5, 100}, {40, 1}} {
		rows, columns := size[0], size[1]
		x := make([]float32, rows*columns)
		for i := range x {
			x[i] = float32(rng.IntN(200) - 100)
		}
		for _, n := range []int{1, 2} {
			p := &Program{Kernel: clusterSums(t, n), Buffers: []int{0, 1}}
			grid, words := launchOf(t, p, []layout.Layout{contiguous(t, rows, columns), contiguous(t, rows)})
			out := f32Bytes(make([]float32, rows))
			if err := p.Run(grid, [][]byte{f32Bytes(x), out}, words); err != nil {
				t.Fatal(err)
			}
			for r, got := range f32Of(out) {
				want := float32(0)
				for _, v := range x[r*columns : (r+1)*columns] {
					want += 2 * v
				}
				if got != want {
					t.Errorf("%v, clusters of %d: row %d is %v, want %v", size, n, r, got, want)
				}
			}
		}
	}
}
