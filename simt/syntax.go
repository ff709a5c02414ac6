package simt

import (
	"math"
	"strconv"
	"strings"
)

// An attr is an attribute of ops; the table attributes has a row for each.
type attr uint8

const (
	attrBuffer attr = iota
	attrShared
	attrSignals
	attrMap
	attrNumber
	attrWord
	attrAxis
	attrElem
	attrLane
	attrLaneMask
	attrRMW
	attrOrder
	attrPacked
	attrFill
	attrCount
	attrMatrices
	attrMNMajor
	attrLead
	attrPitch
	attrTranspose
	attrCost
	attrAlias
	attrUnordered
	attrDisjoint
	attrUniform
	attrBuffers
	attrAsync
	attrPending
	attrBytes
	attrMulticast
	attrWarpgroup
	attrCluster
	attrOpaque
	attrUnroll
	attrTimes
	attrWraps
	attrMultiple
	numAttrs
)

// attribute says how an attribute is printed, between an op's name and its operands, and how it is read.
type attribute struct {
	name  string // of the field of Op
	set   func(op *Op) bool
	print func(p *printer, op *Op) string // "" where it is left out
	parse func(p *parser, op *Op)
}

var attributes = [numAttrs]attribute{
	attrBuffer: {"Buffer", func(op *Op) bool { return op.Buffer != nil },
		func(p *printer, op *Op) string { return p.buffers[op.Buffer] },
		func(p *parser, op *Op) { op.Buffer = memory(p, p.kernel.Buffers, bufferName) }},
	attrShared: {"Shared", func(op *Op) bool { return op.Shared != nil },
		func(p *printer, op *Op) string { return p.shared[op.Shared] },
		func(p *parser, op *Op) { op.Shared = memory(p, p.kernel.Shared, sharedName) }},
	attrSignals: {"Signals", func(op *Op) bool { return op.Signals != nil },
		func(p *printer, op *Op) string { return p.shared[op.Signals] },
		func(p *parser, op *Op) { op.Signals = memory(p, p.kernel.Shared, sharedName) }},
	attrMap: {"Map", func(op *Op) bool { return op.Map != nil },
		func(p *printer, op *Op) string { return p.maps[op.Map] },
		func(p *parser, op *Op) { op.Map = memory(p, p.kernel.Maps, mapName) }},
	attrNumber: {"Number", func(op *Op) bool { return math.Float64bits(op.Number) != 0 },
		func(_ *printer, op *Op) string { return formatNumber(op.Number) },
		func(p *parser, op *Op) { op.Number = p.number() }},
	attrElem: {"Elem", func(op *Op) bool { return op.Elem != 0 },
		func(_ *printer, op *Op) string { return op.Elem.String() },
		func(p *parser, op *Op) { op.Elem = p.elem() }},
	attrRMW: {"RMW", func(op *Op) bool { return op.RMW != 0 },
		func(_ *printer, op *Op) string { return op.RMW.String() },
		parseRMW},
	attrOrder: {"Order", func(op *Op) bool { return op.Order != Relaxed },
		func(_ *printer, op *Op) string { return given(op.Order != Relaxed, op.Order.String()) },
		func(p *parser, op *Op) {
			for _, o := range []MemoryOrder{AcquireRelease, Acquire, Release} {
				if p.accept(o.String()) {
					op.Order = o
				}
			}
		}},
	attrPacked: {"Packed", func(op *Op) bool { return op.Packed },
		func(_ *printer, op *Op) string { return given(op.Packed, "words of") },
		parsePacked},
	attrFill: {"Fill", func(op *Op) bool { return math.Float64bits(op.Fill) != 0 },
		func(_ *printer, op *Op) string { return given(op.Mask() != nil, "else="+formatNumber(op.Fill)) },
		func(p *parser, op *Op) {
			if p.option("else") {
				op.Fill = p.number()
			}
		}},
	attrOpaque: {"Opaque", func(op *Op) bool { return len(op.Opaque) > 0 },
		func(_ *printer, op *Op) string { return given(len(op.Opaque) > 0, "opaque="+numbers(op.Opaque)) },
		func(p *parser, op *Op) {
			if p.option("opaque") {
				op.Opaque = p.integers()
			}
		}},
	attrWord:      bare("Word", func(op *Op) *int { return &op.Word }),
	attrAxis:      bare("Axis", func(op *Op) *int { return &op.Axis }),
	attrLane:      bare("Lane", func(op *Op) *int { return &op.Lane }),
	attrLaneMask:  bare("LaneMask", func(op *Op) *int { return &op.LaneMask }),
	attrCount:     bare("Count", func(op *Op) *int { return &op.Count }),
	attrPending:   bare("Pending", func(op *Op) *int { return &op.Pending }),
	attrBytes:     bare("Bytes", func(op *Op) *int { return &op.Bytes }),
	attrMatrices:  counted("Matrices", "matrices", func(op *Op) *int { return &op.Matrices }),
	attrLead:      counted("Lead", "lead", func(op *Op) *int { return &op.Lead }),
	attrPitch:     counted("Pitch", "pitch", func(op *Op) *int { return &op.Pitch }),
	attrCost:      counted("Cost", "cost", func(op *Op) *int { return &op.Cost }),
	attrAlias:     counted("Alias", "alias", func(op *Op) *int { return &op.Alias }),
	attrUnordered: counted("Unordered", "unordered", func(op *Op) *int { return &op.Unordered }),
	attrDisjoint:  counted("Disjoint", "disjoint", func(op *Op) *int { return &op.Disjoint }),
	attrMulticast: counted("Multicast", "multicast", func(op *Op) *int { return &op.Multicast }),
	attrWarpgroup: counted("Warpgroup", "warpgroup", func(op *Op) *int { return &op.Warpgroup }),
	attrMultiple:  counted("Multiple", "multiple", func(op *Op) *int { return &op.Multiple }),
	attrMNMajor:   flagged("MNMajor", "mn-major", func(op *Op) *bool { return &op.MNMajor }),
	attrTranspose: flagged("Transpose", "transposed", func(op *Op) *bool { return &op.Transpose }),
	attrUniform:   flagged("Uniform", "uniform", func(op *Op) *bool { return &op.Uniform }),
	attrBuffers:   flagged("Buffers", "buffers", func(op *Op) *bool { return &op.Buffers }),
	attrAsync:     flagged("Async", "async", func(op *Op) *bool { return &op.Async }),
	attrCluster:   flagged("Cluster", "cluster", func(op *Op) *bool { return &op.Cluster }),
	attrUnroll:    flagged("Unroll", "unroll", func(op *Op) *bool { return &op.Unroll }),
	attrTimes:     counted("Times", "times", func(op *Op) *int { return &op.Times }),
	attrWraps:     flagged("Wraps", "wraps", func(op *Op) *bool { return &op.Wraps }),
}

// bare is a number without a name.
func bare(field string, of func(op *Op) *int) attribute {
	return attribute{field, func(op *Op) bool { return *of(op) != 0 },
		func(_ *printer, op *Op) string { return strconv.Itoa(*of(op)) },
		func(p *parser, op *Op) { *of(op) = p.integer() }}
}

// counted is a number with a name, left out where it is 0.
func counted(field, name string, of func(op *Op) *int) attribute {
	set := func(op *Op) bool { return *of(op) != 0 }
	return attribute{field, set,
		func(_ *printer, op *Op) string { return given(set(op), name+"="+strconv.Itoa(*of(op))) },
		func(p *parser, op *Op) {
			if p.option(name) {
				*of(op) = p.integer()
			}
		}}
}

// flagged is a word.
func flagged(field, name string, of func(op *Op) *bool) attribute {
	return attribute{field, func(op *Op) bool { return *of(op) },
		func(_ *printer, op *Op) string { return given(*of(op), name) },
		func(p *parser, op *Op) { *of(op) = p.accept(name) }}
}

func parsePacked(p *parser, op *Op) {
	if t := p.tokens[min(p.at+1, len(p.tokens)-1)]; t.kind == aWord && t.text == "of" && p.accept("words") {
		p.take()
		op.Packed = true
	}
}

func parseRMW(p *parser, op *Op) {
	name := p.word("an atomic op")
	for op.RMW = 0; op.RMW < NumRMW && op.RMW.String() != name; op.RMW++ {
	}
	if op.RMW == NumRMW {
		p.failBack("no atomic op %q", name)
	}
}

func formatNumber(x float64) string {
	format := byte('g')
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		format = 'f'
	}
	return strconv.FormatFloat(x, format, -1, 64)
}

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
