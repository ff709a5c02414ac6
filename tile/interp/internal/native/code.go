package native

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
	"github.com/weftgpu/weft/tile/interp/internal/native/arm64"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// ErrNoCode says that there is no machine code for this processor, or that the system does not let a program make any.
var ErrNoCode = errors.New("no machine code for this processor")

// Code is a compiled loop. Goroutines may run it at the same time, with frames of their own.
type Code struct {
	Vectors int // processed at a time
	loop    []stream
	entry   uintptr
	words   int // of a frame
}

// Compile makes code for the instructions that the processor has.
//
// Errors: ErrNoCode.
func (l *Loop) Compile() (*Code, error) { return l.compile(processor.Best) }

func (l *Loop) compile(v processor.Vectors) (*Code, error) {
	m := machineOf(v)
	if m == nil {
		return nil, ErrNoCode
	}
	text, frame, vectors := l.generate(m)
	if len(text) > m.Reach() {
		return nil, fmt.Errorf("%w: a loop of %d bytes", ErrNoCode, len(text))
	}
	memory, err := executable(text)
	if err != nil {
		return nil, err
	}
	c := &Code{Vectors: vectors, loop: l.streams, entry: uintptr(unsafe.Pointer(&memory[0])), words: (frame + 7) / 8}
	runtime.AddCleanup(c, free, memory)
	return c, nil
}

// machineOf makes a machine with a set of instructions, nil if that has none.
func machineOf(v processor.Vectors) vector.Machine {
	switch v {
	case processor.AVX2, processor.AVX512:
		return &amd64.Asm{Wide: v == processor.AVX512}
	case processor.NEON:
		return &arm64.Asm{}
	}
	return nil
}

// Frame is what a goroutine runs code with.
type Frame struct {
	code  *Code
	words []uint64
}

// NewFrame makes a frame.
func (c *Code) NewFrame() *Frame { return &Frame{code: c, words: make([]uint64, c.words)} }

// Of reports whether the frame is of a loop.
func (f *Frame) Of(c *Code) bool { return f.code == c }

// kept has the compiler take it that what is bound is kept, and so is in the heap: frames have addresses as numbers, and a
// stack moves when it grows.
var kept struct {
	any bool // never
	p   unsafe.Pointer
}

// Bind says where the rows of a stream begin: the first one at p, the next ones step bytes after it each. The memory must be kept alive by others until Run
// returns.
func (f *Frame) Bind(stream int, p unsafe.Pointer, step int) {
	f.BindPart(stream, p, step, math.MaxInt32)
}

// BindPart is Bind to rows that have elements in the first columns alone. Those of an input are as Loop.Beyond says in the others, and those of an output are
// dropped there.
func (f *Frame) BindPart(stream int, p unsafe.Pointer, step, width int) {
	if kept.any {
		kept.p = p
	}
	words := f.words[streamWord(stream):]
	words[streamRow], words[streamStep], words[streamWidth] = uint64(uintptr(p)), uint64(step), uint64(width)
}

// BindList is Bind of a stream whose rows are listed: each number of steps is how many bytes after a row the next one is. There is one for the last row,
// which may be any.
func (f *Frame) BindList(stream int, p unsafe.Pointer, steps []int) {
	if kept.any {
		kept.p = unsafe.Pointer(unsafe.SliceData(steps))
	}
	f.Bind(stream, p, int(uintptr(unsafe.Pointer(unsafe.SliceData(steps)))))
}

// Run runs the loop on so many rows and columns. Streams must be bound anew before the next run.
func (f *Frame) Run(rows, columns int) {
	if rows > 0 {
		inside := uint64(columns)
		for i := range f.code.loop {
			width := &f.words[streamWord(i)+streamWidth]
			*width = min(*width, uint64(columns))
			inside = min(inside, *width)
		}
		f.words[frameRows], f.words[frameColumns], f.words[frameInside] = uint64(rows), uint64(columns), inside
		call(f.code.entry, &f.words[0])
		runtime.KeepAlive(f.code)
	}
}
