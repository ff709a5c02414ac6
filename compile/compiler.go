package compile

import (
	"crypto/sha256"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"weak"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Arg is the argument for one view of a kernel.
type Arg struct {
	Buffer backend.Buffer
	Elem   dtype.Type
	Layout layout.Layout
}

// Compiler compiles kernels for one device, keeps the loaded programs and launches
// them. Its methods may be called from many goroutines.
type Compiler struct {
	dev  backend.Device
	disk disk

	prepared *recent.Map[*Prepared]
	entries  *recent.Table[cacheKey, *entry]
	sources  *recent.Table[[sha256.Size]byte, weak.Pointer[entry]] // entries by what they are compiled from
	closed   atomic.Bool

	compiling chan struct{} // holds one for each kernel that the device's compiler has now
}

// How many kernels a compiler keeps: made ready for their layouts, and compiled and loaded. Up to twice as many are there at a time.
const (
	maxPrepared = 4096
	maxEntries  = 2048
)

// cacheKey names a compiled program by what it was compiled from: the kernel's
// hash and the facts. The device is the compiler's own.
type cacheKey struct {
	kernel [sha256.Size]byte
	facts  string
}

// errNil is the error of an argument that is nil.
func errNil(arg string) error {
	return fault.New(fault.ErrArgument, "compile", "the %s is nil", arg).For(arg)
}

// usable refuses a compiler without a device and a kernel that is nil.
func (c *Compiler) usable(k *tile.Func) error {
	switch {
	case c == nil:
		return errNil("compiler")
	case c.dev == nil:
		return errNil("device")
	case k == nil:
		return errNil("kernel")
	}
	return nil
}

func errClosed(k *tile.Func) error {
	return fault.New(fault.ErrClosed, k.Name, "the device is closed")
}

// New returns a compiler for a device. That of a nil device compiles nothing: its errors are fault.ErrArgument.
func New(dev backend.Device) *Compiler {
	return newCompiler(dev, maxPrepared, maxEntries)
}

func newCompiler(dev backend.Device, prepared, entries int) *Compiler {
	if dev == nil {
		return &Compiler{}
	}
	c := &Compiler{dev: dev, prepared: recent.New[*Prepared](prepared), entries: recent.NewTable[cacheKey, *entry](entries),
		sources:   recent.NewTable[[sha256.Size]byte, weak.Pointer[entry]](entries),
		compiling: make(chan struct{}, max(runtime.GOMAXPROCS(0), 2))}
	if _, watches := dev.(Watcher); !watches { // which needs all stages of a kernel, and may have no binaries
		c.disk = newDisk(dev.Caps())
	}
	return c
}

// Close waits for kernels that are being compiled and frees the loaded programs; the device stays open.
func (c *Compiler) Close() error {
	if c == nil || c.dev == nil {
		return nil
	}
	c.closed.Store(true)
	var errs []error
	seen := map[*entry]bool{}
	for _, e := range c.entries.Clear() {
		if !seen[e] {
			seen[e] = true
			errs = append(errs, e.close())
		}
	}
	c.prepared.Clear()
	return errors.Join(errs...)
}

// FactsOf checks arguments against a kernel's views and collects the facts
// that a compiled kernel may rely on.
func FactsOf(k *tile.Func, args []Arg) (Facts, error) {
	if k == nil {
		return Facts{}, errNil("kernel")
	}
	if len(args) != len(k.Views) {
		return Facts{}, fault.New(fault.ErrArgument, k.Name, "%s given, the kernel has %s", fault.Count(len(args), "tensor"), fault.Count(len(k.Views), "view"))
	}
	layouts := make([]layout.Layout, len(args))
	for i, a := range args {
		if err := checkArg(k, k.Views[i], a); err != nil {
			return Facts{}, err
		}
		layouts[i] = a.Layout
	}
	if err := checkCleared(k, args); err != nil {
		return Facts{}, err
	}
	_, index := distinct(args)
	for i, a := range args {
		for j := range i {
			if index[i] == index[j] && args[j].Elem != a.Elem {
				return Facts{}, fault.New(fault.ErrUnsupported, k.Name, "%s and %s share a buffer with element types %v and %v, want one type",
					k.Views[j].Name, k.Views[i].Name, args[j].Elem, a.Elem)
			}
		}
	}
	return axis.FactsOf(layouts, index), nil
}

func checkArg(k *tile.Func, v *tile.View, a Arg) error {
	fail := func(kind error, format string, args ...any) error {
		return fault.New(kind, k.Name, format, args...).For(v.Name).At(v.Pos.String())
	}
	switch {
	case a.Buffer == nil:
		return fail(fault.ErrArgument, "the buffer is nil")
	case a.Elem != v.Elem:
		return fail(fault.ErrArgument, "the tensor holds %v, the kernel takes %v", a.Elem, v.Elem)
	case a.Layout.Rank() != v.Rank:
		return fail(fault.ErrShape, "the tensor has %s, the kernel takes %d", fault.Count(a.Layout.Rank(), "dimension"), v.Rank)
	}
	size := int64(a.Elem.Size())
	if lo, hi := a.Layout.Bounds(); lo <= hi && (lo < 0 || int64(hi) > a.Buffer.Bytes()/size-1) {
		return fail(fault.ErrShape, "layout %v reaches elements %d to %d, the buffer has %d", a.Layout, lo, hi, a.Buffer.Bytes()/size)
	}
	return nil
}

// distinct lists the buffers of the arguments, each once, and the index of each
// argument's buffer.
func distinct(args []Arg) (buffers []backend.Buffer, index []int) {
	index = make([]int, len(args))
	for i, a := range args {
		at := slices.Index(buffers, a.Buffer)
		if at < 0 {
			at = len(buffers)
			buffers = append(buffers, a.Buffer)
		}
		index[i] = at
	}
	return buffers, index
}

// fold fits a grid to a device's limits: as it is if it fits, else as a
// rectangle of at least as many workgroups, which the kernel unfolds.
func fold(name string, grid, limit [3]int) (physical [3]int, folded bool, err error) {
	total := int64(grid[0]) * int64(grid[1])
	if total > math.MaxInt32 || total*int64(grid[2]) > math.MaxInt32 {
		return grid, false, fault.New(fault.ErrLimit, name, "grid %v has more than 2^31-1 programs", grid)
	}
	fits := true
	for axis, n := range grid {
		fits = fits && (limit[axis] == 0 || n <= limit[axis])
	}
	if fits {
		return grid, false, nil
	}
	total *= int64(grid[2])
	rows := (total + int64(limit[0]) - 1) / int64(limit[0])
	if rows > int64(limit[1]) {
		return grid, false, fault.New(fault.ErrLimit, name, "grid %v has %d programs, the device launches %d at most",
			grid, total, int64(limit[0])*int64(limit[1]))
	}
	width := (total + rows - 1) / rows
	return [3]int{int(width), int(rows), 1}, true, nil
}
