package simt

import (
	"fmt"
	"strconv"
	"strings"
)

// String prints the kernel, one op a line with its line of the tile kernel;
// Parse reads it back.
func (k *Func) String() string {
	p := &printer{buffers: references(k.Buffers, bufferName), shared: references(k.Shared, sharedName), maps: references(k.Maps, mapName)}
	p.line("", "workgroup %s threads=%d%s {", quoted(k.Name), k.Threads, given(k.Producers > 0, " producers="+strconv.Itoa(k.Producers))+given(k.Consumers > 1, " consumers="+strconv.Itoa(k.Consumers))+
		given(k.Cluster > 0, " cluster="+strconv.Itoa(k.Cluster))+given(k.Resident > 0, " resident="+strconv.Itoa(k.Resident))+given(k.DeviceAddresses, " addresses")+
		given(k.Registers != Registers{}, fmt.Sprintf(" registers=%d, %d", k.Registers.Producer, k.Registers.Consumer)))
	p.indent++
	for i, b := range k.Buffers {
		p.line("", "buffer %d %s : %v%s%s%v", i, quoted(b.Name), b.Elem, given(b.Read, " read"), given(b.Write, " write")+given(b.Streamed, " streamed"), b.Declared)
	}
	for i, m := range k.Maps {
		p.line("", "map %d %s : %s of view %d dims %s box %s", i, quoted(m.Name), p.buffers[m.Buffer], m.View, numbers(m.Dims), numbers(m.Box))
	}
	for i, m := range k.Cooperative {
		p.line("", "cooperative %d %s : %s", i, quoted(m.Name), m.text())
	}
	for i, w := range k.Words {
		p.line("", "word %d %s : %v%s", i, quoted(w.Name), w.Elem, given(w.Size, " size"))
	}
	for i, s := range k.Shared {
		p.line(comment(s.Line, s.Note), "shared %d %s : %v[%d]%s%v", i, quoted(s.Name), s.Elem, s.Len, given(s.Stages > 0, " stages="+strconv.Itoa(s.Stages))+given(s.Late, " late")+given(s.Arrivals > 0, " arrivals="+strconv.Itoa(s.Arrivals)), s.Declared)
	}
	p.block(k.Body)
	p.indent--
	p.line("", "}")
	return p.b.String()
}

func given(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

type printer struct {
	b       strings.Builder
	indent  int
	buffers map[*Buffer]string
	shared  map[*Shared]string
	maps    map[*TensorMap]string
}

func (p *printer) line(pos, format string, args ...any) {
	text := strings.Repeat("    ", p.indent) + fmt.Sprintf(format, args...)
	if pos != "" {
		text = fmt.Sprintf("%-64s // %s", text, pos)
	}
	p.b.WriteString(text + "\n")
}

// String prints "%3" or, with a hint, "%row.3".
func (v *Value) String() string {
	if v.Hint == "" {
		return "%" + strconv.Itoa(v.ID)
	}
	return "%" + quoted(v.Hint) + "." + strconv.Itoa(v.ID)
}

// numbers prints "1, 2".
func numbers(list []int) string {
	text := make([]string, len(list))
	for i, n := range list {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, ", ")
}

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
	text := op.Kind.String()
	if op.Kind == For {
		text = fmt.Sprintf("for %v = %v to %v step %v", op.Body.Args[0], op.Args[0], op.Args[1], op.Args[2])
	}
	for _, a := range facts[op.Kind].attrs {
		if s := attributes[a].print(p, op); s != "" {
			text += " " + s
		}
	}
	switch {
	case op.Kind == For:
		for i, a := range op.Body.Args[1:] {
			text += fmt.Sprintf(", %v = %v", a, op.Args[3+i])
		}
	case op.Kind == While:
		for i, a := range op.Body.Args {
			text += fmt.Sprintf("%s %v = %v", given(i > 0, ","), a, op.Args[i])
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
		p.line(comment(op.Line, op.Note), "%s", text)
		return
	}
	p.line(comment(op.Line, op.Note), "%s {", text)
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
