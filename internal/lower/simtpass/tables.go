package simtpass

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
)

const (
	// leastTableOps are so many ops that a number is looked up instead. (NF4 takes 60, as codes.Table counts them, and 35 instructions for each weight; FP4, which a shift finds, 9; integers are
	// below. MXFP4 on an H200, µs without and with tables: 1×8192×8192 by Vulkan 60.1, 44.3, by WebGPU 41.1, 26.7; 32×8192×8192 by Vulkan 83.8, 71.4.)
	leastTableOps = 8
	// tableBytes is the size of an array of numbers.
	tableBytes = codes.Count * 4
)

// tables looks floats that depend on 4 bits of a word alone, as the numbers of a code book do, up in shared memory: 16 words, of which different ones are in different banks, so that each
// access takes one wavefront. Two instructions find the index. In CUDA pairs of such floats are picked from registers, see package emit; other languages have no instruction for that.
func tables(r *Context) {
	k := r.Kernel
	if !plan.LooksUp(r.Caps) || k.Threads < codes.Count {
		return
	}
	t := &tabled{Editor: simt.Edit(k), numbers: map[*simt.Value]bool{}, arrays: map[[codes.Count]uint32]*simt.Shared{}}
	t.find(k.Body)
	if len(t.list) == 0 || r.Caps.SharedBytes > 0 && liveBytes(k)+len(t.list)*tableBytes > r.Caps.SharedBytes {
		return
	}
	for i, x := range t.list {
		s := t.NewShared("numbers", dtype.F32, codes.Count)
		s.Line, s.Note = t.lines[i], "the numbers of 4 bits"
		t.arrays[x] = s
		r.Notes = append(r.Notes, fmt.Sprintf("%s: numbers of 4 bits are looked up in %d bytes of shared memory", s.Line, tableBytes))
	}
	t.Rewrite(k.Body, func(op *simt.Op) {
		t.Do(op)
		if len(op.Out) == 1 && t.numbers[op.Out[0]] {
			t.SetLine(op.Line)
			t.Replace(op.Out[0], t.lookup(op.Out[0]))
		}
	})
	ops := t.fill()
	at := slices.IndexFunc(k.Body.Ops, func(op *simt.Op) bool { return op.Kind != simt.Const })
	k.Body.Ops = slices.Insert(k.Body.Ops, at, ops...)
}

// liveBytes are the most bytes of arrays that live together, each from the first op of the kernel's body that has to do with it to the last one.
func liveBytes(k *simt.Func) (most int) {
	type life struct{ first, last int }
	lives := map[*simt.Shared]life{}
	for i, op := range k.Body.Ops {
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(op *simt.Op) {
			if op.Shared == nil {
				return
			}
			l, ok := lives[op.Shared]
			if !ok {
				l.first = i
			}
			l.last = i
			lives[op.Shared] = l
		})
	}
	for _, at := range lives {
		bytes := 0
		for s, l := range lives {
			if l.first <= at.first && at.first <= l.last {
				bytes += s.Len * s.Elem.Size()
			}
		}
		most = max(most, bytes)
	}
	return most
}

// tabled are the floats of a kernel that are looked up.
type tabled struct {
	*simt.Editor
	codes.Tables
	numbers map[*simt.Value]bool  // that others than numbers take
	list    [][codes.Count]uint32 // different ones, as they come
	lines   []string              // of their first uses
	arrays  map[[codes.Count]uint32]*simt.Shared
}

// find finds numbers, those that others are computed from left out.
func (t *tabled) find(b *simt.Block) {
	simt.Walk(b, func(op *simt.Op) {
		if len(op.Out) == 1 && t.isNumber(op.Out[0], 0) {
			return
		}
		for _, v := range op.Args {
			if t.numbers[v] || !t.isNumber(v, leastTableOps) {
				continue
			}
			t.numbers[v] = true
			for i := range v.Type.Width {
				table, _ := t.Of(v, i)
				if x := [codes.Count]uint32(table.Numbers); !slices.Contains(t.list, x) {
					t.list, t.lines = append(t.list, x), append(t.lines, v.Op.Line)
				}
			}
		}
	})
}

// isNumber reports whether all lanes of a value are floats by 4 bits, computed by so many ops at least.
func (t *tabled) isNumber(v *simt.Value, least int) bool {
	if v.Op == nil || v.Type.Elem != dtype.F32 {
		return false
	}
	for i := range v.Type.Width {
		if x, ok := t.Of(v, i); !ok || x.Ops < least {
			return false
		}
	}
	return true
}

// lookup appends the loads of a value's lanes.
func (t *tabled) lookup(v *simt.Value) *simt.Value {
	lanes := make([]*simt.Value, v.Type.Width)
	for i := range lanes {
		x, _ := t.Of(v, i)
		word := t.Convert(t.Extract(x.From, x.Lane), dtype.U32)
		if x.At > 0 {
			word = t.Binary(simt.Shr, word, t.Const(word.Type, float64(x.At)))
		}
		digit := t.Binary(simt.And, word, t.Const(word.Type, codes.Count-1))
		lanes[i] = t.SharedLoad(t.arrays[[codes.Count]uint32(x.Numbers)], t.Convert(digit, dtype.I32), 1)
		lanes[i].Op.Cost = max(t.Func.Threads/bankedThreads, 1)
	}
	return t.Compose(lanes...)
}

// bankedThreads are those whose accesses are one wavefront.
const bankedThreads = 32

// fill is what fills the arrays: each of the first threads stores one number of each.
func (t *tabled) fill() []*simt.Op {
	thread := t.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32)) // nothing but constants is there yet
	first := t.Binary(simt.Lt, thread, t.Int(codes.Count))
	for i, numbers := range t.list {
		t.SetLine(t.lines[i])
		x := t.number(numbers[0])
		for c := 1; c < codes.Count; c++ {
			x = t.Select(t.Binary(simt.Eq, thread, t.Int(c)), t.number(numbers[c]), x)
		}
		t.SharedStore(t.arrays[numbers], 0, thread, x, first)
	}
	return t.Take()
}

// number is a constant of some bits.
func (t *tabled) number(bits uint32) *simt.Value {
	return t.Const(simt.Scalar(dtype.F32), float64(math.Float32frombits(bits)))
}
