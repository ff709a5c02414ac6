package simt

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
)

// String prints the kernel, one op a line.
func (k *Kernel) String() string {
	p := &printer{}
	p.line("", "workgroup %s threads=%d {", k.Name, k.Threads)
	p.indent++
	for i, b := range k.Buffers {
		p.line("", "buffer %d %s : %v%s%s", i, b.Name, b.Elem, mark(b.Read, " read"), mark(b.Write, " write"))
	}
	for i, w := range k.Words {
		p.line("", "word %d %s : %v", i, w.Name, w.Elem)
	}
	for _, s := range k.Shared {
		p.line("", "shared %s : %v[%d]", s.Name, s.Elem, s.Len)
	}
	p.block(k.Body)
	p.indent--
	p.line("", "}")
	return p.b.String()
}

func mark(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

type printer struct {
	b      strings.Builder
	indent int
}

func (p *printer) line(pos, format string, args ...any) {
	text := strings.Repeat("    ", p.indent) + fmt.Sprintf(format, args...)
	if pos != "" {
		text = fmt.Sprintf("%-64s // %s", text, pos)
	}
	p.b.WriteString(text + "\n")
}

func (v *Value) String() string { return "%" + strconv.Itoa(v.ID) }

func names(vs []*Value) string {
	list := make([]string, len(vs))
	for i, v := range vs {
		list[i] = v.String()
	}
	return strings.Join(list, ", ")
}

func (p *printer) block(b *Block) {
	for _, op := range b.Ops {
		p.op(op)
	}
}

func (p *printer) op(op *Op) {
	text := op.Kind.String() + attributes(op)
	switch {
	case op.Kind == For:
		text = fmt.Sprintf("for %v = %v to %v step %v%s", op.Body.Args[0], op.Args[0], op.Args[1], op.Args[2], mark(op.Unroll, " unroll"))
		for i, a := range op.Body.Args[1:] {
			text += fmt.Sprintf(", %v = %v", a, op.Args[3+i])
		}
	case op.Kind == While:
		for i, a := range op.Body.Args {
			text += fmt.Sprintf("%s %v = %v", mark(i > 0, ","), a, op.Args[i])
		}
	case len(op.Args) > 0:
		text += " " + names(op.Args)
	}
	if len(op.Out) > 0 {
		text = names(op.Out) + " = " + text
	}
	if r := op.Result(); r != nil && op.Body == nil {
		text += " : " + r.Type.String()
	}
	if op.Body == nil {
		p.line(op.Line, "%s", text)
		return
	}
	p.line(op.Line, "%s {", text)
	p.indent++
	p.block(op.Body)
	p.indent--
	if op.Else != nil {
		p.line("", "} else {")
		p.indent++
		p.block(op.Else)
		p.indent--
	}
	p.line("", "}")
}

func attributes(op *Op) string {
	number := strconv.FormatFloat(op.Number, 'g', -1, 64)
	switch op.Kind {
	case Const:
		return " " + number
	case Barrier:
		return mark(op.Index == 1, " buffers")
	case Param, WorkgroupID, Extract, ShuffleXor:
		return fmt.Sprintf(" %d", op.Index)
	case Round16:
		return " " + dtype.Type(op.Index).String()
	case Load:
		if op.Mask() != nil {
			return " " + op.Buffer.Name + " else=" + number
		}
		return " " + op.Buffer.Name
	case Atomic:
		if op.Mask() != nil {
			return " " + op.RMW.String() + " " + op.Buffer.Name + " else=" + number
		}
		return " " + op.RMW.String() + " " + op.Buffer.Name
	case Store:
		return " " + op.Buffer.Name
	case SharedLoad, SharedStore:
		return " " + op.Shared.Name + mark(op.Kind == SharedLoad && op.Index == 1, " uniform")
	}
	return ""
}
