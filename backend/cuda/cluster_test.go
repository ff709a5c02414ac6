package cuda_test

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// BenchmarkClusters is the time of products of F16 by tiles of one workgroup and of clusters of two, on a GPU that has clusters.
func BenchmarkClusters(b *testing.B) {
	dev, err := weft.Open("cuda")
	if err != nil {
		b.Skip(err)
	}
	defer dev.Close()
	if !dev.Caps().Clusters || !dev.Caps().TensorMaps {
		b.Skip("the GPU has no clusters")
	}
	const launches = 20 // behind each other, beside whose time that of the host is none
	for _, side := range []int{2048, 4096, 8192} {
		var t [3]*weft.Tensor
		for i := range t {
			if t[i], err = weft.Empty(dev, weft.F16, side, side); err != nil {
				b.Fatal(err)
			}
			defer t[i].Close()
		}
		for _, x := range t[:2] {
			if err := ops.NormalInto(x, ops.Stream{Seed: 1}); err != nil {
				b.Fatal(err)
			}
		}
		for form, y := range map[string]*weft.Tensor{"nn": t[1], "nt": t[1].T()} {
			for _, shape := range [][3]int{{128, 256, 4}, {128, 128, 6}} { // of tiles, with their stages
				for _, programs := range []int{0, 132} {
					for _, cluster := range []int{1, 2} {
						cfg := ops.MatMulConfig{BM: shape[0], BN: shape[1], BK: 64, Threads: 256, Stages: shape[2], Producers: 1, Persistent: programs, Cluster: cluster,
							Order: tile.Order{Kind: tile.GroupedRows, Group: 16 / cluster}}
						b.Run(fmt.Sprintf("%d/%s/%dx%d/persistent=%d/cluster=%d", side, form, shape[0], shape[1], programs, cluster), func(b *testing.B) {
							for b.Loop() {
								for range launches {
									if err := ops.MatMulInto(t[2], t[0], y, ops.Tiles(cfg)); err != nil {
										b.Fatal(err)
									}
								}
								if err := dev.Synchronize(); err != nil {
									b.Fatal(err)
								}
							}
							flops := 2 * float64(side) * float64(side) * float64(side) * launches * float64(b.N)
							b.ReportMetric(flops/b.Elapsed().Seconds()/1e12, "TFLOP/s")
						})
					}
				}
			}
		}
	}
}
