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
	const launches = 20 // after each other, next to whose time that of the host is none
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
			for name, cfg := range map[string]ops.MatMulConfig{
				"128x256":           {BN: 256, Threads: 256, Stages: 4, Persistent: 132},
				"128x256 in flight": {BN: 256, Threads: 256, Stages: 4, Persistent: 132, InFlight: 2},
				"128x256 one each":  {BN: 256, Threads: 256, Stages: 4},
				"256x128":           {BM: 256, BN: 128, Threads: 256, Stages: 4, Persistent: 132},
				"128x128":           {BN: 128, Threads: 256, Stages: 6, Persistent: 132},
				"128x128 ping-pong": {BN: 128, Threads: 128, Stages: 5, Persistent: 132, Consumers: 2, InFlight: 2},
			} {
				for _, cluster := range []int{1, 2} {
					cfg.BM, cfg.BK, cfg.Producers, cfg.Cluster, cfg.Order = max(cfg.BM, 128), 64, 1, cluster, tile.Order{Kind: tile.GroupedRows, Group: 16 / cluster}
					b.Run(fmt.Sprintf("%d/%s/%s/cluster=%d", side, form, name, cluster), func(b *testing.B) {
						round := func() {
							for range launches {
								if err := ops.MatMulInto(t[2], t[0], y, ops.Tiles(cfg)); err != nil {
									b.Fatal(err)
								}
							}
							if err := dev.Synchronize(); err != nil {
								b.Fatal(err)
							}
						}
						round() // which compiles the kernel
						for b.Loop() {
							round()
						}
						flops := 2 * float64(side) * float64(side) * float64(side) * launches * float64(b.N)
						b.ReportMetric(flops/b.Elapsed().Seconds()/1e12, "TFLOP/s")
					})
				}
			}
		}
	}
}
