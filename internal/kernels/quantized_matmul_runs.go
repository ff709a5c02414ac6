package kernels

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A few rows wait for their weights. Row by row, a thread has a sum for each weight of its own and each row, so that several rows leave registers for few weights, and
// each column loads the elements of all rows anew. With runs a thread multiplies the Run weights that it has of a column one after the other, and has a sum for
// each column and row: it keeps the elements of the rows while it goes through the columns, converts a weight once for all rows, and multiplies
// sums of runs, not weights, by the scales of groups.

const (
	runElements = 160 // sums of a thread and elements of the rows that it holds, at most
	runColumns  = 4   // columns of a program, at most
	runThreads  = 64  // threads of a program: more of them have more sums to add at the end, and wait for one another
	runPrograms = 16  // programs of a unit that are enough if each has half as many threads, where those exchange sums through shared memory
	rowPrograms = 4   // the same of more rows, whose threads compute for longer
	runBytes    = 32  // bytes of a row of a run
	runsAhead   = 4   // the most rows with which the loads of a step are under way while a thread computes the one before
)

// runElements are the sums and the rows' elements that a thread holds.
func (cfg MatMulConfig) runElements() int { return cfg.BM * (cfg.BN + cfg.Run) }

// mostRunRows are the most rows by runs where cooperative matrices multiply more of them as fast.
const mostRunRows = 4

// byRuns reports whether a config multiplies by runs: of weights that are neighbours along K, whose scales are those of whole runs.
func (cfg MatMulConfig) byRuns() bool {
	w := cfg.Weights
	return cfg.RowByRow && cfg.Run > 1 && !cfg.Gated && w.Bits > 0 && (w.Bits == 8 || w.Packed == 0) && cfg.BK%cfg.Run == 0 && w.Block[0]%cfg.Run == 0
}

// fitRuns chooses blocks for products of a few rows by runs and reports whether there are any: a run is 32 bytes of a row, or 16, for which a thread loads words
// of weights. Programs have so many columns that there are enough of them.
func (cfg *MatMulConfig) fitRuns(caps target.Caps, fastest, m, n, k int) bool {
	c := *cfg
	c.RowByRow, c.BM, c.Run = true, min(pow2.Ceil(max(m, 1)), mostWeightRows), runBytes/c.Elem.Size()
	most, tiles := 2*mostWeightRows, *cfg // of twice as many rows weights are read and converted twice, which takes less than tiles do
	switch tiles.BM, tiles.BN, tiles.BK = fewMatrixRows, 64, 64; {
	case tiles.IsCooperative(caps):
		most = mostRunRows
	case tiles.IsMatrix(caps): // whose threads wait for loads of words
		return false
	}
	if scarce(caps) || caps.WholeTiles || fastest != 0 || m > most || c.Elem.Size() > 2 {
		return false
	}
	if c.Weights.Block[0]%c.Run != 0 {
		c.Run /= 2
	}
	for c.Threads = caps.FitThreads(runThreads); c.Threads > 32 && c.Threads/2*c.Run >= k; {
		c.Threads /= 2
	}
	units := caps.Facts().Units
	for c.BN = runColumns; c.BN > 1 && (c.runElements() > runElements || c.BN/2 >= n || n < 2*c.BN*units); {
		c.BN /= 2
	}
	programs := CeilDiv(n, c.BN)
	enough := runPrograms * units
	if c.Stages = 1; c.BM <= runsAhead && programs < enough { // else other programs compute while one waits, for which registers have room
		c.Stages = 2
	}
	if c.BM > runsAhead {
		enough = rowPrograms * units
	}
	if half := c.Threads / 2; caps.SubgroupSize == 0 && half >= 32 && programs >= enough {
		c.Threads = half
	}
	c.BK = c.Run * c.Threads
	steps := c.BK
	if c.fitBlocks(); !c.byRuns() || c.BK != steps {
		return false
	}
	c.split(2*units, 4*c.BK, 1, m, n, k)
	*cfg = c
	return true
}

// withRuns are the same product by other blocks of runs.
func (cfg MatMulConfig) withRuns(caps target.Caps) (list []MatMulConfig) {
	for c := range combinations([]int{32, 64, 128}, []int{2, 4, 8, 16}, []int{1, 2}, []int{1, 2}) {
		other := cfg
		other.Threads, other.BN, other.Stages, other.Run = c[0], c[1], c[2], c[3]*16/cfg.Elem.Size()
		if caps.FitThreads(c[0]) == c[0] && other.byRuns() && other.runElements() <= runElements {
			other.BK = other.Run * other.Threads
			list = append(list, other)
		}
	}
	return list
}

// sumRuns computes the tile [BM,BN] of the product by runs, or this program's part of its sums. Threads share K alone: each column is a block of its own, of which a
// thread has as many neighbouring weights as it has of the rows' elements.
func (cfg MatMulConfig) sumRuns(k *tile.Builder, a *tile.View, w *quantTiles, at []tile.Operand, store storeFunc) {
	batch, row, col := at[:cfg.Batch], at[cfg.Batch], at[cfg.Batch+1]
	runs := cfg.BK / cfg.Run
	sums := make([]*tile.Var, cfg.BM*cfg.BN)
	for i := range sums {
		sums[i] = k.Var(k.Zeros(dtype.F32, runs, 1))
	}
	for i := range k.SplitRange(k.CDiv(a.Dim(cfg.Batch+1), cfg.BK)) {
		var rows [][]*tile.Value
		for r := range cfg.BM {
			x := matrixBlock(a, slices.Concat(batch, []tile.Operand{within(k, k.Int(cfg.BM).Mul(row).Add(r), a.Dim(cfg.Batch)), i}), 1, cfg.BK)
			rows = append(rows, split(x.Cast(dtype.F32).Reshape(runs, cfg.Run)))
		}
		for c := range cfg.BN {
			place := []tile.Operand{i, within(k, w.coord(col).Mul(cfg.BN).Add(c), w.data.Dim(1))}
			weights := split(w.numbers([2]int{cfg.BK, 1}, place).Reshape(runs, cfg.Run))
			scale := w.scaleOfRuns(runs, cfg.Run, place)
			for r, row := range rows {
				sum := sums[r*cfg.BN+c]
				if scale == nil {
					sum.Set(dotRun(weights, row, sum.Get()))
				} else {
					sum.Set(dotRun(weights, row, nil).FMA(scale, sum.Get()))
				}
			}
		}
	}
	list := make([]*tile.Value, len(sums))
	for i, sum := range sums {
		list[i] = sum.Get()
	}
	store(w.finish(cfg.addRuns(list), col), [2]int{cfg.BM, cfg.BN}, slices.Concat(batch, []tile.Operand{row, col}))
}

// addRuns is the tile [BM,BN] of the sums of all runs, of which there is a tile [runs,1] for each row and column. All meet in shared memory at once: threads wait
// for one another once, not for each row. A thread adds those of one result, or a part of them where there are more threads than results.
func (cfg MatMulConfig) addRuns(list []*tile.Value) *tile.Value {
	runs, results := cfg.BK/cfg.Run, len(list)
	parts := min(max(cfg.Threads/results, 1), runs)
	list = split(join(list).Reshape(parts, runs/parts, results).Permute(0, 2, 1))
	for half := len(list) / 2; half > 0; half /= 2 {
		for i := range half {
			list[i] = list[i].Add(list[half+i])
		}
	}
	return list[0].Reshape(parts, results).Sum(0).Reshape(cfg.BM, cfg.BN)
}

// within is a coordinate, or the last one of so many. Rows and columns beyond the result are computed like the last ones, without masks, and not stored.
func within(k *tile.Builder, x, count *tile.Value) *tile.Value {
	x = x.Minimum(count.Sub(1))
	k.Assume(x.Ge(0).And(x.Lt(count)))
	return x
}

// dotRun adds the products of two runs, one after the other, to a sum, nil for none.
func dotRun(x, y []*tile.Value, sum *tile.Value) *tile.Value {
	for i := range x {
		if sum == nil {
			sum = x[i].Mul(y[i])
		} else {
			sum = x[i].FMA(y[i], sum)
		}
	}
	return sum
}

// scaleOfRuns is the scale of each run of a block of one column, in which all elements of a run have one; nil where the sums of columns are scaled.
func (w *quantTiles) scaleOfRuns(runs, run int, at []tile.Operand) *tile.Value {
	if !w.Scaled() {
		return nil
	}
	of := *w
	if of.Block[0] > 0 {
		of.Block[0] /= run
	}
	if of.Block[1] == 1 {
		at = []tile.Operand{at[0], within(w.k, w.coord(at[1]), w.scales.Dim(1))}
	}
	return of.scale([2]int{runs, 1}, at)
}
