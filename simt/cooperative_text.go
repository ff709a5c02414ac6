package simt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
)

// text is the declaration of an instruction of cooperative matrices:
//
//	cooperative 0 16x16x16 : threads 32 rows 16 columns 16 bytes 32 sums f16 f32
//	    a registers 8 0, 0 1 threads 1 0, 2 0
//
// with the registers and the threads of each fragment on the same line, or the word opaque instead of them.
func (m *MatrixInstruction) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "threads %d rows %d columns %d bytes %d", m.Threads, m.Rows, m.Columns, m.Bytes)
	for _, e := range slices.Sorted(maps.Keys(m.Sums)) {
		fmt.Fprintf(&b, " sums %v %v", e, m.Sums[e])
	}
	if m.Opaque {
		return b.String() + " opaque"
	}
	for _, of := range m.fragments() {
		fmt.Fprintf(&b, " %v registers%s threads%s", of.use, pairs(of.fragment.Registers), pairs(of.fragment.Threads))
	}
	return b.String()
}

// matrixOperand is a fragment and which operand it is of.
type matrixOperand struct {
	use      MatrixUse
	fragment *Fragment
}

func (m *MatrixInstruction) fragments() []matrixOperand {
	return []matrixOperand{{MatrixA, &m.A}, {MatrixB, &m.B}, {MatrixC, &m.C}}
}

// pairs prints " 8 0, 0 1".
func pairs(list [][2]int) string {
	var b strings.Builder
	for i, p := range list {
		fmt.Fprintf(&b, "%s %d %d", given(i > 0, ","), p[0], p[1])
	}
	return b.String()
}

// cooperative reads what text prints.
func (p *parser) cooperative(name string) *MatrixInstruction {
	m := &MatrixInstruction{Name: name, Cooperative: true, Sums: map[dtype.Type]dtype.Type{}}
	for _, n := range []struct {
		name string
		to   *int
	}{{"threads", &m.Threads}, {"rows", &m.Rows}, {"columns", &m.Columns}, {"bytes", &m.Bytes}} {
		p.expect(n.name)
		*n.to = p.integer()
	}
	m.MostColumns = m.Columns
	var elem dtype.Type
	for p.accept("sums") {
		elem = p.elem()
		m.Sums[elem] = p.elem()
	}
	if p.accept("opaque") {
		if len(m.Sums) == 1 && isPower(m.Rows) && isPower(m.Columns) && isPower(m.Bytes) && elem.Size() > 0 {
			m.MakeOpaque(elem)
		}
		m.Opaque = true
		return m
	}
	for _, of := range m.fragments() {
		p.expect(of.use.String())
		p.expect("registers")
		of.fragment.Registers = p.pairs()
		p.expect("threads")
		of.fragment.Threads = p.pairs()
	}
	return m
}

func (p *parser) pairs() (list [][2]int) {
	if t := p.peek(); t.kind != aWord || !isDigit(rune(t.text[0])) {
		return nil
	}
	for {
		list = append(list, [2]int{p.integer(), p.integer()})
		if !p.accept(",") {
			return list
		}
	}
}

// matrixShape reads "a 16 8" or "c 16 16 of f16", if that follows.
func (p *parser) matrixShape() (s MatrixShape) {
	for use := MatrixA; use <= MatrixC; use++ {
		if p.accept(use.String()) {
			s = MatrixShape{Use: use, Rows: p.integer(), Columns: p.integer()}
			if use == MatrixC {
				p.expect("of")
				s.Of = p.elem()
			}
			return s
		}
	}
	return s
}
