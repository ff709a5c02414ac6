package simtpass

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
)

// pipelined is a kernel with one loop: it loads, computes of that, stores in shared memory, and loads from there.
type pipelined struct {
	k                       *simt.Func
	loop                    *simt.Op
	load, made, store, read *simt.Op
}

// newPipelined builds it with a loop from lo by a step to what the launch gives. wraps says that its index may leave 32 bits.
func newPipelined(lo, step int, wraps bool) pipelined {
	var p pipelined
	b := simt.NewBuilder("k", 8)
	b.Func.Buffers = []*simt.Buffer{{Name: "x", Elem: dtype.I32, Read: true}, {Name: "out", Elem: dtype.I32, Write: true}}
	b.Func.Words = []simt.Word{{Name: "n", Elem: dtype.I32}}
	x, out := b.Func.Buffers[0], b.Func.Buffers[1]
	thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	n := b.Emit(&simt.Op{Kind: simt.Param}, simt.Scalar(dtype.I32))
	s := b.NewShared("s", dtype.I32, 8)
	sums := b.For(b.Int(lo), n, b.Int(step), []*simt.Value{b.Int(1)}, false, func(i *simt.Value, now []*simt.Value) []*simt.Value {
		at := b.Binary(simt.Add, b.Binary(simt.Mul, b.Binary(simt.Sub, i, b.Int(lo)), b.Int(7)), thread) // outside of x beyond the last iteration
		loaded := b.Load(x, at, nil, 1, 0)
		made := b.Binary(simt.Xor, b.Binary(simt.Mul, loaded, b.Int(5)), i)
		p.store = b.SharedStore(s, 1, thread, made, nil)
		read := b.SharedLoad(s, thread, 1)
		sum := b.Binary(simt.Add, b.Binary(simt.Mul, now[0], b.Int(7)), read)
		sum = b.Binary(simt.Sub, sum, b.Binary(simt.Mul, loaded, made))
		p.load, p.made, p.read = loaded.Op, made.Op, read.Op
		return []*simt.Value{sum}
	})
	p.loop = b.Last()
	p.loop.Wraps = wraps
	b.Store(out, thread, sums[0], nil)
	p.k = b.Func
	return p
}

// TestSchedules draws schedules of a loop, which give its ops to groups some iterations ahead, in any order, and executes what expand makes
// of them: loops of no iteration, of one, and of fewer than groups run ahead, near the end of 32 bits, too.
func TestSchedules(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		number := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(r, name) }
		step, count := number("step", 1, 5), number("iterations", 0, 7)
		lo := number("lo", 0, 9)
		if wraps := rapid.Bool().Draw(r, "to the end of 32 bits"); wraps {
			lo = math.MaxInt32 - step*count
		}
		wraps := lo > 9
		plain := newPipelined(lo, step, wraps)
		p := newPipelined(lo, step, wraps)
		s := newSchedule(&Context{Kernel: p.k}, simt.Edit(p.k), p.loop)
		own := s.own()
		at := slices.Index(own, p.load)
		loadAhead := number("load", 1, 4)
		madeAhead := number("made", 0, loadAhead)
		storeAhead := number("store", 0, madeAhead)
		s.circular([]*simt.Op{p.loop}, storeAhead+1+number("more stages", 0, 2), map[*simt.Shared]bool{p.store.Shared: true}, rapid.Bool().Draw(r, "phases"))
		groups := []*group{{ops: own[:at+1], ahead: loadAhead, absent: repeated}}
		gone := []*simt.Op{p.load}
		if madeAhead > 0 {
			groups, gone = append(groups, &group{ops: own[at+1 : slices.Index(own, p.made)+1], ahead: madeAhead, absent: repeated}), append(gone, p.made)
		}
		if storeAhead > 0 {
			absent := rapid.SampledFrom([]absence{skipped, repeated}).Draw(r, "absent")
			groups, gone = append(groups, &group{ops: []*simt.Op{p.store}, ahead: storeAhead, absent: absent}), append(gone, p.store)
		}
		s.take(in(gone))
		place := 0
		for i, g := range groups {
			if i > 0 && g.ahead < groups[i-1].ahead { // else it needs what the group before computes in the same iteration
				place = 0
			}
			place = number("place", place, len(s.own()))
			s.put(place, g)
		}
		before, after := s.expand()
		body := p.k.Body
		i := slices.Index(body.Ops, p.loop)
		body.Ops = slices.Concat(body.Ops[:i], before, []*simt.Op{p.loop}, after, body.Ops[i+1:])
		if err := simt.Verify(p.k); err != nil {
			r.Fatalf("%v\n%v", err, p.k)
		}
		input := machine.RandomBytes(rand.New(rand.NewPCG(1, 2)), dtype.I32, 7*step*max(count-1, 0)+8)
		run := func(k *simt.Func) []byte {
			result := make([]byte, 4*8)
			if err := machine.Run(k, [3]int{1, 1, 1}, [][]byte{bytes.Clone(input), result}, []uint32{uint32(lo + step*count)}); err != nil {
				r.Fatalf("%v\n%v", err, k)
			}
			return result
		}
		if !bytes.Equal(run(plain.k), run(p.k)) {
			r.Fatalf("before\n%v\nafter\n%v", plain.k, p.k)
		}
	})
}
