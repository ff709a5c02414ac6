package interp

import (
	"encoding/binary"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// locks make atomic ops atomic: an element belongs to one of them by its position.
var locks [64]sync.Mutex

// A program that waits for others lets them have its core, and after so many times its thread.
const (
	pollsAwake = 256
	pollSleep  = 20 * time.Microsecond
)

// words32 reads and writes elements of a register of 32 bits as their bits.
type words32 struct {
	get func(w *worker, i int) uint32
	set func(w *worker, i int, x uint32)
}

func wordsOf(r reg) words32 {
	n := r.index
	switch r.class {
	case floats:
		return words32{func(w *worker, i int) uint32 { return math.Float32bits(w.f[n][i]) },
			func(w *worker, i int, x uint32) { w.f[n][i] = math.Float32frombits(x) }}
	case words:
		return words32{func(w *worker, i int) uint32 { return w.u[n][i] }, func(w *worker, i int, x uint32) { w.u[n][i] = x }}
	}
	return words32{func(w *worker, i int) uint32 { return uint32(w.i[n][i]) }, func(w *worker, i int, x uint32) { w.i[n][i] = int32(x) }}
}

// atomic compiles an atomic op.
func (c *compiler) atomic(op *tile.Op, at points) step {
	values, _, _ := op.Points()
	first := wordsOf(c.where[values[0]])
	second := wordsOf(c.where[values[len(values)-1]])
	dst := c.define(op.Result())
	old := wordsOf(dst)
	change := modify(op.View.Elem, op.RMW)
	edge := edgeBits(op)
	n, waits := op.Result().Type().Len(), op.Order == tile.Acquire || op.RMW == tile.RMWOr && isZero(values[0])
	return func(w *worker) {
		if waits { // for a program that may need this core
			if w.polls++; w.polls%pollsAwake == 0 {
				time.Sleep(pollSleep)
			} else {
				runtime.Gosched()
			}
		}
		data := w.views[at.view].data
		at.runs(w, n, func(i, m, n int) {
			for j := range n {
				if m < 0 {
					old.set(w, i+j, edge)
					continue
				}
				place := data[4*(m+j):]
				lock := &locks[(m+j)%len(locks)]
				lock.Lock()
				was := binary.LittleEndian.Uint32(place)
				binary.LittleEndian.PutUint32(place, change(was, first.get(w, i+j), second.get(w, i+j)))
				lock.Unlock()
				old.set(w, i+j, was)
			}
		})
	}
}

// isZero reports whether a value is the constant 0.
func isZero(v *tile.Value) bool {
	op := v.Op()
	for op != nil && op.Kind == tile.OpSplat {
		op = op.Args[0].Op()
	}
	return op != nil && op.Kind == tile.OpConst && op.Number == 0
}

// edgeBits is the fill value of an op on points of 32 bits.
func edgeBits(op *tile.Op) uint32 {
	var b [4]byte
	dtype.PutFloats(op.View.Elem, b[:], []float64{op.Number})
	return binary.LittleEndian.Uint32(b[:])
}

// modify returns what an atomic op makes of an element's old bits and of its operands' bits; all
// ops but one have one operand, which is then both x and y.
func modify(e dtype.Type, r tile.RMW) func(old, x, y uint32) uint32 {
	switch {
	case r == tile.RMWAdd && e == dtype.F32:
		return func(old, x, _ uint32) uint32 {
			return math.Float32bits(math.Float32frombits(old) + math.Float32frombits(x))
		}
	case r == tile.RMWMax && e == dtype.I32:
		return func(old, x, _ uint32) uint32 { return uint32(max(int32(old), int32(x))) }
	case r == tile.RMWMin && e == dtype.I32:
		return func(old, x, _ uint32) uint32 { return uint32(min(int32(old), int32(x))) }
	}
	return [tile.NumRMW]func(old, x, y uint32) uint32{
		tile.RMWAdd:      func(old, x, _ uint32) uint32 { return old + x },
		tile.RMWMax:      func(old, x, _ uint32) uint32 { return max(old, x) },
		tile.RMWMin:      func(old, x, _ uint32) uint32 { return min(old, x) },
		tile.RMWAnd:      func(old, x, _ uint32) uint32 { return old & x },
		tile.RMWOr:       func(old, x, _ uint32) uint32 { return old | x },
		tile.RMWXor:      func(old, x, _ uint32) uint32 { return old ^ x },
		tile.RMWExchange: func(_, x, _ uint32) uint32 { return x },
		tile.RMWCompare: func(old, x, y uint32) uint32 {
			if old == x {
				return y
			}
			return old
		},
	}[r]
}
