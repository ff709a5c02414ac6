package gemm

import (
	"sync/atomic"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// The words of a micro-kernel's frame.
const (
	frameK    = iota // steps along k
	frameA           // where a's first element is, F32
	frameARow        // distances in bytes
	frameACol
	frameB
	frameBStep // between the vectors of a step: of rows of an outer kernel, of columns of an inner one
	frameC     // F32, with neighbouring columns
	frameCRow
	framePart  // which lanes the last vector has: bits, for vectors of 256 bits a mask, or for those of 128 a number
	frameWords = framePart + 4
)

// frame is what a micro-kernel is called with.
type frame [frameWords]uint64

// setPart tells that a vector has the first n lanes alone.
func (f *frame) setPart(n int) {
	switch processor.Best {
	case processor.AVX512:
		f[framePart] = 1<<n - 1
		return
	case processor.NEON:
		f[framePart] = uint64(n)
		return
	}
	for i := range 4 {
		f[framePart+i] = uint64(laneMask(2*i, n)) | uint64(laneMask(2*i+1, n))<<32
	}
}

func laneMask(lane, n int) uint32 {
	if lane < n {
		return 1<<32 - 1
	}
	return 0
}

// spec is what a micro-kernel is made for.
type spec struct {
	rows, vectors int        // of the tile of sums: of c, and of a row of c or, for an inner kernel, columns
	elem          dtype.Type // of b; I32 for pairs of integers of 16 bits, U32 for pairs of BF16, as which a has them, too
	part          bool       // the last vector of a row, or of k, is a part
	stepped       bool       // neighbours in a row of a are not side by side
}

const (
	maxRows    = 16
	maxVectors = 16
)

// table has the micro-kernels that were made.
type table [maxRows + 1][maxVectors + 1][5][2][2]atomic.Pointer[native.Function]

// get returns a micro-kernel, nil if none can be made.
func (t *table) get(s spec, generate func(spec) []byte) *native.Function {
	at := &t[s.rows][s.vectors][elemNumber(s.elem)][number(s.part)][number(s.stepped)]
	f := at.Load()
	if f == nil {
		var err error
		if f, err = native.NewFunction(generate(s)); err != nil {
			return nil
		}
		if !at.CompareAndSwap(nil, f) { // another goroutine made the same
			f = at.Load()
		}
	}
	return f
}

func elemNumber(e dtype.Type) int {
	switch e {
	case dtype.F16:
		return 1
	case dtype.BF16:
		return 2
	case dtype.I32:
		return 3
	case dtype.U32:
		return 4
	}
	return 0
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The general registers of micro-kernels. Rows of a, and of c later, are reached from a base for every four of them.
const (
	atFrame  = amd64.RDI
	count    = amd64.RCX
	aRow     = amd64.RAX
	aTriple  = amd64.RDX
	aCol     = amd64.RBX
	atB      = amd64.RSI
	bStep    = amd64.R12
	bTriple  = amd64.R13
	bAdvance = amd64.R14
)

var bases = [4]amd64.Reg{amd64.R8, amd64.R9, amd64.R10, amd64.R11}

// assembler is what the generators of micro-kernels share.
type assembler struct {
	amd64.Asm
	spec
}

func newAssembler(s spec) assembler {
	return assembler{amd64.Asm{Wide: processor.Best == processor.AVX512}, s}
}

func (g *assembler) word(i int) amd64.Mem { return amd64.Mem{Base: atFrame, Disp: int32(8 * i)} }

// rowsAt makes the registers of rows lead to those that begin at a word of the frame, and are as far apart as the next word says.
func (g *assembler) rowsAt(word int) {
	g.MovLoad(bases[0], g.word(word))
	g.MovLoad(aRow, g.word(word+1))
	g.MovReg(aTriple, aRow)
	g.Add(aTriple, aRow)
	g.Add(aTriple, aRow)
	for i := 1; 4*i < g.rows; i++ {
		g.MovReg(bases[i], bases[i-1])
		g.Add(bases[i], aRow)
		g.Add(bases[i], aTriple)
	}
}

// columnsAt makes the registers of b lead to its first element, and have its step and three of them.
func (g *assembler) columnsAt() {
	g.MovLoad(atB, g.word(frameB))
	g.MovLoad(bStep, g.word(frameBStep))
	g.MovReg(bTriple, bStep)
	g.Add(bTriple, bStep)
	g.Add(bTriple, bStep)
}

// row is the memory some bytes after the begin of a row.
func (g *assembler) row(r, disp int) amd64.Mem { return multiple(bases[r/4], aRow, aTriple, r%4, disp) }

// multiple is the memory up to three times a register after another.
func multiple(base, one, three amd64.Reg, times, disp int) amd64.Mem {
	m := amd64.Mem{Base: base, Disp: int32(disp)}
	switch times {
	case 1, 2:
		m.Index, m.Scale = one, uint8(times)
	case 3:
		m.Index, m.Scale = three, 1
	}
	return m
}

// advance moves the rows.
func (g *assembler) advance(move func(base amd64.Reg)) {
	for i := 0; 4*i < g.rows; i++ {
		move(bases[i])
	}
}

// loop makes steps until count is zero, up to four at a time. step makes one of them, and next moves on after so many.
func (g *assembler) loop(unroll int, step func(i int), next func(steps int)) {
	many := func(n int) {
		g.AddConst(count, int32(-n))
		past := g.Jump(less)
		again := g.Here()
		for i := range n {
			step(i)
		}
		next(n)
		g.AddConst(count, int32(-n))
		g.To(g.Jump(atLeast), again)
		g.Land(past)
		g.AddConst(count, int32(n))
	}
	if unroll > 1 {
		many(unroll)
	}
	many(1)
}

// load loads a vector of b as F32.
func (g *assembler) load(d amd64.Vec, m amd64.Mem, mask amd64.Vec, part bool) {
	switch {
	case part && g.Wide:
		g.LoadMaskedAs(g.elem, d, m)
	case part:
		g.LoadMasked(d, m, mask)
	default:
		g.LoadAs(g.elem, d, m)
	}
	if g.elem == dtype.BF16 {
		g.Shift(shiftLeft, d, d, 16)
	}
}

// setMask loads the mask of parts.
func (g *assembler) setMask(mask amd64.Vec) {
	switch {
	case !g.part:
	case g.Wide:
		g.MovLoad(aRow, g.word(framePart))
		g.SetMask(aRow)
	default:
		g.Load(mask, g.word(framePart))
	}
}

// clear makes registers of sums zero.
func (g *assembler) clear(sums [][]amd64.Vec) {
	for _, row := range sums {
		for _, x := range row {
			g.Three(xor, x, x, x)
		}
	}
}
