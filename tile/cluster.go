package tile

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft/dtype"
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
//
// Or they share one reduction: each sums a part of its terms, in a loop over ClusterRange, and gets a part of the sums by ClusterSum, without a workspace and
// a second kernel as split-K has them.

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

// ClusterRange describes a loop over this program's part of the iterations i = 0, 1, … n-1 of a reduction, which the programs of a cluster share: each takes
// a run of them, of one length but for the last. With one program it is Range.
//
//	for i := range k.ClusterRange(k.CDiv(a.Dim(1), 32)) {
//		sum.Set(tile.Dot(as.Load(row, i), bs.Load(i, column), sum.Get(), tile.IEEE))
//	}
//	_, rank := k.ClusterID()
//	out.Block(64/k.Cluster(), 64).Store(sum.Get().ClusterSum(0), row.Mul(k.Cluster()).Add(rank), column)
func (k *Builder) ClusterRange(n Operand) iter.Seq[*Value] {
	if k.Cluster() == 1 {
		return k.Range(n)
	}
	_, rank := k.ClusterID()
	return k.partRange(k.operand("n", n, dtype.I32), rank, k.Cluster())
}

// ClusterSum adds the tiles v of the programs of a cluster, element by element, and gives each of them a part of the sum: the tile is divided along the axis into
// Cluster() parts, of which a program gets that of its rank. With one program it is v.
//
// All programs of a cluster have to come to it, so it stands neither in the body of a loop nor in that of a condition, and the kernel has no Exit. The grid is one of ClusterGrid.
// Devices without clusters (target.Caps.Clusters) refuse a kernel that has it with a schedule that asks for clusters: ErrUnsupported.
func (v *Value) ClusterSum(axis int) *Value {
	k := v.b
	n, shape := k.Cluster(), v.typ.Shape
	if v.typ.Elem == dtype.Invalid {
		return v
	}
	if axis < 0 || axis >= len(shape) || shape[axis]%n != 0 {
		k.fail(fault.New(fault.ErrShape, "cluster_sum", "parts of %v along axis %d for clusters of %d programs, want a dimension that %d divides", v.typ, axis, n, n))
		return v
	}
	if n == 1 {
		return v
	}
	k.shares.taken, k.shares.pos = true, callerPos()
	return k.named("cluster_sum", func() *Value {
		_, rank := k.ClusterID()
		own, others := v.halves(axis)
		second := rank.Eq(1)
		mine, theirs := k.Where(second, others, own), k.Where(second, own, others)
		return mine.Add(theirs.peer())
	})
}

// halves are the two parts of a tile along an axis.
func (v *Value) halves(axis int) (first, second *Value) {
	shape := v.typ.Shape
	split := slices.Insert(slices.Clone(shape), axis+1, shape[axis]/2)
	split[axis] = 2
	perm := make([]int, 0, len(split))
	for d := range split {
		if d != axis {
			perm = append(perm, d)
		}
	}
	return v.Reshape(split...).Permute(append(perm, axis)...).Split()
}

// peer is the tile that the other program of a cluster of two has for v.
func (v *Value) peer() *Value { return v.b.emit(&Op{Kind: OpPeer, Args: []*Value{v}}, Type{}) }

func rulePeer(op *Op, _ Type) (Type, error) {
	t := op.Args[0].typ
	if t.IsScalar() || t.Elem == dtype.Bool || t.Elem.Size() != 4 {
		return Type{}, kernelError(op, "the operand is %v, want a tile of a type of 4 bytes", t)
	}
	return t, nil
}

// clusterShares is what is known of the shares that clusters take.
type clusterShares struct {
	grid  *Value // of whole clusters, nil if there is none
	taken bool   // by PersistentClusters or ClusterSum
	pos   Pos
}

// finishClusters checks that all clusters whose shares are taken are whole: what the programs of half a cluster leave out, nobody would do.
func (k *Builder) finishClusters() {
	if k.shares.taken && k.Cluster() > 1 && (k.shares.grid == nil || k.kernel.Grid[0] != k.shares.grid) {
		k.fail(fault.New(fault.ErrKernel, "clusters", "the grid is not one of clusters: declare it by ClusterGrid").At(k.shares.pos.String()))
	}
}
