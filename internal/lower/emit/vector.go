package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// ordering says which accesses to a buffer need no barrier between them, see simt.Op.
type ordering struct{ alias, unordered, disjoint int }

func (o ordering) of(op *simt.Op) {
	op.Alias, op.Unordered, op.Disjoint = o.alias, o.unordered, o.disjoint
}

// loadRun loads consecutive elements and returns each. Other than what a mask leaves out is fill. In CUDA four bytes are a word, of which codes of few bits are looked up
// together.
func (l *emitter) loadRun(buf *simt.Buffer, index, mask *simt.Value, n int, fill float64, name string, alias int) []*simt.Value {
	word := l.caps.Language == target.CUDA && n == simt.PerWord(buf.Elem) && (buf.Elem == dtype.U8 || buf.Elem == dtype.I8)
	if n <= distribution.RegisterLanes && !word {
		v := l.b.Load(buf, index, mask, n, fill)
		v.Hint, v.Op.Alias = name, alias
		return l.lanes(v)
	}
	return l.unpackWords(l.loadWords(buf, index, mask, n, fill, name, alias), buf.Elem, name)
}

// loadWords loads consecutive elements that fill words, and returns those.
func (l *emitter) loadWords(buf *simt.Buffer, index, mask *simt.Value, n int, fill float64, name string, alias int) []*simt.Value {
	words := l.b.LoadWords(buf, index, mask, n/simt.PerWord(buf.Elem), simt.FillWord(buf.Elem, fill))
	words.Hint, words.Op.Alias = name, alias
	return l.lanes(words)
}

// unpackWords are the elements that words hold.
func (l *emitter) unpackWords(words []*simt.Value, elem dtype.Type, name string) (elements []*simt.Value) {
	for part := range slices.Chunk(words, distribution.RegisterLanes/simt.PerWord(elem)) { // words of one register vector
		v := l.b.Unpack(l.b.Compose(part...), elem)
		v.Suggest(name)
		elements = append(elements, l.lanes(v)...)
	}
	return elements
}

// lanes are the elements of a vector.
func (l *emitter) lanes(v *simt.Value) []*simt.Value {
	lanes := make([]*simt.Value, v.Type.Width)
	for i := range lanes {
		lanes[i] = l.b.Extract(v, i)
	}
	return lanes
}

// storeRun stores consecutive elements, given in register vectors or one shorter vector.
func (l *emitter) storeRun(buf *simt.Buffer, index *simt.Value, vectors []*simt.Value, mask *simt.Value, order ordering) {
	for i, v := range vectors { // the store rounds by itself
		if v.Op != nil && v.Op.Kind == simt.Round16 && v.Op.Elem == buf.Elem {
			vectors[i] = v.Op.Args[0]
		}
	}
	if len(vectors) == 1 {
		order.of(l.b.Store(buf, index, vectors[0], mask))
		return
	}
	var words []*simt.Value
	for _, v := range vectors {
		words = append(words, l.lanes(l.b.Pack(v, buf.Elem))...)
	}
	order.of(l.b.StoreWords(buf, index, l.b.Compose(words...), mask))
}
