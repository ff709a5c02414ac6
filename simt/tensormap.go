package simt

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Copies of blocks by the hardware, and the barriers in shared memory that tell of them: what target.Caps promises with
// TensorMaps.
//
// A TensorCopy starts to copy the block of a view that begins at given coordinates, one for each of Map.Dims and the first a multiple of 16
// bytes, to a shared array from an index on. Elements outside of the view are zeros there. The block is stored in lines of 128 bytes along
// Map.Dims[0], which Map.Box[0] fills exactly; line i, with Map.Dims[1] varying fastest, begins 128·i bytes after the index, which is a
// multiple of 1024 bytes, and its 16-byte chunks have an XOR swizzle: chunk j is stored as chunk j XOR i%8. When all bytes have come,
// they count at a barrier.
//
// A TensorStore starts to copy a block that is stored so in a shared array, written before a Barrier, to a view; elements outside of it are left
// out. StoreWait waits until no more than the latest Pending of a workgroup's TensorStores still read shared memory, so that after a Barrier that
// follows it can be written anew; before a kernel ends all have to be waited for.
//
// Barriers are the elements of a shared array with Arrivals. The phase of a barrier, which counts from 0, ends when there were as many arrivals as that
// since it began and all bytes have come that were to be expected in it. Expect arrives once and expects bytes; Arrive arrives once for each warp. Wait waits until the
// phase is over that has a parity, 0 or 1: as long as the present phase has that one, so that a Wait for parity 1 passes a barrier that nobody
// arrived at yet. What happened before an arrival, in the thread or in a copy, is seen after the Wait for it.
//
// Roles divides a workgroup: its Body is executed by one thread in addition to the kernel's Threads, to which it adds Func.Producers, the others of
// which do nothing; its Else by those Threads, which alone meet at the Barriers in it. All of them end after it.
//
// A kernel with Consumers has as many groups of Threads threads, each of which executes the Else for itself: ThreadID counts within the group,
// ConsumerID says which it is, and all that all threads do together is done by those of the group.

// LineBytes is how long the lines are in which a TensorCopy lays out a block.
const LineBytes = 128

// TensorMap says how a block of a view is copied.
type TensorMap struct {
	Name   string
	Buffer *Buffer
	View   int   // of the tile kernel, which has the sizes, the strides and the offset
	Dims   []int // dimensions of the view, up to 5; the first has stride 1
	Box    []int // size of the block along each of them
}

// Bytes is the size of a block.
func (m *TensorMap) Bytes() int {
	n := m.Buffer.Elem.Size()
	for _, size := range m.Box {
		n *= size
	}
	return n
}

// Limits of a TensorMap (CUDA driver API, cuTensorMapEncodeTiled).
const (
	MaxMapDims = 5
	MaxBox     = 256
)

// NewSignals declares n barriers with a number of arrivals for each phase.
func (b *Builder) NewSignals(name string, n, arrivals int) *Shared {
	s := b.NewShared(name, dtype.U64, n)
	s.Arrivals = arrivals
	return s
}

// checkMap verifies a declaration.
func checkMap(k *Func, m *TensorMap) error {
	if !slices.Contains(k.Buffers, m.Buffer) {
		return fmt.Errorf("a tensor map of no buffer of the kernel")
	}
	if len(m.Dims) != len(m.Box) || len(m.Dims) < 1 || len(m.Dims) > MaxMapDims || m.View < 0 {
		return fmt.Errorf("a tensor map of %d dimensions with a box of %d", len(m.Dims), len(m.Box))
	}
	for i, size := range m.Box {
		if m.Dims[i] < 0 || slices.Contains(m.Dims[:i], m.Dims[i]) || size < 1 || size > MaxBox || i == 0 && size*m.Buffer.Elem.Size() != LineBytes {
			return fmt.Errorf("a tensor map with a box %v along dimensions %v of %v", m.Box, m.Dims, m.Buffer.Elem)
		}
	}
	return nil
}

// checkBlock verifies that an op has a map of its array's elements with a block that fits.
func checkBlock(op *Op) error {
	if op.Map == nil || op.Map.Buffer == nil || op.Shared == nil || op.Map.Buffer.Elem != op.Shared.Elem {
		return fmt.Errorf("no map for the array")
	}
	if op.Map.Bytes() > op.Shared.Bytes() {
		return fmt.Errorf("a block of %d bytes in an array of %d", op.Map.Bytes(), op.Shared.Bytes())
	}
	return nil
}

func checkTensorCopy(op *Op) error {
	if err := checkBlock(op); err != nil {
		return err
	}
	if len(op.Args) != 2+len(op.Map.Dims) {
		return fmt.Errorf("%d operands of a copy by a map", len(op.Args))
	}
	if !op.Map.Buffer.Read || op.Map.Buffer.Write { // by other threads, which nothing orders before the copy
		return fmt.Errorf("copies from a buffer that is not only read")
	}
	return checkSignals(op, op.Signals, len(op.Args))
}

func checkTensorStore(op *Op) error {
	if err := checkBlock(op); err != nil {
		return err
	}
	if !op.Map.Buffer.Write || len(op.Args) != 1+len(op.Map.Dims) {
		return fmt.Errorf("%d operands, or no map to store by", len(op.Args))
	}
	if op.Warpgroup < 0 {
		return fmt.Errorf("stores what warpgroup %d wrote", op.Warpgroup-1)
	}
	return checkPlaces(op, len(op.Args))
}

func checkExpect(op *Op) error {
	if op.Bytes < 1 {
		return fmt.Errorf("expects %d bytes", op.Bytes)
	}
	return checkSignals(op, op.Shared, 1)
}

func checkArrive(op *Op) error {
	if len(op.Args) < 1 || len(op.Args) > 2 || len(op.Args) == 2 && op.Args[1].Type != Scalar(dtype.Bool) {
		return fmt.Errorf("%d operands of an arrival, or a condition that is none", len(op.Args))
	}
	return checkSignals(op, op.Shared, 1)
}

func checkWait(op *Op) error { return checkSignals(op, op.Shared, 2) }

// checkSignals verifies the barriers of an op and its first n operands, which are indices or a parity.
func checkSignals(op *Op, signals *Shared, n int) error {
	if signals == nil || signals.Arrivals == 0 {
		return fmt.Errorf("no barriers")
	}
	return checkPlaces(op, n)
}
