package lower

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// sharedProduct describes a product in tiles of bm × bn, of which the programs of a cluster share K.
func sharedProduct(t *testing.T, schedule tile.Schedule, bm, bn, axis int, exact bool) *tile.Func {
	return axistest.Build(t, "shared", func(k *tile.Builder) {
		k.Schedule(schedule)
		elem, precision := dtype.F16, tile.Float32Accumulate
		if exact {
			elem, precision = dtype.F32, tile.IEEE
		}
		a, b, out := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", dtype.F32, 2)
		rows, columns := k.CDiv(out.Dim(0), bm), k.CDiv(out.Dim(1), bn)
		k.ClusterGrid(rows.Mul(columns))
		cluster, rank := k.ClusterID()
		row, column := k.TileAt(cluster, rows, columns)
		acc := k.Var(k.Zeros(dtype.F32, bm, bn))
		for i := range k.ClusterRange(k.CDiv(a.Dim(1), 64)) {
			acc.Set(tile.Dot(a.Block(bm, 64).Load(row, i), b.Block(64, bn).Load(i, column), acc.Get(), precision))
		}
		sum, parts := acc.Get().ClusterSum(axis), k.Cluster()
		if axis == 0 {
			out.Block(bm/parts, bn).Store(sum, row.Mul(parts).Add(rank), column)
		} else {
			out.Block(bm, bn/parts).Store(sum, row, column.Mul(parts).Add(rank))
		}
	})
}

// TestClusterSum: programs of a cluster that share K compute what one program does, by roles and without, of sizes that no tile divides and of fewer steps than programs;
// no barrier of the cluster, no store of what is exchanged and no load of it can be left out.
func TestClusterSum(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		producers, stages, bm, bn, axis int
		exact                           bool
		m, n, k                         int
	}{
		{1, 2, 64, 64, 0, false, 128, 128, 320},
		{1, 3, 64, 64, 1, false, 72, 136, 192},
		{1, 2, 64, 64, 0, false, 64, 64, 64},
		{0, 2, 64, 64, 0, false, 100, 72, 256},
		{0, 1, 32, 32, 1, true, 33, 40, 70},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			testenv.Sample(t)
			k := sharedProduct(t, tile.Schedule{Threads: 128, Stages: c.stages, Producers: c.producers, Cluster: 2}, c.bm, c.bn, c.axis, c.exact)
			args := []tensor{{lowertest.Rows(t, c.m, c.k), 0}, {lowertest.Rows(t, c.k, c.n), 1}, {lowertest.Rows(t, c.m, c.n), 2}}
			l := cases(t, map[string]target.Caps{"hopper": hopper()}, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, args, false, 1e-2)[0]
			if l.kernel.Cluster != 2 || (l.kernel.Producers > 0) != (c.producers > 0) {
				t.Fatalf("clusters of %d, %d producers\n%v", l.kernel.Cluster, l.kernel.Producers, l.kernel)
			}
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Fatalf("%v\n%v", err, l.kernel)
			}
			exchanged := func(op *simt.Op) bool {
				return op.Kind == simt.ClusterBarrier || op.Shared != nil && op.Shared.Name == "exchanged"
			}
			n := 0
			without(l.kernel.Body, func(op *simt.Op) {
				if !exchanged(op) {
					return
				}
				if n++; l.run(l.kernel) == nil {
					t.Errorf("nothing changes without %v; what is left is\n%v", op.Kind, l.kernel)
				}
			}, simt.SharedStore, simt.ClusterBarrier)
			simt.Walk(l.kernel.Body, func(op *simt.Op) {
				if op.Cluster {
					op.Cluster = false
					if n++; l.run(l.kernel) == nil {
						t.Errorf("nothing changes where %v is of one workgroup alone\n%v", op.Kind, l.kernel)
					}
					op.Cluster = true
				}
			})
			if n < 5 {
				t.Errorf("%d changes", n)
			}
		})
	}
}

// TestClusterSumNeedsClusters: a device without clusters refuses a kernel whose programs exchange tiles, and takes the same one without clusters.
func TestClusterSumNeedsClusters(t *testing.T) {
	caps := hopper()
	caps.Clusters = false
	facts := axis.FactsOf([]layout.Layout{lowertest.Rows(t, 128, 64), lowertest.Rows(t, 64, 64), lowertest.Rows(t, 128, 64)}, []int{0, 1, 2})
	schedule := tile.Schedule{Threads: 128, Stages: 2, Producers: 1, Cluster: 2}
	if _, err := Lower(sharedProduct(t, schedule, 64, 64, 0, false), facts, caps); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("%v, want %v", err, fault.ErrUnsupported)
	}
	schedule.Cluster = 1
	if _, err := Lower(sharedProduct(t, schedule, 64, 64, 0, false), facts, caps); err != nil {
		t.Error(err)
	}
}
