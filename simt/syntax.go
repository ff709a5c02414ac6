package simt

import (
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
)

// An attribute is a part of an op's printed form between its name and its
// operands: how it is printed, and how it is read.
type attribute struct {
	print func(p *printer, op *Op) string // "" where it is left out
	parse func(p *parser, op *Op)
}

// syntax lists the attributes of the kinds that have some, in their order.
var syntax = map[Kind][]attribute{
	Const:       {{printNumber, func(p *parser, op *Op) { op.Number = p.number() }}},
	Param:       {index},
	WorkgroupID: {index},
	Extract:     {index},
	ShuffleXor:  {index},
	Round16:     {{printElem, func(p *parser, op *Op) { op.Index = int(p.elem()) }}},
	Barrier:     {flagged("buffers")},
	Unpack:      {{printElem, func(p *parser, op *Op) { op.Index = int(p.elem()) }}},
	Pack:        {{printElem, func(p *parser, op *Op) { op.Index = int(p.elem()) }}},
	Load:        {words, buffer, numbered("place"), fill},
	Store:       {words, buffer, numbered("place")},
	Atomic:      {rmw, buffer, numbered("place"), fill},
	SharedLoad:  {words, shared, flagged("uniform"), cost, fill},
	SharedStore: {words, shared, numbered("run"), cost},
	MMA:         {{printElem, func(p *parser, op *Op) { op.Index = int(p.elem()) }}},
	LoadMatrix:  {shared, flagged("transposed"), cost},
	StoreMatrix: {shared, transposed, numbered("run"), cost},
	GroupMMA:    {{printElem, func(p *parser, op *Op) { op.Index = int(p.elem()) }}, counted("pieces", func(op *Op) *int { return &op.Pieces })},
	GroupWait:   {index},
	MatrixPlace: {shared, across, numbered("lead")},
	CopyAsync:   {index, shared, buffer, cost},
	CopyWait:    {index},
	TensorCopy:  {tensorMap, shared, signals, numbered("cluster")},
	TensorStore: {tensorMap, shared},
	StoreWait:   {index},
	Expect:      {index, shared},
	Arrive:      {shared, flagged("cluster")},
	Wait:        {shared},
}

var (
	index = attribute{
		func(_ *printer, op *Op) string { return strconv.Itoa(op.Index) },
		func(p *parser, op *Op) { op.Index = p.integer() },
	}
	words = attribute{
		func(_ *printer, op *Op) string { return given(op.Words, "words of") },
		func(p *parser, op *Op) {
			if t := p.tokens[min(p.at+1, len(p.tokens)-1)]; t.kind == aWord && t.text == "of" && p.accept("words") {
				p.take()
				op.Words = true
			}
		},
	}
	buffer = attribute{
		func(p *printer, op *Op) string { return p.buffers[op.Buffer] },
		func(p *parser, op *Op) { op.Buffer = memory(p, p.kernel.Buffers, bufferName) },
	}
	shared = attribute{
		func(p *printer, op *Op) string { return p.shared[op.Shared] },
		func(p *parser, op *Op) { op.Shared = memory(p, p.kernel.Shared, sharedName) },
	}
	signals = attribute{
		func(p *printer, op *Op) string { return p.shared[op.Signals] },
		func(p *parser, op *Op) { op.Signals = memory(p, p.kernel.Shared, sharedName) },
	}
	tensorMap = attribute{
		func(p *printer, op *Op) string { return p.maps[op.Map] },
		func(p *parser, op *Op) { op.Map = memory(p, p.kernel.Maps, mapName) },
	}
	rmw = attribute{
		func(_ *printer, op *Op) string { return op.RMW.String() },
		func(p *parser, op *Op) {
			name := p.word("an atomic op")
			for op.RMW = 0; op.RMW < NumRMW && op.RMW.String() != name; op.RMW++ {
			}
			if op.RMW == NumRMW {
				p.failBack("no atomic op %q", name)
			}
		},
	}
	across     = acrossAs("across")
	transposed = acrossAs("transposed")
	// fill is what a masked access reads where its mask is false.
	fill = attribute{
		func(_ *printer, op *Op) string {
			if op.Mask() == nil {
				return ""
			}
			return "else=" + formatNumber(op.Number)
		},
		func(p *parser, op *Op) {
			if p.option("else") {
				op.Number = p.number()
			}
		},
	}
)

// acrossAs is a word that stands for Across.
func acrossAs(name string) attribute {
	return attribute{
		func(_ *printer, op *Op) string { return given(op.Across, name) },
		func(p *parser, op *Op) { op.Across = p.accept(name) },
	}
}

// flagged is a word that stands for Index 1.
func flagged(name string) attribute {
	return attribute{
		func(_ *printer, op *Op) string {
			if op.Index == 1 {
				return name
			}
			return ""
		},
		func(p *parser, op *Op) {
			if p.accept(name) {
				op.Index = 1
			}
		},
	}
}

// numbered is an Index that is left out where it is 0.
func numbered(name string) attribute {
	return counted(name, func(op *Op) *int { return &op.Index })
}

var cost = counted("cost", func(op *Op) *int { return &op.Cost })

// counted is a number that is left out where it is 0.
func counted(name string, field func(op *Op) *int) attribute {
	return attribute{
		func(_ *printer, op *Op) string {
			if *field(op) == 0 {
				return ""
			}
			return name + "=" + strconv.Itoa(*field(op))
		},
		func(p *parser, op *Op) {
			if p.option(name) {
				*field(op) = p.integer()
			}
		},
	}
}

func printNumber(_ *printer, op *Op) string { return formatNumber(op.Number) }

func formatNumber(x float64) string {
	format := byte('g')
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		format = 'f'
	}
	return strconv.FormatFloat(x, format, -1, 64)
}

func printElem(_ *printer, op *Op) string { return dtype.Type(op.Index).String() }

func bufferName(b *Buffer) string { return b.Name }

func mapName(m *TensorMap) string { return m.Name }

func sharedName(s *Shared) string { return s.Name }

// references are the names by which ops refer to memory: its name, and its
// number too if another has that name.
func references[M comparable](all []M, name func(M) string) map[M]string {
	count := map[string]int{}
	for _, m := range all {
		count[name(m)]++
	}
	refs := map[M]string{}
	for i, m := range all {
		refs[m] = quoted(name(m))
		if count[name(m)] > 1 {
			refs[m] += "#" + strconv.Itoa(i)
		}
	}
	return refs
}

// quoted is a name as it is printed: in quotes unless it is an identifier.
func quoted(name string) string {
	if isIdentifier(name) {
		return name
	}
	return strconv.Quote(name)
}

func isIdentifier(name string) bool {
	for _, r := range name {
		if !isLetter(r) && !isDigit(r) {
			return false
		}
	}
	return name != "" && !isDigit(rune(name[0]))
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// comment is what follows an op or a shared array: its line and its note.
func comment(line, note string) string {
	if note == "" {
		return line
	}
	return line + "; " + strings.Join(strings.Fields(note), " ")
}
