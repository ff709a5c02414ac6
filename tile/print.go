package tile

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// String prints the kernel, one op a line with its type and, as a comment, the
// line of Go that it came from. A built kernel does not change, so the text is made once.
func (k *Func) String() string {
	if k.edited {
		return k.printed()
	}
	k.print.Do(func() { k.text = k.printed() })
	return k.text
}

func (k *Func) printed() string {
	p := &printer{}
	p.kernel(k)
	return p.b.String()
}

// Hash is the SHA-256 of the kernel's text: equal for equal kernels, whenever they were
// built. It is computed once.
func (k *Func) Hash() [sha256.Size]byte {
	if k.edited {
		return sha256.Sum256([]byte(k.String()))
	}
	k.hash.Do(func() { k.sum = sha256.Sum256([]byte(k.String())) })
	return k.sum
}

type printer struct {
	b      strings.Builder
	indent int
}

// line prints one line; the source position starts at a fixed column.
func (p *printer) line(pos Pos, format string, args ...any) {
	text := strings.Repeat("    ", p.indent) + fmt.Sprintf(format, args...)
	if s := pos.String(); s != "" {
		text = fmt.Sprintf("%-64s // %s", text, s)
	}
	p.b.WriteString(strings.TrimRight(text, " ") + "\n")
}

func (p *printer) kernel(k *Func) {
	p.line(Pos{}, "kernel %s {", k.Name)
	p.indent++
	if k.Schedule != (Schedule{}) {
		p.line(Pos{}, "schedule %v", k.Schedule)
	}
	for _, v := range k.Views {
		access := v.Access.String()
		if v.Cleared {
			access += " cleared"
		}
		if v.Streamed {
			access += " streamed"
		}
		p.line(v.Pos, "view %s %s : %v rank %d", v.Name, access, v.Elem, v.Rank)
	}
	for _, s := range k.Scalars {
		p.line(s.Pos, "scalar %s : %v", s.Name, s.Elem)
	}
	p.region(k.Body)
	var grid []string
	for _, g := range k.Grid {
		if g != nil {
			grid = append(grid, g.String())
		}
	}
	p.line(Pos{}, "grid %s", strings.Join(grid, ", "))
	p.indent--
	p.line(Pos{}, "}")
}

func (p *printer) region(r *Region) {
	for _, op := range r.Ops {
		p.op(op)
	}
}

func (p *printer) op(op *Op) {
	switch {
	case op.Kind.Fact().Class == Control && op.Body != nil:
		p.block(op)
		return
	case op.Kind.Fact().Class == Combine:
		p.combine(op)
		return
	}
	text := op.Kind.String() + attributes(op)
	if len(op.Args) > 0 {
		text += " " + names(op.Args)
	}
	if r := op.Result(); r != nil {
		text = fmt.Sprintf("%v = %s : %v", r, text, r.typ)
	}
	p.line(op.Pos, "%s", text)
}

// block prints an op with bodies.
func (p *printer) block(op *Op) {
	head, params, inits := op.Kind.String(), op.Body.Args, op.Args
	switch op.Kind {
	case OpFor:
		head = fmt.Sprintf("for %v = %v to %v step %v", params[0], inits[0], inits[1], inits[2])
		params, inits = params[1:], inits[3:]
	case OpIf:
		head, inits = "if "+inits[0].String(), nil
	}
	if len(op.Out) > 0 {
		head = names(op.Out) + " = " + head
	}
	for i, a := range params {
		head += fmt.Sprintf("%s %v = %v", [2]string{" carrying", ","}[min(i, 1)], a, inits[i])
	}
	p.line(op.Pos, "%s {", head)
	p.indent++
	p.region(op.Body)
	p.indent--
	if op.Else != nil && (len(op.Else.Ops) > 1 || len(op.Out) > 0) {
		p.line(Pos{}, "} else {")
		p.indent++
		p.region(op.Else)
		p.indent--
	}
	p.line(Pos{}, "}")
}

// attributes prints what distinguishes an op in addition to its operands.
func attributes(op *Op) string {
	switch op.Kind {
	case OpConst, OpMultipleOf, OpContiguous:
		return " " + number(op.Number)
	case OpIota, OpSplit, OpProgramID, OpNumPrograms, OpReduceSum, OpReduceMax, OpReduceMin, OpReduceProd, OpReduceAny, OpReduceAll, OpReduce, OpScan:
		if op.Reverse {
			return fmt.Sprintf(" axis=%d reverse", op.Axis)
		}
		return fmt.Sprintf(" axis=%d", op.Axis)
	case OpRank:
		return fmt.Sprintf(" run=%s bits=%d", number(op.Number), op.Axis)
	case OpDim:
		return fmt.Sprintf(" %s axis=%d", op.View.Name, op.Axis)
	case OpArg:
		return " " + op.Scalar.Name
	case OpLoad, OpGather:
		return fmt.Sprintf(" %s fill=%s", op.View.Name, number(op.Number)) + proven(op)
	case OpPermute:
		return fmt.Sprintf(" %v", op.Perm)
	case OpAtomic:
		if op.Order != Relaxed {
			return fmt.Sprintf(" %v %v %s fill=%s", op.Order, op.RMW, op.View.Name, number(op.Number))
		}
		return fmt.Sprintf(" %v %s fill=%s", op.RMW, op.View.Name, number(op.Number))
	case OpStore, OpScatter:
		return " " + op.View.Name + proven(op)
	case OpAssert, OpPrint:
		return " " + strconv.Quote(op.Text)
	case OpDot:
		return " precision=" + op.Precision.String()
	}
	return ""
}

// proven prints what a compiler's passes found of an access: the points that one may cover, the
// dimensions along which a block is within its view.
func proven(op *Op) string {
	text := ""
	if op.Run > 1 {
		text = fmt.Sprintf(" run=%d axis=%d", op.Run, op.Axis)
	}
	if op.ByElement {
		text += " by_element"
	}
	for d := range 8 {
		if op.Inside>>d&1 != 0 {
			text += fmt.Sprintf(" inside=%d", d)
		}
	}
	return text
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func names(vs []*Value) string {
	list := make([]string, len(vs))
	for i, v := range vs {
		list[i] = v.String()
	}
	return strings.Join(list, ", ")
}
