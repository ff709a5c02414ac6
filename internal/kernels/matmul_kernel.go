package kernels

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// MatMul is the kernel of MatMul and QuantizedMatMul; its views are a […,M,K], b […,K,N] or the data, the scales and
// the zeros, if asymmetric, of a quantised b [K,N], the epilogue's
// tensors and out […,M,N], with cfg.Gated another right operand up after b, or out [SplitK,…,M,N] of partial sums without an epilogue where cfg.Partial says so.
// All have the same leading dimensions; what an operand repeats has stride 0.
var MatMul = weft.NewKernel("matmul", DescribeMatMul)

// DescribeMatMul describes the kernel MatMul, for those who build it anew.
func DescribeMatMul(k *tile.Builder, cfg MatMulConfig) {
	rank := cfg.Batch + 2
	a, b := k.In("a", cfg.Elem, rank), cfg.declareB(k)
	right := []factor{b}
	if cfg.Gated {
		right = append(right, plain{k.In("up", cfg.Elem, rank)})
	}
	schedule := tile.Schedule{Threads: cfg.Threads, Stages: cfg.Stages, Producers: cfg.Producers, Consumers: cfg.Consumers, InFlight: cfg.InFlight, Cluster: cfg.Cluster, Resident: cfg.Resident, KMajor: cfg.KMajor, Order: cfg.Order}
	if cfg.ClusterK {
		schedule.Cluster = clusterPrograms
	}
	if !cfg.Partial() { // else the result tells
		schedule.SplitK = cfg.SplitK
	}
	if cfg.RowByRow && cfg.Stages > 1 && !cfg.byRuns() { // whose steps have the blocks of all stages
		schedule.Resident, schedule.Stages = residentStreams, 1
	}
	k.Schedule(schedule)
	out, store := cfg.declareResult(k)
	if !cfg.Padded {
		k.Require(a.Dim(cfg.Batch).Eq(out.Dim(out.Rank - 2)))
		for _, b := range right {
			b.require(k, a.Dim(cfg.Batch+1), out.Dim(out.Rank-1))
		}
	}
	// The coordinate of the only tile is stated so that what is known of its rows, or columns, is found.
	only := [2]bool{cfg.MostRows > 0, cfg.MostColumns > 0}
	if only[0] {
		k.Require(a.Dim(cfg.Batch).Le(cfg.MostRows))
	}
	if only[1] {
		k.Require(b.(plain).Dim(cfg.Batch + 1).Le(cfg.MostColumns))
	}
	for at := range cfg.tiles(k, out) {
		for d, is := range only {
			if is {
				at[cfg.Batch+d] = k.Int(0)
			}
		}
		for d, pitch := range []int{cfg.RowPitch, cfg.ColumnPitch} {
			if pitch > 0 {
				at[cfg.Batch+d] = span{at[cfg.Batch+d].(*tile.Value).Mul(pitch), pitch}
			}
		}
		switch {
		case cfg.byRuns():
			cfg.sumRuns(k, a, b.(*quantTiles), at, store)
		case cfg.RowByRow:
			cfg.rowSums(k, a, right, at, store)
		case cfg.SliceK > 1:
			cols := cfg.stripsAt(at[1])
			for i, sums := range cfg.slicedSums(k, a, b.(*quantTiles), at[0], cols) {
				cfg.storeSums(k, sums, []tile.Operand{at[0], cols[i]}, store)
			}
		case cfg.Interleave > 0:
			cfg.storeSums(k, cfg.interleavedSums(k, a, b.(*quantTiles), at), at, store)
		default:
			cfg.storeSums(k, cfg.sums(k, a, b, at), at, store)
		}
	}
}

// clusterPrograms are the programs of a cluster.
const clusterPrograms = 2

// storeSums stores a tile of sums, or, where a cluster shares them, this program's part of the whole: some columns of what matrix instructions compute, which each
// of their threads has some of. Of weights that are the left operand these are rows.
func (cfg MatMulConfig) storeSums(k *tile.Builder, sums *tile.Value, at []tile.Operand, store storeFunc) {
	size := [2]int{cfg.BM, cfg.BN}
	if cfg.ClusterK {
		_, rank := k.ClusterID()
		axis := cfg.sharedAxis()
		size[axis] /= clusterPrograms
		at = slices.Clone(at)
		at[cfg.Batch+axis] = sharePart(at[cfg.Batch+axis], rank, size[axis])
		sums = sums.ClusterSum(axis)
	}
	store(sums, size, at)
}

// sharePart is the coordinate of the part of a tile that the program of a rank stores, of so many elements.
func sharePart(at tile.Operand, rank *tile.Value, size int) tile.Operand {
	if s, is := at.(span); is {
		before := rank.Mul(size)
		return span{before.Add(s.from), before.Neg().Add(s.most)}
	}
	return rank.Add(at.(*tile.Value).Mul(clusterPrograms))
}

// sharedAxis is the dimension of a tile of which each program of a cluster stores a part.
func (cfg MatMulConfig) sharedAxis() int {
	if cfg.Interleave > 0 {
		return 0
	}
	return 1
}

// partsOfK are the parts of the reduction of a tile that different programs have.
func (cfg MatMulConfig) partsOfK() int {
	if cfg.ClusterK {
		return clusterPrograms
	}
	return max(cfg.SplitK, 1)
}

// steps describes the loop over a program's part of n steps of K.
func (cfg MatMulConfig) steps(k *tile.Builder, n *tile.Value) iter.Seq[*tile.Value] {
	if cfg.ClusterK {
		return k.ClusterRange(n)
	}
	return k.SplitRange(n)
}

// Partial reports whether programs store partial sums.
func (cfg MatMulConfig) Partial() bool { return cfg.SplitK > 1 && !cfg.Atomic }

// SumType is the type of a config's sums.
func (cfg MatMulConfig) SumType() weft.DType { return scalarType(cfg.Elem) }

// storeFunc stores a tile of sums with so many rows and columns at coordinates counted in such tiles.
type storeFunc func(sums *tile.Value, size [2]int, at []tile.Operand)

// declareResult declares the result and returns it with what stores sums in it.
func (cfg MatMulConfig) declareResult(k *tile.Builder) (out *tile.View, store storeFunc) {
	if cfg.Partial() {
		parts := k.Out("out", cfg.SumType(), cfg.Batch+3)
		k.SplitInto(parts.Dim(0)) // how many parts there are depends on the sizes: one kernel for all
		return parts, func(sums *tile.Value, size [2]int, at []tile.Operand) {
			storeMatrix(parts, sums, size[0], size[1], append([]tile.Operand{k.SplitID()}, at...), false)
		}
	}
	end := cfg.Epilogue.declare(k, cfg.Out, cfg.Batch)
	return end.out, func(sums *tile.Value, size [2]int, at []tile.Operand) {
		storeMatrix(end.out, end.finish(sums, size[0], size[1], at), size[0], size[1], at, cfg.Atomic)
	}
}

// tiles describes what follows for each tile that is this program's, of a result whose last dimensions are
// the batch and the matrices: coordinates in the batch, of tiles in the rows and in the columns.
func (cfg MatMulConfig) tiles(k *tile.Builder, out *tile.View) iter.Seq[[]tile.Operand] {
	first := out.Rank - cfg.Batch - 2
	if cfg.Persistent == 0 && k.Cluster() == 1 && !cfg.Together {
		block := blockOf(out.Rank, cfg.rows(), cfg.width())
		clear(block[:first])
		return func(yield func([]tile.Operand) bool) { yield(k.ProgramTile(out, block...)[first:]) }
	}
	return func(yield func([]tile.Operand) bool) {
		rows, columns := k.CDiv(out.Dim(out.Rank-2), cfg.rows()*max(cfg.Cluster, 1)), k.CDiv(out.Dim(out.Rank-1), cfg.width()) // of a cluster's tiles
		plane := rows.Mul(columns)
		total := plane
		for d := range cfg.Batch {
			total = total.Mul(out.Dim(first + d))
		}
		each := func(n *tile.Value) {
			at, others := make([]tile.Operand, cfg.Batch+2), cfg.Batch
			if cfg.Together {
				others--
				at[others], n = n.Rem(out.Dim(first+others)), n.Div(out.Dim(first+others))
			}
			number := n
			if others > 0 {
				number, n = n.Rem(plane), n.Div(plane)
			}
			row, column := k.TileAt(number, rows, columns)
			at[cfg.Batch], at[cfg.Batch+1] = cfg.rowInCluster(k, row), column
			for d := others - 1; d >= 0; d-- {
				at[d] = n
				if d > 0 {
					at[d], n = n.Rem(out.Dim(first+d)), n.Div(out.Dim(first+d))
				}
			}
			yield(at)
		}
		if cfg.Persistent == 0 {
			k.ClusterGrid(total)
			cluster, _ := k.ClusterID()
			each(cluster)
			return
		}
		k.ClusterGrid(total.Minimum(max(cfg.Persistent/k.Cluster(), 1)))
		for n := range k.PersistentClusters(total) {
			each(n)
		}
	}
}

// rowInCluster is the row of this program's tile, given that of its cluster's.
func (cfg MatMulConfig) rowInCluster(k *tile.Builder, row *tile.Value) *tile.Value {
	if cfg.Cluster <= 1 {
		return row
	}
	_, rank := k.ClusterID()
	return row.Mul(cfg.Cluster).Add(rank)
}

// sums computes the tile [BM,BN] of the product at the given coordinates, or this
// program's part of its sums.
func (cfg MatMulConfig) sums(k *tile.Builder, a *tile.View, b factor, at []tile.Operand) *tile.Value {
	batch, row, col := at[:cfg.Batch], at[cfg.Batch], at[cfg.Batch+1]
	sum := k.Var(k.Zeros(cfg.SumType(), cfg.BM, cfg.BN))
	for i := range cfg.steps(k, k.CDiv(a.Dim(cfg.Batch+1), cfg.BK)) {
		x := matrixBlock(a, slices.Concat(batch, []tile.Operand{row, i}), cfg.BM, cfg.BK)
		y := b.load(slices.Concat(batch, []tile.Operand{i, col}), cfg.BK, cfg.BN).Cast(cfg.Elem)
		sum.Set(tile.Dot(x, y, sum.Get(), cfg.Precision))
	}
	return b.finish(sum.Get(), col)
}

// rowSums computes the same for one row after the other. A block of b goes from memory to registers, where it
// meets the elements of each row; the sums of a block's rows are added once, after the loop. So
// every element of b is read once, in long vectors, and shared memory not at all. A gate's two right operands meet the same elements.
func (cfg MatMulConfig) rowSums(k *tile.Builder, a *tile.View, right []factor, at []tile.Operand, store storeFunc) {
	batch, row, col := at[:cfg.Batch], at[cfg.Batch], at[cfg.Batch+1]
	rowAt := func(r int) *tile.Value { return k.Int(cfg.BM).Mul(row).Add(r) }
	sums := make([][]*tile.Var, len(right)) // of each operand and row
	for i := range sums {
		for range cfg.BM {
			sums[i] = append(sums[i], k.Var(k.Zeros(cfg.SumType(), cfg.BK, cfg.BN)))
		}
	}
	stages := max(cfg.Stages, 1) // blocks on their way at once
	for i := range k.SplitRange(k.CDiv(a.Dim(cfg.Batch+1), stages*cfg.BK)) {
		ys, xs := make([][]*tile.Value, stages), make([][]*tile.Value, stages)
		for s := range stages {
			at := i
			if stages > 1 {
				at = i.Mul(stages).Add(s)
			}
			for _, b := range right {
				ys[s] = append(ys[s], b.load(slices.Concat(batch, []tile.Operand{at, col}), cfg.BK, cfg.BN))
			}
			for r := range cfg.BM {
				xs[s] = append(xs[s], matrixBlock(a, slices.Concat(batch, []tile.Operand{rowAt(r), at}), 1, cfg.BK))
			}
		}
		for s := range ys {
			for i, y := range ys[s] {
				y = y.Cast(cfg.SumType())
				for r, sum := range sums[i] {
					sum.Set(multiplyAdd(y, xs[s][r].Cast(cfg.SumType()).Reshape(cfg.BK, 1), sum.Get()))
				}
			}
		}
	}
	for r := range cfg.BM {
		x := right[0].finish(sums[0][r].Get().Sum(0), col)
		if cfg.Gated {
			x = tile.SiLU(x).Mul(right[1].finish(sums[1][r].Get().Sum(0), col))
		}
		store(x, [2]int{1, cfg.BN}, slices.Concat(batch, []tile.Operand{rowAt(r), col}))
	}
}

// MaxGated is the most rows of a product that a gate is computed with in one kernel: of more, two operands leave too few registers for outstanding loads. (F16 ×14336×4096 on an
// H100, µs in one launch and in two: 1 row 75, 82; 2 rows 76, 83; 4 rows 99, 94.)
const MaxGated = 2

// ForGate is a config of a product of few rows for a kernel that computes two of them, with as many accumulators and outstanding loads, while
// a thread has vectors along the reduction; ok says that there is one.
func (cfg MatMulConfig) ForGate() (gated MatMulConfig, ok bool) {
	if !cfg.RowByRow || cfg.BM > MaxGated || cfg.SplitK > 1 || cfg.Batch > 0 || cfg.Weights != (QuantView{}) || !cfg.Elem.IsFloat() {
		return cfg, false
	}
	cfg.Gated = true
	switch {
	case cfg.BN > 1 && cfg.BK > cfg.BN*cfg.BN: // long runs stay long
		cfg.BN /= 2
	case cfg.BK >= 16:
		cfg.BK /= 2
	case cfg.Stages > 1:
		cfg.Stages /= 2
	}
	return cfg, true
}

// multiplyAdd is x * y + z.
func multiplyAdd(x, y, z *tile.Value) *tile.Value {
	if z.Type().Elem.IsFloat() {
		return x.FMA(y, z)
	}
	return x.Mul(y).Add(z)
}
