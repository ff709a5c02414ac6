// Command gen writes the kernels of package squares. Run go generate in the
// package's folder. It is a module of its own, so that weft does not depend on
// avo.
package main

import (
	"fmt"
	"log"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is a vector instruction set.
type isa struct {
	name      string
	bytes     int // of a vector
	registers int
	vector    func() reg.VecVirtual
}

const piece = 16 // bytes: a part of a vector within which instructions interleave elements

// unpack has the instructions that interleave the lower and the upper halves of pieces, by the size of elements.
var unpack = map[int][2]func(...Op){
	1: {VPUNPCKLBW, VPUNPCKHBW},
	2: {VPUNPCKLWD, VPUNPCKHWD},
	4: {VPUNPCKLDQ, VPUNPCKHDQ},
	8: {VPUNPCKLQDQ, VPUNPCKHQDQ},
}

func main() {
	ConstraintExpr("amd64")
	for _, s := range []isa{{"avx", 16, 16, XMM}, {"avx2", 32, 16, YMM}, {"avx512", 64, 32, ZMM}} {
		for _, size := range []int{1, 2, 4, 8} {
			kernel(s, size)
		}
	}
	Generate()
	if err := neon("../kernel_arm64.s"); err != nil {
		log.Fatal(err)
	}
}

// kernel reads a piece of each line, as many lines as a vector of the result has elements: lines that are as far apart as a piece has elements are the pieces of
// one vector. These vectors are a square in each piece, which is transposed by interleaving those
// whose numbers differ in one bit, for each bit.
func kernel(s isa, size int) {
	name, side := fmt.Sprintf("%sx%d", s.name, size), piece/size
	TEXT(name, NOSPLIT, "func(to *byte, toStep int, from *byte, fromStep, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s transposes %d lines of n times %d elements of %d bytes. Steps are bytes between lines.", name, s.bytes/size, side, size))
	to, toStep := Load(Param("to"), GP64()), steps(Load(Param("toStep"), GP64()))
	from, fromStep := Load(Param("from"), GP64()), steps(Load(Param("fromStep"), GP64()))
	n := Load(Param("n"), GP64())
	slot := Mem{}
	if side == s.registers {
		slot = AllocLocal(s.bytes)
	}
	Label(name + "_loop")
	line := GP64()
	MOVQ(from, line)
	x := make([]reg.VecVirtual, side)
	for i := range s.bytes / piece {
		for k := range x {
			m := fromStep.next(line, i*side+k)
			switch {
			case i == 0:
				x[k] = s.vector()
				VMOVDQU(m, x[k].AsX())
			case s.bytes == 64:
				VINSERTI32X4(U8(i), m, x[k], x[k])
			default:
				VINSERTI128(U8(i), m, x[k], x[k])
			}
		}
	}
	lower, upper := unpack[size][0], unpack[size][1]
	for bit := side / 2; bit > 0; bit /= 2 {
		for k := range x {
			if k&bit != 0 {
				continue
			}
			a, b := x[k], x[k|bit]
			if slot.Base != nil { // no register is left
				VMOVDQU(b, slot)
				lower(slot, a, b)
				upper(slot, a, a)
				x[k], x[k|bit] = b, a
				continue
			}
			x[k] = s.vector()
			lower(b, a, x[k])
			upper(b, a, b)
		}
	}
	for k, v := range x {
		if m := toStep.next(to, k); s.bytes == 64 {
			VMOVDQU64(v, m)
		} else {
			VMOVDQU(v, m)
		}
	}
	toStep.end(to, side)
	ADDQ(U8(piece), from)
	DECQ(n)
	JNZ(LabelRef(name + "_loop"))
	VZEROUPPER()
	RET()
}

// step is a distance, and three times it.
type step struct{ one, three reg.Register }

func steps(one reg.Register) step {
	three := GP64()
	LEAQ(Mem{Base: one, Index: one, Scale: 2}, three)
	return step{one, three}
}

// next addresses line i, of which every fourth moves the pointer on.
func (s step) next(p reg.Register, i int) Mem {
	if i%4 == 0 && i > 0 {
		LEAQ(Mem{Base: p, Index: s.one, Scale: 4}, p)
	}
	return [...]Mem{{Base: p}, {Base: p, Index: s.one, Scale: 1}, {Base: p, Index: s.one, Scale: 2}, {Base: p, Index: s.three, Scale: 1}}[i%4]
}

// end moves the pointer to the line after n.
func (s step) end(p reg.Register, n int) {
	LEAQ(Mem{Base: p, Index: s.one, Scale: uint8(min(n, 4))}, p)
}
