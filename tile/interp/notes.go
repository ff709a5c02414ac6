package interp

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/gemm"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// Notes are the choices that were made, one a line: the kernel's line, what became machine code, and what did not, with the reason. There are
// none where the program does not compile.
func (p *Program) Notes() []string {
	if p.Compile() != nil {
		return nil
	}
	return p.code.notes
}

func (c *compiler) note(op *tile.Op, format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf("%s: %s", op.Pos, fmt.Sprintf(format, args...)))
}

// noteLoop tells of a group's loop.
func (c *compiler) noteLoop(g *group, n *nest, steps, vectors int) {
	kinds := make([]string, len(g.ops))
	for i, op := range g.ops {
		kinds[i] = op.Kind.String()
	}
	rows := fmt.Sprintf("%d rows of %d elements", n.rows, n.columns)
	if n.flat {
		rows = fmt.Sprintf("%d elements", n.rows*n.columns)
	}
	c.note(g.ops[0], "%s: one loop over %s, in %d steps on vectors of %s, %d at a time", strings.Join(kinds, ", "), rows, steps, processor.Best, vectors)
}

// notePairs tells of a reduction or a scan in pairs.
func (c *compiler) notePairs(op *tile.Op, steps int) {
	c.note(op, "%v of %v: in pairs, in %d steps on vectors of %s", op.Kind, op.Args[0].Type(), steps, processor.Best)
}

// noteStep tells of an op on many elements that has a step in Go.
func (c *compiler) noteStep(op *tile.Op) {
	class, v := op.Kind.Fact().Class, op.Result()
	if (class == tile.Reduction || class == tile.Combine) && c.inPairs(op) {
		return
	}
	if class == tile.Control || class == tile.Debug || class == tile.Hint || v == nil && op.Kind != tile.OpStore && op.Kind != tile.OpScatter {
		return
	}
	if v == nil || class == tile.Reduction {
		v = op.Args[0]
	}
	t := v.Type()
	if t.Len() < leastFused {
		return
	}
	if op.Kind == tile.OpDot {
		c.noteDot(op)
		return
	}
	if op.Kind == tile.OpPermute && c.how > inGo {
		c.note(op, "permute of %v: elements are copied, in squares", t)
		return
	}
	c.note(op, "%v of %v: in Go, %s", op.Kind, t, c.whyNot(op))
}

// noteDot tells of a product: by what it is computed, and what of its operands is read where it is.
func (c *compiler) noteDot(op *tile.Op) {
	left, right := op.Args[0].Type(), op.Args[1].Type().Shape
	last := len(right) - 1
	if c.how <= copying || left.Elem == dtype.F64 || !left.Elem.IsFloat() && c.operands[op] == nil {
		c.note(op, "dot of %v: in Go, %s", left, c.whyNot(op))
		return
	}
	where := ""
	for i, x := range c.operands[op] {
		if x.load != nil {
			where += fmt.Sprintf(", %s in place", [...]string{"a", "b"}[i])
		}
	}
	c.note(op, "dot: %s%s", gemm.Describe(left.Shape[last-1], right[last], left.Shape[last]), where)
}

// whyNot says why an op is in no loop.
func (c *compiler) whyNot(op *tile.Op) string {
	switch {
	case c.how == copying && processor.Best == processor.None:
		return "since there is no machine code for the processor"
	case c.how <= copying:
		return "as asked"
	}
	for _, v := range append(op.Out[:len(op.Out):len(op.Out)], op.Args...) {
		if !fusedElem(v.Type().Elem) {
			return fmt.Sprintf("since lanes have 32 bits and %v has 64", v.Type().Elem)
		}
	}
	if shape, ok := fusedShape(op); ok {
		return fmt.Sprintf("since nothing is computed with the elements of %v here", shape)
	}
	return "since vectors have no instruction for it"
}
