package tile

import (
	"iter"

	"github.com/weftgpu/weft/fault"
)

// Programs of a cluster run at one time and share what they load. They are neighbours along the first dimension of the grid, whose size
// is to be a multiple of the cluster's. A kernel that numbers its work by clusters gives them tiles that have a row or a column in common:
//
//	pairs := k.CDiv(rows, k.Cluster()) // of rows of tiles
//	k.ClusterGrid(pairs.Mul(columns))
//	cluster, rank := k.ClusterID()
//	pair, column := k.TileAt(cluster, pairs, columns)
//	row := pair.Mul(k.Cluster()).Add(rank)
//
// What it loads then at coordinates that the rank takes no part in is the same in all of them.

// maxCluster is the largest cluster that a schedule may ask for.
const maxCluster = 2

// Cluster is the number of programs of a cluster, 1 at least.
func (k *Builder) Cluster() int { return max(1, k.schedule().Cluster) }

// ClusterID is the number of this program's cluster and this program's rank in it, from 0 to Cluster() - 1.
func (k *Builder) ClusterID() (cluster, rank *Value) {
	id := k.ProgramID(0)
	if k.Cluster() == 1 {
		return id, k.Int(0)
	}
	return id.Div(k.Cluster()), id.Rem(k.Cluster())
}

// ClusterGrid declares a grid of one dimension of n clusters of programs, of programs if there are no clusters.
func (k *Builder) ClusterGrid(n *Value) {
	if k.Cluster() > 1 {
		n = n.Mul(k.Cluster())
	}
	k.Grid(n)
	k.shares.grid = k.kernel.Grid[0]
}

// PersistentClusters describes a loop over a cluster's share of pieces of work that are numbered from 0 to before total, as Persistent does over a
// program's: all programs of the cluster get the same numbers. The grid is one of ClusterGrid.
func (k *Builder) PersistentClusters(total Operand) iter.Seq[*Value] {
	if k.Cluster() == 1 {
		return k.Persistent(total)
	}
	k.shares.taken, k.shares.pos = true, callerPos()
	cluster, _ := k.ClusterID()
	return k.RangeStep(cluster, total, k.NumPrograms(0).Div(k.Cluster()))
}

// clusterShares is what is known of the shares that clusters take.
type clusterShares struct {
	grid  *Value // of whole clusters, nil if there is none
	taken bool   // by PersistentClusters
	pos   Pos
}

// finishClusters checks that all clusters whose shares are taken are whole: what the programs of half a cluster leave out, nobody would do.
func (k *Builder) finishClusters() {
	if k.shares.taken && (k.shares.grid == nil || k.kernel.Grid[0] != k.shares.grid) {
		k.fail(fault.New(fault.ErrKernel, "persistent clusters", "the grid is not one of clusters: declare it by ClusterGrid").At(k.shares.pos.String()))
	}
}
