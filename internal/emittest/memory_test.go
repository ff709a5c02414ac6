package emittest

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// copying describes a kernel that copies "x" to "y", four elements a thread.
type copying struct {
	elem        dtype.Type
	load, store int  // widths
	masked      bool // elements from "n" on read as 1 and are not written
	shared      bool // through a shared array
}

func (c copying) String() string {
	name := fmt.Sprintf("%v_load%d_store%d", c.elem, c.load, c.store)
	if c.masked {
		name += "_masked"
	}
	if c.shared {
		name += "_shared"
	}
	return name
}

const copyThreads = 32

func (c copying) kernel() *simt.Func {
	x, y := input("x", c.elem), output("y", c.elem)
	b := start("copy", copyThreads, x, y)
	t := thread(b)
	first := b.Binary(simt.Mul, t, b.Int(4))
	base := b.Binary(simt.Add, b.Binary(simt.Mul, group(b, 0), b.Int(4*copyThreads)), first)
	mask := func(at *simt.Value) *simt.Value {
		if !c.masked {
			return nil
		}
		return b.Binary(simt.Lt, at, param(b, "n", dtype.I32))
	}
	var lanes []*simt.Value
	for i := 0; i < 4; i += c.load {
		at := b.Binary(simt.Add, base, b.Int(i))
		v := b.Load(x, at, mask(at), c.load, 1)
		for lane := range c.load {
			lanes = append(lanes, b.Extract(v, lane))
		}
	}
	if c.shared {
		lanes = c.throughShared(b, first, lanes)
	}
	for i := 0; i < 4; i += c.store {
		at := b.Binary(simt.Add, base, b.Int(i))
		b.Store(y, at, b.Compose(lanes[i:i+c.store]...), mask(at))
	}
	return b.Func
}

// throughShared passes the elements to the thread at the other end and back,
// with the widths of both sides.
func (c copying) throughShared(b *simt.Builder, first *simt.Value, lanes []*simt.Value) []*simt.Value {
	for _, widths := range [][2]int{{c.store, c.load}, {c.load, c.store}} {
		s := b.NewShared("tile", c.elem, 4*copyThreads)
		for i := 0; i < 4; i += widths[0] {
			b.SharedStore(s, 0, b.Binary(simt.Add, first, b.Int(i)), b.Compose(lanes[i:i+widths[0]]...), nil)
		}
		barrier(b)
		other := b.Binary(simt.Sub, b.Int(4*copyThreads-4), first)
		lanes = nil
		for i := 0; i < 4; i += widths[1] {
			v := b.SharedLoad(s, b.Binary(simt.Add, other, b.Int(i)), widths[1])
			for lane := range widths[1] {
				lanes = append(lanes, b.Extract(v, lane))
			}
		}
	}
	return lanes
}

// copyings lists every element type, with or without integers of 64 bits and F64, with every pair of widths, plain and
// masked through shared arrays.
func copyings(long, double bool) []copying {
	var all []copying
	for _, e := range dtype.All() {
		if isLong(e) && !long || e == dtype.F64 && !double {
			continue
		}
		for _, load := range []int{1, 2, 4} {
			for _, store := range []int{1, 2, 4} {
				all = append(all, copying{e, load, store, false, false}, copying{e, load, store, true, true})
			}
		}
	}
	return all
}

func TestMemory(t *testing.T) {
	kernels := func(long, double bool) map[string]*simt.Func {
		all := map[string]*simt.Func{}
		for _, c := range copyings(long, double) {
			all[c.String()] = c.kernel()
		}
		return all
	}
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, kernels(false, false)) })
	t.Run("spirv", func(t *testing.T) { checkSPIRV(t, kernels(true, false)) })
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, kernels(true, true), bothArchs...) })
}
