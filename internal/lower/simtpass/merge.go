package simtpass

import (
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// location is where in an array, as its largest part or from a byte on, another one is.
type location struct {
	array *simt.Shared
	at    int
}

// merge makes arrays parts of others, which become as long as their parts need, and moves all accesses there. Values of another type than
// an array's pass as bits.
func merge(k *simt.Func, into map[*simt.Shared]location) {
	names, notes, lengths := map[*simt.Shared]string{}, map[*simt.Shared][]string{}, map[*simt.Shared]int{}
	for _, s := range k.Shared { // in their order
		to, ok := into[s]
		if !ok {
			into[s], to = location{array: s}, location{array: s}
		}
		whole := to.array
		if names[whole] == "" {
			names[whole] = whole.Name
		}
		if s.Name != whole.Name {
			names[whole] = "scratch"
		}
		lengths[whole] = max(lengths[whole], (to.at+s.Bytes())/whole.Elem.Size())
		note := s.Note
		if s.Line != whole.Line {
			note += " (" + s.Line + ")"
		}
		if !slices.Contains(notes[whole], note) {
			notes[whole] = append(notes[whole], note)
		}
	}
	k.Shared = slices.DeleteFunc(k.Shared, func(s *simt.Shared) bool { return into[s].array != s })
	for _, s := range k.Shared {
		s.Name, s.Note, s.Len = names[s], strings.Join(notes[s], "; "), lengths[s]
	}
	redirect(k, into)
}

// redirect moves accesses to arrays to where those are.
func redirect(k *simt.Func, into map[*simt.Shared]location) {
	e := simt.Edit(k)
	cast := func(x *simt.Value, to dtype.Type, line string) *simt.Value {
		return e.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{x}, Line: line}, simt.Vector(to, x.Type.Width))
	}
	e.Rewrite(k.Body, func(op *simt.Op) {
		from, to := op.Shared, into[op.Shared].array
		if by := into[op.Shared].at; by > 0 {
			op.Args[0] = shifted(e, op.Args[0], by/to.Elem.Size())
		}
		op.Shared, op.Signals = to, into[op.Signals].array
		if from == nil || from.Elem == to.Elem {
			e.Do(op)
			return
		}
		if op.Kind == simt.SharedStore {
			op.Args[1] = cast(op.Args[1], to.Elem, op.Line)
			e.Do(op)
			return
		}
		e.Do(op)
		loaded := op.Result()
		was := loaded.Type.Elem
		loaded.Type.Elem = to.Elem
		e.Replace(loaded, e.Name(loaded.Hint, cast(loaded, was, op.Line)))
	})
}

// shifted is an index so many elements on. Of a sum with a number the number changes.
func shifted(e *simt.Editor, index *simt.Value, by int) *simt.Value {
	if index.Op != nil && index.Op.Kind == simt.Add {
		if n, ok := simt.ConstOf(index.Op.Args[1]); ok {
			return e.Binary(simt.Add, index.Op.Args[0], e.Int(int(n)+by))
		}
	}
	return e.Binary(simt.Add, index, e.Int(by))
}
