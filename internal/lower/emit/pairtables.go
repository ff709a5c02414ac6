package emit

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Both numbers of a byte of codes are one word of shared memory: pairs by bytes, with a copy for each bank, so that no two threads of a warp wait for each other. An access and three
// instructions find them, where picking bytes from registers takes about six. The table takes 32 KiB.

const (
	banks     = 32
	byteCodes = 256
	// pairTableBytes is the size of a table of pairs, and of the numbers that fill it.
	pairTableBytes = 4 * (byteCodes*banks + codes.Count)
)

// pairTable is an array of pairs, and one of numbers, each twice in a word.
type pairTable struct {
	halfNumbers
	pairs, numbers *simt.Shared
}

// halfNumbers are numbers rounded to a type of 16 bits.
type halfNumbers struct {
	numbers [codes.Count]uint32 // bits of F32
	elem    dtype.Type
}

// word is the word of a number.
func (h halfNumbers) word(c int) float64 {
	return float64(simt.FillWord(h.elem, float64(math.Float32frombits(h.numbers[c]))))
}

// pairInShared is a word of the numbers of two neighbours, the halves of a byte; nil if they are not, or if tables are not wanted.
func (l *emitter) pairInShared(x, y bitTable, e dtype.Type) *simt.Value {
	if !l.tabled || l.caps.Language != target.CUDA || x.word != y.word || y.at != x.at+4 || x.at%8 != 0 {
		return nil
	}
	const shift = 5 // of bytes, by the number of banks
	row := x.word
	if x.at < shift {
		row = l.b.Binary(simt.Shl, row, l.constantWord(uint32(shift-x.at)))
	} else {
		row = l.b.Binary(simt.Shr, row, l.constantWord(uint32(x.at-shift)))
	}
	row = l.b.Binary(simt.And, row, l.constantWord((byteCodes-1)<<shift))
	bank := l.b.Binary(simt.And, l.b.Convert(l.thread, dtype.U32), l.constantWord(banks-1))
	w := l.b.SharedLoad(l.pairTable(halfNumbers{[codes.Count]uint32(x.numbers), e}).pairs, l.b.Convert(l.b.Binary(simt.Or, row, bank), dtype.I32), 1)
	w.Op.Cost = max(l.threads/banks, 1)
	return w
}

// pairTable is the table of some numbers.
func (l *emitter) pairTable(h halfNumbers) pairTable {
	if i := slices.IndexFunc(l.pairTables, func(t pairTable) bool { return t.halfNumbers == h }); i >= 0 {
		return l.pairTables[i]
	}
	t := pairTable{h, l.newShared("pairs", dtype.U32, byteCodes*banks, "the numbers of a byte of codes, for each bank"), l.newShared("numbers", dtype.U32, codes.Count, "the numbers of codes")}
	l.pairTables = append(l.pairTables, t)
	l.note("two numbers at once are looked up in %d bytes of shared memory", pairTableBytes)
	return t
}

// fillPairTables fills the tables where the kernel begins: its first threads store the numbers, and all of them pairs, four copies at a time.
func (l *emitter) fillPairTables() {
	if len(l.pairTables) == 0 {
		return
	}
	const wide = 4
	e, thread := simt.Edit(l.b.Func), l.thread
	word := func(x float64) *simt.Value { return e.Const(simt.Scalar(dtype.U32), x) }
	for _, t := range l.pairTables {
		e.SetLine(t.numbers.Line)
		x := word(t.word(0))
		for c := 1; c < codes.Count; c++ {
			x = e.Select(e.Binary(simt.Eq, thread, e.Int(c)), word(t.word(c)), x)
		}
		e.SharedStore(t.numbers, 0, thread, x, e.Binary(simt.Lt, thread, e.Int(codes.Count)))
	}
	for _, t := range l.pairTables {
		e.SetLine(t.pairs.Line)
		run := l.newSet()
		for at := 0; at < byteCodes*banks/wide; at += l.threads {
			i := e.Binary(simt.Add, thread, e.Int(at))
			code := e.Binary(simt.Shr, i, e.Int(3)) // of as many vectors as a row has
			low := e.SharedLoad(t.numbers, e.Binary(simt.And, code, e.Int(codes.Count-1)), 1)
			high := e.SharedLoad(t.numbers, e.Binary(simt.Shr, code, e.Int(4)), 1)
			pair := e.Binary(simt.Or, e.Binary(simt.And, low, word(0xffff)), e.Binary(simt.And, high, word(0xffff0000)))
			e.SharedStore(t.pairs, run, e.Binary(simt.Mul, i, e.Int(wide)), e.Splat(pair, wide), nil).Cost = wide * max(l.threads/banks, 1)
		}
	}
	ops, body := e.Take(), l.b.Func.Body
	body.Ops = slices.Insert(body.Ops, slices.Index(body.Ops, thread.Op)+1, ops...)
}
