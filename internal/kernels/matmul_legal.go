package kernels

import (
	"errors"
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Legal says why a config for m rows is refused.
func (cfg MatMulConfig) Legal(caps target.Caps, m int) error {
	if err := checkPowers(cfg.BM, cfg.BN, cfg.BK); err != nil {
		return err
	}
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	if err := cfg.Consistent(); err != nil {
		return err
	}
	sums := 256 // of a thread, at most
	if scarce(caps) {
		sums = 64
	}
	sums /= cfg.sumWords()
	switch {
	case cfg.Epilogue != (Epilogue{}) || cfg.Atomic:
		return fmt.Errorf("a config that is chosen has no epilogue and no atomic sums")
	case cfg.SplitK < 0 || cfg.SplitK > 1<<12 || cfg.Stages < 0 || cfg.Stages > 8 || cfg.Persistent < 0:
		return fmt.Errorf("split %d, %d stages and %d persistent programs; want 0 to 4096, 0 to 8, and 0 or more", cfg.SplitK, cfg.Stages, cfg.Persistent)
	case cfg.SplitK > 1 && cfg.Batch == MaxBatch:
		return fmt.Errorf("a split of K with %d batch dimensions leaves no dimension for the partial sums", cfg.Batch)
	case cfg.SplitK > 1 && cfg.Persistent > 0:
		return fmt.Errorf("a split of K in persistent programs, want one of them")
	case cfg.Order.Kind > tile.GroupedColumns:
		return fmt.Errorf("the order %v is unknown", cfg.Order)
	case cfg.Producers > 0 && cfg.Interleave == 0 && (!cfg.TakesProducers(caps) || cfg.RowByRow || cfg.Stages < 1 || cfg.Threads != 2*cfg.BM && cfg.Threads != cfg.BM || cfg.Threads%128 != 0 || cfg.BN > 256):
		return fmt.Errorf("%s cannot serve tiles of %d×%d in %d threads, or operands that tensor maps do not copy", fault.Count(cfg.Producers, "producer"), cfg.BM, cfg.BN, cfg.Threads)
	case cfg.Consumers > 1 && (cfg.Producers == 0 || cfg.Persistent == 0 || cfg.Consumers > 3 || caps.MaxThreads > 0 && cfg.Consumers*cfg.Threads+warpgroup > caps.MaxThreads):
		return fmt.Errorf("%d consumer warpgroups of %d threads with %s in %d persistent programs; want at most 3 that fit a workgroup, a producer and persistent programs", cfg.Consumers, cfg.Threads, fault.Count(cfg.Producers, "producer"), cfg.Persistent)
	case cfg.InFlight > 1 && (cfg.Producers == 0 || cfg.InFlight > 2 || cfg.Stages < 2):
		return fmt.Errorf("%d outstanding products with %s and %s; want at most 2, a producer and 2 stages", cfg.InFlight, fault.Count(cfg.Producers, "producer"), fault.Count(cfg.Stages, "stage"))
	case cfg.Consumers < 0 || cfg.InFlight < 0:
		return fmt.Errorf("%d consumer warpgroups and %d outstanding products, want 0 or more", cfg.Consumers, cfg.InFlight)
	case cfg.Cluster < 0 || cfg.Cluster > 2 || cfg.Cluster == 2 && (!caps.Clusters || cfg.Producers == 0 || cfg.Persistent%2 != 0):
		return fmt.Errorf("clusters of %d for %d persistent programs with %s, on a device that has clusters: %v; want 0 to 2, and for 2 clusters, a producer and an even number of programs", cfg.Cluster, cfg.Persistent, fault.Count(cfg.Producers, "producer"), caps.Clusters)
	case cfg.ClusterK && (!caps.Clusters || cfg.Producers == 0):
		return fmt.Errorf("clusters that share K with %s, on a device that has clusters: %v; want clusters and a producer", fault.Count(cfg.Producers, "producer"), caps.Clusters)
	case cfg.Resident < 0 || cfg.Resident > 32:
		return fmt.Errorf("%d workgroups of a multiprocessor, want 0 to 32", cfg.Resident)
	case cfg.KMajor && (!caps.AsyncCopy || cfg.RowByRow || cfg.IsMatrix(caps) || cfg.Elem.Size() != 4):
		return fmt.Errorf("%v operands stay K-major in shared memory; want words, fused multiply-adds and asynchronous copies", cfg.Elem)
	case cfg.RowByRow && (cfg.BM > cfg.mostRowByRow() || cfg.BM < m && !cfg.byRuns()):
		return fmt.Errorf("%d rows, one by one, do not fit a tile of %d rows", m, cfg.BM)
	case !cfg.RowByRow && !cfg.FitsShared(caps):
		return fmt.Errorf("tiles of %d×%d by %d do not fit %d bytes of shared memory", cfg.BM, cfg.BN, cfg.BK, caps.SharedBytes)
	}
	if err := cfg.legalInterleave(caps); err != nil {
		return err
	}
	if cfg.Run > 1 && (!cfg.byRuns() || cfg.runElements() > runElements || !caps.WholeTiles && cfg.Threads*cfg.Run != cfg.BK) {
		return fmt.Errorf("runs of %d weights in blocks of %d×%d by %d threads; want a thread for each run of weights that are neighbours along K, with one scale, and at most %d sums and elements of rows", cfg.Run, cfg.BK, cfg.BN, cfg.Threads, runElements)
	}
	if cfg.byRuns() {
		if bytes := 4 * cfg.BM * cfg.BN * cfg.Threads; !caps.WholeTiles && bytes > caps.SharedBytes {
			return fmt.Errorf("sums of %d×%d results in %d threads are %d bytes of shared memory, of which there are %d", cfg.BM, cfg.BN, cfg.Threads, bytes, caps.SharedBytes)
		}
		return nil
	}
	if cfg.RowByRow {
		return checkArea(caps, cfg.BM*cfg.BK*cfg.BN, cfg.Threads)
	}
	if reason := cfg.noRegisters(caps); reason != "" && cfg.IsMatrix(caps) {
		return errors.New(reason)
	}
	if !caps.WholeTiles && cfg.Threads > 0 && cfg.BM*cfg.BN > sums*cfg.Threads {
		return fmt.Errorf("%d accumulators in %d threads, want at most %d a thread", cfg.BM*cfg.BN, cfg.Threads, sums)
	}
	return nil
}

// mostUnrolled are the most rows that a kernel has one by one, whatever that costs: its code is as long as there are rows.
const mostUnrolled = 64

// Consistent says which fields contradict each other, so that there is no kernel, or one that takes long to compile: what Tiles are refused for. What a device
// does not have, such as producers, kernels do without: see tile.Schedule.
func (cfg MatMulConfig) Consistent() error {
	switch {
	case cfg.RowByRow && cfg.BM > mostUnrolled:
		return fmt.Errorf("%d rows, one by one, want at most %d", cfg.BM, mostUnrolled)
	case cfg.Consumers > 1 && cfg.Producers == 0:
		return fmt.Errorf("%d consumer warpgroups with %s, want a producer for more than 1", cfg.Consumers, fault.Count(cfg.Producers, "producer"))
	case cfg.Strips < 0 || cfg.Strips > MostStrips || cfg.Strips > 1 && cfg.SliceK <= 1:
		return fmt.Errorf("%d strips of columns in %s of K, want at most %d, and several slices", cfg.Strips, fault.Count(max(cfg.SliceK, 1), "slice"), MostStrips)
	case cfg.RowPitch != 0 && (!pitches(cfg.RowPitch, cfg.BM) || cfg.Interleave == 0 || cfg.SliceK > 1 || cfg.Atomic):
		return fmt.Errorf("tiles of %d rows that are %d rows apart, for blocks of %d of weights, %s of K, atomic sums: %v; want a multiple of %d below the rows of a tile, weights that are the left operand, one slice and no atomic sums", cfg.BM, cfg.RowPitch, cfg.Interleave, fault.Count(max(cfg.SliceK, 1), "slice"), cfg.Atomic, tilePart)
	case cfg.ColumnPitch != 0 && (!pitches(cfg.ColumnPitch, cfg.BN) || cfg.Weights != (QuantView{}) || cfg.RowByRow || cfg.Atomic):
		return fmt.Errorf("tiles of %d columns that are %d columns apart, for quantised weights: %v, row by row: %v, atomic sums: %v; want a multiple of %d below the columns of a tile, and none of these", cfg.BN, cfg.ColumnPitch, cfg.Weights != (QuantView{}), cfg.RowByRow, cfg.Atomic, tilePart)
	case cfg.ClusterK && !cfg.mayShareK():
		return fmt.Errorf("clusters that share K with %d persistent programs, clusters of %d, K split in %d, row by row: %v, %d slices, in tiles of %d×%d sums of %v; want programs of one tile of 2 rows and 2 columns or more, sums of 4 bytes, and no other split", cfg.Persistent, cfg.Cluster, cfg.SplitK, cfg.RowByRow, cfg.SliceK, cfg.BM, cfg.BN, cfg.SumType())
	}
	return nil
}

// pitches reports whether tiles that hold so many rows or columns may be as far apart.
func pitches(pitch, size int) bool { return pitch > 0 && pitch < size && pitch%tilePart == 0 }

// mayShareK reports whether nothing else of a config divides the reduction of a tile, or gives programs several, and each program of a cluster can have a part of the sums.
func (cfg MatMulConfig) mayShareK() bool {
	known := cfg.Elem != dtype.Invalid // not of a config that is yet to be completed
	parts := cfg.BM != 1 && (cfg.BN != 1 || cfg.sharedAxis() == 0) && (!known || cfg.SumType().Size() == 4)
	return cfg.Persistent == 0 && cfg.Cluster <= 1 && cfg.SplitK <= 1 && !cfg.RowByRow && cfg.SliceK <= 1 && cfg.Consumers <= 1 && parts
}

// mostRowByRow is the most rows that a config computes one by one.
func (cfg MatMulConfig) mostRowByRow() int {
	if cfg.Weights.Bits > 0 {
		return mostWeightRows
	}
	return MaxRowByRow
}
