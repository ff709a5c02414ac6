package tile

// Programs of a cluster run at one time and share what they load. They are neighbours along the first dimension of the grid, whose size
// is to be a multiple of the cluster's. A kernel that numbers its work by clusters gives them tiles that have a row or a column in common:
//
//	pairs := k.CDiv(rows, k.Cluster()) // of rows of tiles
//	k.Grid(pairs.Mul(columns).Mul(k.Cluster()))
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
