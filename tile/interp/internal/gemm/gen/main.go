// Command gen writes the micro-kernels of package gemm. Run go generate in the
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

// isa is a vector instruction set and the tile of c that its registers hold.
type isa struct {
	name    string
	bytes   int // of a vector
	rows    int // of the tile, a multiple of 4
	vectors int // of a row of the tile
	vector  func() reg.VecVirtual
}

const unroll = 4 // steps of k in one iteration

func main() {
	ConstraintExpr("amd64")
	kernel(isa{"avx2", 32, 4, 2, YMM})
	kernel(isa{"avx512", 64, 8, 2, ZMM})
	Generate()
	if err := neon("../kernel_arm64.s"); err != nil {
		log.Fatal(err)
	}
}

// kernel keeps rows × vectors accumulators in registers. In every step of k it
// loads one packed row of b, broadcasts one element of each row of a, and multiplies all pairs.
func kernel(s isa) {
	TEXT(s.name, NOSPLIT, "func(k int, a *float32, lda int, b, c *float32, ldc int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds a @ b to %d rows of %d columns of c. b is packed; k is a positive multiple of %d.",
		s.name, s.rows, s.vectors*s.bytes/4, unroll))
	k := Load(Param("k"), GP64())
	aRows := rows(Load(Param("a"), GP64()), Load(Param("lda"), GP64()), s.rows)
	b := Load(Param("b"), GP64())

	acc := make([][]reg.VecVirtual, s.rows)
	for r := range acc {
		for range s.vectors {
			x := s.vector()
			zero(x)
			acc[r] = append(acc[r], x)
		}
	}
	Label(s.name + "_loop")
	for step := range unroll {
		var row []reg.VecVirtual
		for v := range s.vectors {
			x := s.vector()
			VMOVUPS(Mem{Base: b, Disp: (step*s.vectors + v) * s.bytes}, x)
			row = append(row, x)
		}
		for r := range acc {
			x := s.vector()
			VBROADCASTSS(aRows[r].Offset(4*step), x)
			for v, y := range row {
				VFMADD231PS(x, y, acc[r][v])
			}
		}
	}
	ADDQ(U32(unroll*s.vectors*s.bytes), b)
	for r := 0; r < s.rows; r += 4 {
		ADDQ(U8(4*unroll), aRows[r].Base)
	}
	SUBQ(U8(unroll), k)
	JG(LabelRef(s.name + "_loop"))

	cRows := rows(Load(Param("c"), GP64()), Load(Param("ldc"), GP64()), s.rows)
	for r := range acc {
		for v, x := range acc[r] {
			at := cRows[r].Offset(v * s.bytes)
			VADDPS(at, x, x)
			VMOVUPS(x, at)
		}
	}
	VZEROUPPER()
	RET()
}

// rows addresses the first elements of rows that are stride floats apart, with
// one base register for every four of them.
func rows(base, stride reg.Register, n int) []Mem {
	SHLQ(U8(2), stride)
	triple := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	var list []Mem
	for len(list) < n {
		list = append(list, Mem{Base: base}, Mem{Base: base, Index: stride, Scale: 1},
			Mem{Base: base, Index: stride, Scale: 2}, Mem{Base: base, Index: triple, Scale: 1})
		if len(list) < n {
			next := GP64()
			LEAQ(Mem{Base: base, Index: stride, Scale: 4}, next)
			base = next
		}
	}
	return list
}

func zero(x reg.VecVirtual) {
	if x.Size() == 64 {
		VPXORD(x, x, x)
	} else {
		VXORPS(x, x, x)
	}
}
