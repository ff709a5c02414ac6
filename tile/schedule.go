package tile

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft/fault"
)

// Schedule holds attributes that steer how a kernel is mapped to a machine and never
// change what it means. The zero value leaves everything to the compiler.
type Schedule struct {
	// Threads of a workgroup on a GPU, a power of two; 0 lets the compiler choose: 256, and more
	// where the kernel has tiles so wide that each would hold too many elements. (Threads
	// and not warps, since subgroups have other sizes on other devices: Triton's num_warps=4
	// is 128 threads.)
	Threads int
	// Stages is the number of pipeline stages of a loop: 1 loads what an
	// iteration needs when it starts, 2 loads it while the iteration before
	// computes; 0 lets the compiler choose. There are at most 64.
	Stages int
	// Producers asks for producer warps in addition to Threads, which only copy the blocks that loops load for their products, by
	// tensor-map descriptors, Stages iterations ahead (warp specialisation). It is the number of producer warpgroups, 0 or 1.
	// Devices without tensor maps ignore it, and so do loads that no tensor map can serve.
	Producers int
	// Consumers is the number of consumer groups of Threads threads in a persistent kernel with producers (a ping-pong schedule): each
	// computes its own tiles, and stores one while another group multiplies. 0 and 1 are one group. Kernels also have one group if they have no
	// loop over tiles, or if its iterations depend on each other or may store to the same addresses (see Builder.Persistent).
	Consumers int
	// InFlight is the number of iterations with outstanding wgmma in loops whose blocks producers or asynchronous copies bring: with 2, warpgroups start
	// the products of an iteration before they wait for those of the iteration before, which keeps one more stage occupied. 0 lets the compiler choose:
	// 2 where all threads copy, in four stages or more, and else 1. Where products depend on others of the same iteration and producers copy, the others begin
	// before the dependent ones of the iteration before.
	InFlight int
	// Cluster asks that this many neighbouring programs run at the same time and copy what all of them load once, to each of them (multicast): 2, or 0
	// and 1 for none. It needs Producers. A kernel says by Builder.ClusterID which tiles are neighbours; the compiler finds what the programs
	// of a cluster load at the same coordinates. Devices without clusters ignore it, as do kernels that load nothing in common; but those whose programs
	// add their sums (Value.ClusterSum) need clusters, with producers or without.
	Cluster int
	// Resident is the number of workgroups that should share a multiprocessor: a thread may have as many registers as that allows, for example
	// to have more outstanding loads. 0 leaves it to the device's compiler, which prefers many workgroups. Of kernels with producers no more share it than
	// have room for their sums and stages, and by 0 no more than have 256 threads that multiply.
	Resident int
	// KMajor asks that operands of fused multiply-adds that are contiguous along K in global memory have that order in shared memory, too.
	// Asynchronous copies are of 16 bytes then instead of 4, and a thread holds elements of 4 steps along K in its registers. Without it operands
	// are transposed on the way. Devices without asynchronous copies ignore it, as do operands that are not of words or not aligned to 16 bytes.
	KMajor bool
	// Order is the order in which programs take tiles: see Builder.TileID.
	Order Order
	// SplitK is the number of programs that share the reduction of each tile of the
	// result: see Builder.SplitRange. 0 and 1 are one program.
	SplitK int
}

// String prints "threads=128 stages=2 order=grouped_rows(8) split_k=4"; what is
// left out is the default.
func (s Schedule) String() string {
	text := fmt.Sprintf("threads=%d stages=%d", s.Threads, s.Stages)
	if s.Producers > 0 {
		text += fmt.Sprintf(" producers=%d", s.Producers)
	}
	if s.Consumers > 1 {
		text += fmt.Sprintf(" consumers=%d", s.Consumers)
	}
	if s.InFlight > 0 {
		text += fmt.Sprintf(" in_flight=%d", s.InFlight)
	}
	if s.Cluster > 1 {
		text += fmt.Sprintf(" cluster=%d", s.Cluster)
	}
	if s.Resident > 0 {
		text += fmt.Sprintf(" resident=%d", s.Resident)
	}
	if s.KMajor {
		text += " k_major"
	}
	if s.Order != (Order{}) {
		text += fmt.Sprintf(" order=%v", s.Order)
	}
	if s.SplitK > 1 {
		text += fmt.Sprintf(" split_k=%d", s.SplitK)
	}
	return text
}

// OrderKind is the order of the tiles of a plane of rows × columns.
type OrderKind uint8

// The orders. Programs that run at the same time are neighbours in the order; where
// those share rows as well as columns, what they read stays in the second-level
// cache. That is what groups are for (the grouped, or swizzled, ordering of Triton's
// matrix multiplication tutorial).
const (
	RowMajor       OrderKind = iota // along a row, then the next row
	ColumnMajor                     // down a column, then the next column
	GroupedRows                     // down the column within a group of rows, then the next column, then the next group
	GroupedColumns                  // along the row within a group of columns, then the next row, then the next group
)

// Order is the order in which consecutive programs take the tiles of a plane.
type Order struct {
	Kind OrderKind
	// Group is the number of rows or columns of a group, for the grouped kinds alone. The last group may be
	// smaller. Group times the tiles across the group must be less than 2^31: a launch checks it (ErrLimit)
	// where the numbers of tiles follow from sizes and scalars.
	Group int
	// Grid2D makes the grid one of two dimensions instead of one of a single dimension, of
	// which the first runs fastest; row-major and column-major coordinates are the program's then,
	// without a division.
	Grid2D bool
}

// grouped reports whether the order has groups.
func (o Order) grouped() bool { return o.Kind == GroupedRows || o.Kind == GroupedColumns }

// String prints "grouped_rows(8)", with "/2d" after it for a grid of two dimensions.
func (o Order) String() string {
	text := "invalid"
	if o.Kind <= GroupedColumns {
		text = [...]string{"row_major", "column_major", "grouped_rows", "grouped_columns"}[o.Kind]
	}
	if o.grouped() {
		text += fmt.Sprintf("(%d)", o.Group)
	}
	if o.Grid2D {
		text += "/2d"
	}
	return text
}

// maxStages is the most stages that a schedule may ask for: the compiler unrolls loads that run ahead by stages, and its time grows with the square of their number.
const maxStages = 64

// Schedule sets attributes that steer the mapping to a machine. It comes before
// what they act on: TileID, TileAt, ProgramTile, SplitID, SplitRange, Accumulate, Cluster and ClusterID.
func (k *Builder) Schedule(s Schedule) {
	fail := func(format string, args ...any) { k.fail(fault.New(fault.ErrKernel, "schedule", format, args...)) }
	switch {
	case s.Threads < 0 || s.Threads&(s.Threads-1) != 0:
		fail("%d threads, want a power of two", s.Threads)
	case s.Stages < 0 || s.Stages > maxStages:
		fail("%d stages, want 0 to %d", s.Stages, maxStages)
	case s.Resident < 0 || s.Resident > 32:
		fail("Resident is %d, want 0 to 32 workgroups of a multiprocessor", s.Resident)
	case s.Producers < 0 || s.Producers > 1:
		fail("%d producers, want 0 or 1", s.Producers)
	case s.Consumers < 0 || s.Consumers > 3 || s.Consumers > 1 && s.Producers == 0:
		fail("%d consumer warpgroups with %d producers, want 0 to 3, and a producer for 2 or 3", s.Consumers, s.Producers)
	case s.InFlight < 0 || s.InFlight > 2:
		fail("InFlight is %d, want 0 to 2 iterations", s.InFlight)
	case s.Cluster < 0 || s.Cluster > maxCluster:
		fail("clusters of %d programs, want 0 to 2", s.Cluster)
	case s.SplitK < 0 || s.SplitK > math.MaxInt32:
		fail("a split into %d, want 0 to 2^31-1", s.SplitK)
	case s.Order.Kind > GroupedColumns || s.Order.grouped() && (s.Order.Group < 1 || s.Order.Group > math.MaxInt32) || !s.Order.grouped() && s.Order.Group != 0:
		fail("order %v with a group of %d, want a group of 1 to 2^31-1 for grouped orders and 0 for others", s.Order, s.Order.Group)
	case k.split.read && (s.Order != k.kernel.Schedule.Order || s.SplitK != k.kernel.Schedule.SplitK || s.Cluster != k.kernel.Schedule.Cluster):
		fail("order, split or cluster is changed after its use: call Schedule before TileID and the like")
	}
	k.kernel.Schedule, k.kernel.SchedulePos = s, callerPos()
}

// schedule is the schedule that tiles and splits obey.
func (k *Builder) schedule() Schedule {
	k.split.read = true
	return k.kernel.Schedule
}
