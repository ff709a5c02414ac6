package tile_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// Programs of clusters, which have tiles below each other, take every tile of a plane once, and a row more of an odd number of them; so do persistent
// ones, however few there are.
func TestClusterTiles(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 3}, {5, 4}, {6, 1}} {
		for _, cluster := range []int{0, 1, 2} {
			for _, most := range []int{0, 1, 2, 5} {
				t.Run(fmt.Sprintf("%v/%d/%d", size, cluster, most), func(t *testing.T) {
					rows, columns := size[0], size[1]
					n := max(1, cluster)
					padded := (rows + n - 1) / n * n
					_, got := run(t, 0, [][]int{{padded * columns}, {rows, columns}}, func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Cluster: cluster, Order: tile.Order{Kind: tile.GroupedRows, Group: 2}})
						out, view := k.InOut("out", dtype.I32, 1), k.In("view", dtype.I32, 2)
						pairs := k.CDiv(view.Dim(0), k.Cluster())
						total := pairs.Mul(view.Dim(1))
						id, rank := k.ClusterID()
						take := func(number *tile.Value) {
							pair, column := k.TileAt(number, pairs, view.Dim(1))
							at := pair.Mul(k.Cluster()).Add(rank).Mul(columns).Add(column)
							out.Block(1).AtomicAdd(k.Full(dtype.I32, 1, 1), at)
						}
						if most == 0 {
							k.ClusterGrid(total)
							take(id)
							return
						}
						k.ClusterGrid(total.Minimum(most))
						for number := range k.PersistentClusters(total) {
							take(number)
						}
					})
					if want := slices.Repeat([]uint32{1}, padded*columns); !slices.Equal(got[0], want) {
						t.Errorf("tiles were taken %v times", got[0])
					}
				})
			}
		}
	}
}

// TestClusterSchedule: a cluster has two programs at most, and is asked for before it is used.
func TestClusterSchedule(t *testing.T) {
	for what, describe := range map[string]func(k *tile.Builder){
		"three programs": func(k *tile.Builder) { k.Schedule(tile.Schedule{Cluster: 3}) },
		"less than none": func(k *tile.Builder) { k.Schedule(tile.Schedule{Cluster: -1}) },
		"a grid of programs": func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Cluster: 2})
			k.Grid(3)
			for range k.PersistentClusters(7) {
			}
		},
		"no grid of clusters any more": func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Cluster: 2})
			k.ClusterGrid(k.Int(2))
			for range k.PersistentClusters(7) {
			}
			k.Grid(1)
		},
		"changed too late":  func(k *tile.Builder) { k.ClusterID(); k.Schedule(tile.Schedule{Cluster: 2}) },
		"changed too late ": func(k *tile.Builder) { k.Schedule(tile.Schedule{Cluster: 2}); k.Cluster(); k.Schedule(tile.Schedule{}) },
	} {
		if _, err := tile.Build("k", describe); !errors.Is(err, fault.ErrKernel) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, want := (tile.Schedule{Producers: 1, Cluster: 2}).String(), "threads=0 stages=0 producers=1 cluster=2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestClusterSumStandsAlone: an exchange in a loop or a condition, of programs that may exit, or along a dimension that is not there or cannot be
// divided is refused, each with the reason.
func TestClusterSumStandsAlone(t *testing.T) {
	for what, c := range map[string]struct {
		describe func(k *tile.Builder, x *tile.Value)
		want     error
		text     string
	}{
		"sound": {func(k *tile.Builder, x *tile.Value) { x.ClusterSum(0) }, nil, ""},
		"in a loop": {func(k *tile.Builder, x *tile.Value) {
			for range k.Range(3) {
				x.ClusterSum(0)
			}
		}, fault.ErrKernel, "outside of loops and conditions"},
		"in a condition": {func(k *tile.Builder, x *tile.Value) { k.If(k.ProgramID(0).Gt(3), func() { x.ClusterSum(0) }) }, fault.ErrKernel, "outside of loops and conditions"},
		"with an exit": {func(k *tile.Builder, x *tile.Value) {
			k.Exit(k.ProgramID(0).Gt(3))
			x.ClusterSum(0)
		}, fault.ErrKernel, "without an exit"},
		"an odd dimension": {func(k *tile.Builder, x *tile.Value) { x.Reshape(1, 8, 4).ClusterSum(0) }, fault.ErrShape, "want a dimension that 2 divides"},
		"no dimension":     {func(k *tile.Builder, x *tile.Value) { x.ClusterSum(2) }, fault.ErrShape, "along axis 2"},
		"bytes":            {func(k *tile.Builder, x *tile.Value) { x.Cast(dtype.I8).ClusterSum(0) }, fault.ErrKernel, "a type of 4 bytes"},
	} {
		_, err := tile.Build("exchange", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Cluster: 2})
			out := k.Out("out", dtype.F32, 2)
			k.ClusterGrid(k.CDiv(out.Dim(0), 8))
			x := k.Zeros(dtype.F32, 8, 4)
			out.Block(8, 4).Store(x, 0, 0)
			c.describe(k, x)
		})
		if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v and %q", what, err, c.want, c.text)
		}
	}
}
