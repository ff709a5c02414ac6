package weft

import (
	"bytes"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// building is a kernel for a config. The first goroutine that asks for it builds it; others wait. A description that asks
// for its own kernel, directly or through others, would wait forever: following which goroutine waits for which finds that.
type building struct {
	name string
	done chan struct{} // closed when ir and err are set
	ir   *tile.Func
	err  error

	// While it is built, guarded by builds.mu:
	goroutine uint64    // that builds it, 0 before
	outer     *building // whose description the goroutine was in when it began
	depth     int       // of such descriptions
	waits     *building // what the goroutine waits for
	cycle     error     // what it is a part of
	over      bool
}

// maxNested is how deep descriptions may use other kernels. It stops those that use their own kernel with ever new configs.
const maxNested = 100

// builds has the innermost kernel that each goroutine builds now.
var builds = struct {
	mu    sync.Mutex
	inner map[uint64]*building
}{inner: map[uint64]*building{}}

func newBuilding(name string) *building { return &building{name: name, done: make(chan struct{})} }

// get returns the kernel, which build builds if it is not built yet.
func (b *building) get(build func() (*tile.Func, error)) (*tile.Func, error) {
	select {
	case <-b.done:
		return b.ir, b.err
	default:
	}
	g := goroutine()
	first, err := b.begin(g)
	switch {
	case err != nil:
		return nil, err
	case first:
		b.build(g, build)
	default:
		<-b.done
		waits(g, nil)
	}
	return b.ir, b.err
}

// begin says whether the goroutine is to build the kernel, or that this can never end. Otherwise it is to wait.
func (b *building) begin(goroutine uint64) (first bool, err error) {
	builds.mu.Lock()
	defer builds.mu.Unlock()
	if b.goroutine == 0 {
		outer := builds.inner[goroutine]
		if outer != nil {
			b.depth = outer.depth + 1
		}
		if b.depth > maxNested {
			return false, fault.New(ErrKernel, b.name, "it is used within descriptions nested %d deep, of which the last is that of %s", maxNested, outer.name)
		}
		b.goroutine, b.outer = goroutine, outer
		builds.inner[goroutine] = b
		return true, nil
	}
	if cycle := b.leadsTo(goroutine); cycle != nil {
		for i := range cycle { // whatever their descriptions make of the error
			cycle[i].cycle = errCycle(cycle, i)
		}
		return false, b.cycle
	}
	if in := builds.inner[goroutine]; in != nil {
		in.waits = b
	}
	return false, nil
}

// leadsTo lists the kernels from b on of which each is used in the description of the one before, if the last
// is what the goroutine builds; nil if another ends the list. builds.mu is held.
func (b *building) leadsTo(goroutine uint64) (cycle []*building) {
	for b != nil && !b.over {
		inner := builds.inner[b.goroutine]
		at := len(cycle)
		for x := inner; x != nil; x = x.outer {
			cycle = slices.Insert(cycle, at, x)
			if x == b {
				break
			}
		}
		if b.goroutine == goroutine {
			return cycle
		}
		b = inner.waits
	}
	return nil
}

// waits notes what the goroutine's innermost kernel waits for.
func waits(goroutine uint64, other *building) {
	builds.mu.Lock()
	defer builds.mu.Unlock()
	if in := builds.inner[goroutine]; in != nil {
		in.waits = other
	}
}

// build builds the kernel. If the description panics or ends its goroutine, waiting goroutines get an error.
func (b *building) build(goroutine uint64, build func() (*tile.Func, error)) {
	b.err = fault.New(ErrKernel, b.name, "the description did not return")
	defer func() {
		builds.mu.Lock()
		if builds.inner[goroutine] = b.outer; b.outer == nil {
			delete(builds.inner, goroutine)
		}
		b.outer, b.over = nil, true
		if b.cycle != nil {
			b.ir, b.err = nil, b.cycle
		}
		builds.mu.Unlock()
		close(b.done)
	}()
	b.ir, b.err = build()
}

// errCycle is the error of kernel i of a cycle.
func errCycle(cycle []*building, i int) error {
	const what = "the kernel is used within its own description"
	if len(cycle) == 1 {
		return fault.New(ErrKernel, cycle[i].name, what)
	}
	var path []string
	for j := range len(cycle) + 1 {
		path = append(path, cycle[(i+j)%len(cycle)].name)
	}
	return fault.New(ErrKernel, cycle[i].name, what+": %s", strings.Join(path, " uses "))
}

// goroutine is the number of the calling goroutine. It distinguishes a description that builds its own kernel from two
// goroutines that build it at once. Only stack traces have it, which take a microsecond; building a kernel takes many.
func goroutine() uint64 {
	var buf [64]byte
	text := buf[:runtime.Stack(buf[:], false)] // "goroutine 18 [running]: …"
	text, _, _ = bytes.Cut(bytes.TrimPrefix(text, []byte("goroutine ")), []byte(" "))
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return n
}
