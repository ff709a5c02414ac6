package amd64

import "github.com/weftgpu/weft/dtype"

// What micro-kernels of products need beyond loops. Of a masked vector the first lanes alone are in memory; the others are neither read nor written.

var (
	movMask       = Inst{none, m0F, 0x92, false} // from a general register
	horizontalAdd = Inst{pF2, m0F, 0x7c, false}
	multiplyPairs = Inst{p66, m0F, 0xf5, false}
	dotBFloats    = Inst{pF3, m0F38, 0x52, false}
	dotPairs      = Inst{p66, m0F38, 0x52, false}
	addSS         = Inst{pF3, m0F, 0x58, false}
)

// The mask register of SetMask, and the flag of instructions that put zeros into the lanes that it leaves out.
const (
	keptMask = 2
	zeroing  = 0x80
)

// SetMask tells which lanes masked vectors of 512 bits have: those whose bits are set in the register.
func (a *Asm) SetMask(bits Reg) {
	a.vector(movMask, bits128, keptMask, 0, operand{reg: uint8(bits)}, 0)
}

// LoadMasked loads a masked vector, with zeros for its other lanes. Of 256 bits, it has the lanes of mask whose highest bits are set.
func (a *Asm) LoadMasked(d Vec, m Mem, mask Vec) {
	if a.Wide {
		a.vector(movUPS, bits512, uint8(d), 0, mem(m), keptMask|zeroing)
		return
	}
	a.vector(maskLoad, bits256, uint8(d), uint8(mask), mem(m), 0)
}

// StoreMasked is its inverse.
func (a *Asm) StoreMasked(m Mem, x, mask Vec) {
	if a.Wide {
		a.vector(movUPSTo, bits512, uint8(x), 0, mem(m), keptMask)
		return
	}
	a.vector(maskStore, bits256, uint8(x), uint8(mask), mem(m), 0)
}

// LoadMaskedAs is LoadAs of a masked vector of 512 bits.
func (a *Asm) LoadMaskedAs(elem dtype.Type, d Vec, m Mem) {
	a.vector(loads(elem), bits512, uint8(d), 0, mem(m), keptMask|zeroing)
}

// FoldFour adds the lanes of each of four vectors, which must be among the first 16 registers, and then the four sums to floats in memory.
func (a *Asm) FoldFour(sums [4]Vec, to Mem) {
	x := [4]uint8{uint8(sums[0]), uint8(sums[1]), uint8(sums[2]), uint8(sums[3])}
	a.vector(horizontalAdd, bits256, x[0], x[0], vec(sums[1]), 0)
	a.vector(horizontalAdd, bits256, x[2], x[2], vec(sums[3]), 0)
	a.vector(horizontalAdd, bits256, x[0], x[0], vec(sums[2]), 0)
	a.vector(extract2, bits256, x[0], 0, vec(sums[1]), 0, 1)
	a.vector(addPS, bits128, x[0], x[0], vec(sums[1]), 0)
	a.vector(addPS, bits128, x[0], x[0], mem(to), 0)
	a.vector(movUPSTo, bits128, x[0], 0, mem(to), 0)
}

// AddHalves adds the upper lanes of x to the lower ones, of vectors of 512 bits; of 256, it copies. d must differ from x.
func (a *Asm) AddHalves(d, x Vec) {
	if !a.Wide {
		a.Move(d, x)
		return
	}
	a.vector(extract4, bits512, uint8(x), 0, vec(d), 0, 1)
	a.vector(addPS, bits256, uint8(d), uint8(d), vec(x), 0)
}

// Broadcast loads a word to all lanes.
func (a *Asm) Broadcast(d Vec, m Mem) { a.twoMem(broadcast, d, m) }

// AddFirst adds a float in memory to the first lane.
func (a *Asm) AddFirst(d Vec, m Mem) { a.vector(addSS, bits128, uint8(d), uint8(d), mem(m), 0) }

// AddPairs adds to each lane of sum the products of the two 16-bit integers with a sign in the lanes of x and y: by one instruction of AVX-512 VNNI where fused says so,
// else by two and a spare register.
func (a *Asm) AddPairs(sum, x, y, spare Vec, fused bool) {
	if fused {
		a.three(dotPairs, sum, x, y)
		return
	}
	a.three(multiplyPairs, spare, x, y)
	a.three(pAddD, sum, sum, spare)
}

// AddBFloatPairs adds to each lane of sum the products of the two BF16 in the lanes of x and y, by an instruction of AVX-512 BF16.
func (a *Asm) AddBFloatPairs(sum, x, y Vec) { a.three(dotBFloats, sum, x, y) }
