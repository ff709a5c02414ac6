package machine

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// sharedWords stores packed words in a shared array.
func (w *workgroup) sharedWords(op *simt.Op, t int, value []Lane) {
	e := op.Shared.Elem
	per := simt.PerWord(e)
	at := w.index(op, t, len(value)*per)
	for i, word := range value {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(word))
		for j := range per {
			w.writeShared(op, t, at+i*per+j, widen(e, b[j*e.Size():]))
		}
	}
}

// loadSharedWords loads packed words from a shared array.
func (w *workgroup) loadSharedWords(op *simt.Op, t int, out []Lane) {
	e := op.Shared.Elem
	per := simt.PerWord(e)
	at := w.index(op, t, len(out)*per)
	for i := range out {
		var b [4]byte
		for j := range per {
			narrow(e, b[j*e.Size():], w.readShared(op, t, at+i*per+j))
		}
		out[i] = Lane(binary.LittleEndian.Uint32(b[:]))
	}
}

// touchWords is the memory of an access to packed words, all of whose elements it touches. That of a load may reach beyond the buffer, see
// simt.BufferAlign; the contents there are unknown.
func (w *workgroup) touchWords(op *simt.Op, t, words int) []byte {
	e, buffer := op.Buffer.Elem, w.buffers[op.Buffer]
	n, at := words*simt.PerWord(e), int(int32(w.arg(op, 0, t)[0]))
	end := (at + n) * e.Size()
	if beyond := end - len(buffer); op.Kind == simt.Load && beyond > 0 && end <= simt.Padded(len(buffer)) && at >= 0 && at%n == 0 {
		buffer = append(slices.Clip(buffer), bytes.Repeat([]byte{unknown}, beyond)...)
		n -= beyond / e.Size()
	} else {
		w.index(op, t, n)
	}
	for i := range n {
		w.access(op, t, at+i)
	}
	return buffer[at*e.Size():]
}

// unknown is a byte after a buffer.
const unknown = 0xff

func (w *workgroup) loadWords(op *simt.Op, t int, out []Lane) {
	if op.Kind == simt.SharedLoad {
		w.loadSharedWords(op, t, out)
		return
	}
	memory := w.touchWords(op, t, len(out))
	for i := range out {
		out[i] = Lane(binary.LittleEndian.Uint32(memory[4*i:]))
	}
}

func (w *workgroup) storeWords(op *simt.Op, t int, value []Lane) {
	if op.Kind == simt.SharedStore {
		w.sharedWords(op, t, value)
		return
	}
	memory := w.touchWords(op, t, len(value))
	for i, x := range value {
		binary.LittleEndian.PutUint32(memory[4*i:], uint32(x))
	}
}

// packed is what an Unpack or a Pack gives by thread and lane.
func packed(op *simt.Op, arg []Lane) func(t, i int) Lane {
	e := op.Elem
	n, size := simt.PerWord(e), e.Size()
	from := op.Args[0].Type.Width
	if op.Kind == simt.Unpack {
		return func(t, i int) Lane {
			var b [4]byte
			binary.LittleEndian.PutUint32(b[:], uint32(arg[t*from+i/n]))
			return widen(e, b[i%n*size:])
		}
	}
	return func(t, i int) Lane {
		var b [4]byte
		for j := range n {
			narrow(e, b[j*size:], arg[t*from+i*n+j])
		}
		return Lane(binary.LittleEndian.Uint32(b[:]))
	}
}

// pairs is what a PairFMA gives by thread.
func pairs(op *simt.Op, args [][]Lane) func(t, i int) Lane {
	half := func(word Lane, h int) float64 {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(word))
		return decode(dtype.F32, widen(op.Elem, b[2*h:]))
	}
	return func(t, _ int) Lane {
		var b [4]byte
		for h := range 2 {
			x := math.FMA(half(args[0][t], h), half(args[1][t], h), half(args[2][t], h))
			narrow(op.Elem, b[2*h:], encode(dtype.F32, float64(dtype.Round(op.Elem, x))))
		}
		return Lane(binary.LittleEndian.Uint32(b[:]))
	}
}

// bytesOf is what a PickBytes gives by thread.
func bytesOf(op *simt.Op, args [][]Lane) func(t, i int) Lane {
	return func(t, _ int) Lane {
		var b [8]byte
		binary.LittleEndian.PutUint32(b[:], uint32(args[0][t]))
		binary.LittleEndian.PutUint32(b[4:], uint32(args[1][t]))
		x := uint32(0)
		for i := range 4 {
			digit := uint32(args[2][t]) >> (4 * i) & 15
			if digit > 7 {
				fail(op, "digit %d of %#x is not below 8", i, uint32(args[2][t]))
			}
			x |= uint32(b[digit]) << (8 * i)
		}
		return Lane(x)
	}
}
