package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// hopper is a device with clusters.
func hopper() target.Caps {
	return lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
}

// TestClusterIsMinimal: a product whose workgroups copy for each other fails without any one of its copies, stores, waits, arrivals and barriers, and where
// a copy or an arrival is for one workgroup alone.
func TestClusterIsMinimal(t *testing.T) {
	t.Parallel()
	for _, c := range []specialised{
		{elem: dtype.F16, out: dtype.F16, m: 256, n: 128, k: 320, bm: 64, bn: 128, bk: 64, threads: 128, stages: 2, cluster: 2, sharedBytes: 227 << 10},
		{elem: dtype.BF16, out: dtype.F32, m: 192, n: 128, k: 384, bm: 64, bn: 64, bk: 64, threads: 128, stages: 3, cluster: 2, persistent: 1, columnsA: true, columnsB: true, sharedBytes: 227 << 10},
		{elem: dtype.F16, out: dtype.F32, m: 256, n: 128, k: 192, bm: 64, bn: 64, bk: 64, threads: 128, stages: 2, cluster: 2, consumers: 2, batch: 2, persistent: 1, sharedBytes: 227 << 10},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			testenv.Sample(t)
			l := c.lower(t)
			if err := l.run(l.kernel); err != nil || l.kernel.Cluster != 2 {
				t.Fatalf("%v: %v\n%v", c, err, l.kernel)
			}
			n := without(l.kernel.Body, func(op *simt.Op) {
				if l.run(l.kernel) == nil {
					t.Errorf("%v: nothing changes without %v of line %s; what is left is\n%v", c, op.Kind, op.Line, l.kernel)
				}
			}, simt.TensorCopy, simt.TensorStore, simt.StoreWait, simt.Expect, simt.Arrive, simt.Wait, simt.Barrier, simt.ClusterBarrier)
			simt.Walk(l.kernel.Body, func(op *simt.Op) {
				if op.Multicast > 0 || op.Cluster {
					was := *op
					if op.Multicast, op.Cluster = 0, false; l.run(l.kernel) == nil {
						t.Errorf("%v: nothing changes where %v is for one workgroup alone\n%v", c, op.Kind, l.kernel)
					}
					*op = was
					n++
				}
			})
			t.Logf("%v: %d changes", c, n)
		})
	}
}

// neighbours describes a product of tiles of 64 × 64 whose grid and coordinates a function gives.
func neighbours(t *testing.T, schedule tile.Schedule, at func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value)) *tile.Func {
	return axistest.Build(t, "neighbours", func(k *tile.Builder) {
		k.Schedule(schedule)
		a, b, out := k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.Out("out", dtype.F16, 2)
		row, column := at(k, k.CDiv(out.Dim(0), 64), k.CDiv(out.Dim(1), 64))
		acc := k.Var(k.Zeros(dtype.F32, 64, 64))
		for i := range k.Range(k.CDiv(a.Dim(1), 64)) {
			acc.Set(tile.Dot(a.Block(64, 64).Load(row, i), b.Block(64, 64).Load(i, column), acc.Get(), tile.Float32Accumulate))
		}
		out.Block(64, 64).Store(acc.Get().Cast(dtype.F16), row, column)
	})
}

// below gives the programs of a cluster tiles below each other.
func below(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
	pairs := k.CDiv(rows, k.Cluster())
	k.Grid(pairs.Mul(columns).Mul(k.Cluster()))
	cluster, rank := k.ClusterID()
	row, column = k.TileAt(cluster, pairs, columns)
	return row.Mul(k.Cluster()).Add(rank), column
}

// TestClusterNotes: what is copied together follows from the coordinates; where nothing is, or there are no clusters, a note says why.
func TestClusterNotes(t *testing.T) {
	t.Parallel()
	schedule := tile.Schedule{Threads: 128, Stages: 2, Producers: 1, Cluster: 2, Order: tile.Order{Kind: tile.GroupedRows, Group: 4}}
	without := hopper()
	without.Clusters = false
	noProducers := schedule
	noProducers.Producers = 0
	for what, c := range map[string]struct {
		schedule tile.Schedule
		caps     target.Caps
		folded   bool
		at       func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value)
		together string // what is copied so
		note     string
	}{
		"below each other": {schedule: schedule, at: below, together: "b_map", note: "tile_b by each of 2 workgroups of a cluster for all of them, boxes of [64 32]"},
		"next to each other": {schedule: schedule, at: func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
			column, row = below(k, columns, rows)
			return row, column
		}, together: "a_map", note: "tile_a by each of 2 workgroups"},
		"one tile for both": {schedule: schedule, at: func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
			k.Grid(rows.Mul(columns).Mul(2))
			cluster, _ := k.ClusterID()
			return k.TileAt(cluster, rows, columns)
		}, together: "a_map b_map", note: "tile_a by each of 2 workgroups"},
		"tiles as they come": {schedule: schedule, at: func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
			k.Grid(rows.Mul(columns).Mul(2))
			return k.ProgramID(0).Div(columns), k.ProgramID(0).Rem(columns)
		}, note: "no clusters: nothing that tensor maps copy is the same in all their programs"},
		"an odd grid": {schedule: schedule, at: func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
			return k.TileID(rows, columns)
		}, note: "no clusters: the grid is not known to be a multiple of 2 programs"},
		"a grid of one": {schedule: schedule, at: func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
			return k.Int(0), k.Int(0)
		}, note: "no clusters: the grid is not known to be a multiple of 2 programs"},
		"a folded grid": {schedule: schedule, folded: true, at: below, note: "no clusters: the grid is folded"},
		"programs that exit": {schedule: schedule, at: func(k *tile.Builder, rows, columns *tile.Value) (row, column *tile.Value) {
			row, column = below(k, rows, columns)
			k.Exit(row.Ge(rows))
			return row, column
		}, note: "no clusters: programs exit early"},
		"no producers":       {schedule: noProducers, at: below, note: "no clusters: the schedule has no producers"},
		"a device with none": {schedule: schedule, caps: without, at: below, note: "no clusters: the device has none"},
	} {
		t.Run(what, func(t *testing.T) {
			testenv.Sample(t)
			if c.caps.MaxThreads == 0 { // none given
				c.caps = hopper()
			}
			k := neighbours(t, c.schedule, c.at)
			args := []tensor{{lowertest.Rows(t, 192, 128), 0}, {lowertest.Rows(t, 128, 128), 1}, {lowertest.Rows(t, 192, 128), 2}}
			l := cases(t, map[string]target.Caps{"hopper": c.caps}, k, []int{192 * 128, 128 * 128, 192 * 128}, args, c.folded, 1e-2)[0]
			var together []string
			simt.Walk(l.kernel.Body, func(op *simt.Op) {
				if op.Multicast > 0 {
					together = append(together, op.Map.Name)
				}
			})
			if got := strings.Join(together, " "); got != c.together || (l.kernel.Cluster > 1) != (got != "") {
				t.Errorf("clusters of %d copy %q together, want %q\n%v", l.kernel.Cluster, got, c.together, l.kernel)
			}
			if notes := strings.Join(l.notes, "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("nothing says %q:\n%s", c.note, notes)
			}
			if what == "tiles as they come" || what == "a grid of one" { // which do not compute the whole product
				return
			}
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Errorf("%v\n%v", err, l.kernel)
			}
		})
	}
}

// TestClusterParts: of copies one after the other each workgroup makes a half, of one copy half of the lines; what is too small is
// copied by each for itself.
func TestClusterParts(t *testing.T) {
	for _, c := range []struct {
		bn, bk   int
		columnsB bool
		want     string
	}{
		{256, 64, false, "multicast=1 multicast=1"}, // four lines of 64 columns, in two pairs
		{64, 64, false, "multicast=2"},              // one line of 64 columns
		{256, 64, true, "multicast=2"},              // one line of 64 sums
		{64, 128, true, "multicast=1"},              // two of them
	} {
		p := specialised{elem: dtype.F16, out: dtype.F16, m: 128, n: 256, k: 256, bm: 64, bn: c.bn, bk: c.bk, threads: 128, stages: 2, cluster: 2, columnsB: c.columnsB, sharedBytes: 227 << 10}
		l := p.lower(t)
		var got []string
		for _, line := range strings.Split(l.kernel.String(), "\n") {
			if _, rest, ok := strings.Cut(line, "tensor.copy b_map tile_b full "); ok {
				got = append(got, strings.Fields(rest)[0])
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s\n%v", p, got, c.want, l.kernel)
		}
		if err := l.run(l.kernel); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// TestClusterBuffers: of two circular buffers in a loop, one shares the right operand and the other the left one; both are drained.
func TestClusterBuffers(t *testing.T) {
	k := axistest.Build(t, "buffers", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128, Stages: 3, Producers: 1, Cluster: 2})
		a, b, out := k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.Out("out", dtype.F16, 2)
		product := func(row, column *tile.Value) *tile.Value {
			acc := k.Var(k.Zeros(dtype.F32, 64, 64))
			for i := range k.Range(k.CDiv(a.Dim(1), 64)) {
				acc.Set(tile.Dot(a.Block(64, 64).Load(row, i), b.Block(64, 64).Load(i, column), acc.Get(), tile.Float32Accumulate))
			}
			return acc.Get()
		}
		pairs := k.CDiv(out.Dim(0), 128)
		columns := k.CDiv(out.Dim(1), 64)
		k.ClusterGrid(k.Int(2))
		_, rank := k.ClusterID()
		for n := range k.PersistentClusters(pairs.Mul(columns)) {
			pair, column := k.TileAt(n, pairs, columns)
			row := pair.Mul(2).Add(rank)
			x := product(row, column).Add(product(pair, column.Add(rank)))
			out.Block(64, 64).Store(x.Cast(dtype.F16), row, column)
		}
	})
	args := []tensor{{lowertest.Rows(t, 320, 192), 0}, {lowertest.Rows(t, 192, 128), 1}, {lowertest.Rows(t, 320, 128), 2}}
	l := cases(t, map[string]target.Caps{"hopper": hopper()}, k, []int{320 * 192, 192 * 128, 320 * 128}, args, false, 1e-2)[0]
	together, drains := 0, 0
	simt.Walk(l.kernel.Body, func(op *simt.Op) {
		if op.Multicast > 0 {
			together++
		}
	})
	for _, op := range l.kernel.Body.Ops[len(l.kernel.Body.Ops)-1].Body.Ops {
		if op.Kind == simt.For && lowertest.Count(&simt.Func{Body: op.Body}, simt.Wait) == 1 && lowertest.Count(&simt.Func{Body: op.Body}, simt.TensorCopy) == 0 {
			drains++
		}
	}
	if together != 2 || drains != 2 {
		t.Errorf("%d copies for the cluster, %d buffers drained\n%v", together, drains, l.kernel)
	}
	if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
		t.Errorf("%v\n%v", err, l.kernel)
	}
}
