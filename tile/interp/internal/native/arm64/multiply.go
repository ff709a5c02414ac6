package arm64

import "github.com/weftgpu/weft/tile/interp/internal/native/vector"

// What micro-kernels of products need beyond loops.

const (
	fmlaBy    Inst = 0x4f801000 // by a lane
	dupBy     Inst = 0x4e000400 // a lane
	smull     Inst = 0x0e60c000 // of the lower four of eight integers of 16 bits
	smull2    Inst = 0x4e60c000 // of the upper four
	addp      Inst = 0x4ea0bc00 // sums of neighbours
	faddp     Inst = 0x6e20d400
	loadNextQ Inst = 0x3cc10400 // and moves the address past it
)

// AddProductBy adds x times a lane of y to sum.
func (a *Asm) AddProductBy(sum, x, y Vec, lane int) {
	a.three(fmlaBy|Inst(lane&1)<<21|Inst(lane>>1)<<11, sum, x, y)
}

// AddPairsBy adds to each lane of sum the products of the two 16-bit integers with a sign in the lane of x and in one lane of y.
func (a *Asm) AddPairsBy(sum, x, y Vec, lane int, spare Vec) {
	a.two(dupBy|Inst(lane<<3|4)<<16, spare, y)
	a.three(smull, between, x, spare)
	a.three(smull2, operand, x, spare)
	a.three(addp, between, between, operand)
	a.three(addI, sum, sum, between)
}

// LoadNext loads a vector, and moves the address past it.
func (a *Asm) LoadNext(d Vec, at Reg) { a.two(loadNextQ, d, Vec(at)) }

// Clear makes lanes zero.
func (a *Asm) Clear(d Vec) { a.three(eor, d, d, d) }

// FoldFour adds the lanes of each of four vectors, and then the four sums to floats in memory.
func (a *Asm) FoldFour(sums [4]Vec, to Mem) {
	x := sums[0]
	a.three(faddp, x, x, sums[1])
	a.three(faddp, sums[2], sums[2], sums[3])
	a.three(faddp, x, x, sums[2])
	a.ThreeMem(vector.AddF, x, x, to)
	a.Store(to, x)
}

// FoldOne adds the lanes of a vector, and then the sum to a float in memory.
func (a *Asm) FoldOne(sum Vec, to Mem) {
	a.three(faddp, sum, sum, sum)
	a.three(faddp, sum, sum, sum)
	a.access(loadS, uint8(operand), to, 4)
	a.three(fadd, sum, sum, operand)
	a.access(storeS, uint8(sum), to, 4)
}
