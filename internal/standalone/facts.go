package standalone

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/target"
)

// Limits beyond which divisors change nothing, see axis.FactsOf.
const (
	sizeDivisor   = 256
	strideDivisor = 16
)

// divisor is the largest power of two, up to a limit, that is known to divide n.
func divisor(n int64, limit int) int {
	d := 1
	for d < limit && n%int64(2*d) == 0 {
		d *= 2
	}
	return d
}

// known is what divides an expression whatever its variables are.
func (p *Plan) known(e Expr, limit int) int {
	if e.isConst() {
		return divisor(e.Factor+e.Plus, limit)
	}
	if e.Less >= 0 {
		return 1
	}
	n := e.Factor
	for _, v := range e.Vars {
		if v < len(p.Times) {
			n *= int64(p.Times[v])
		}
	}
	return min(divisor(n, limit), divisor(e.Plus, limit))
}

// compiled is a kernel compiled for facts.
type compiled struct {
	artifact *compile.Artifact
	facts    compile.Facts
	tests    []test // that the facts hold, in addition to the grid's limits
}

// test is a fact that is tested at run time: what of view must be a multiple of divisor.
type test struct {
	view, word int // word 0 is the offset
	divisor    int
}

// general is what the plan implies about a step's arguments. The grid is folded if it could be too large otherwise.
func (p *Plan) general(s Step) compile.Facts {
	f := compile.Facts{Views: make([]axis.ViewFacts, len(s.Words)), Folded: s.Kernel.Grid[1] != nil || s.Kernel.Grid[2] != nil}
	buffers := s.distinct()
	for v, words := range s.Words {
		rank := (len(words) - 1) / 2
		view := axis.ViewFacts{Buffer: slices.Index(buffers, s.Buffers[v]), Offset: 1, Dims: make([]axis.DimFacts, rank)}
		for d := range view.Dims {
			size, stride := words[1+d], words[1+rank+d]
			dim := axis.DimFacts{Size: p.known(size, sizeDivisor), Stride: p.known(stride, strideDivisor)}
			switch {
			case size.isConst() && size.eval(nil) <= 1:
				dim.Kind, dim.Stride = axis.ZeroStride, strideDivisor
			case stride.isConst() && stride.eval(nil) == 1:
				dim.Kind = axis.UnitStride
			case stride.isConst() && stride.eval(nil) == 0:
				dim.Kind = axis.ZeroStride
			}
			view.Dims[d] = dim
		}
		f.Views[v] = view
	}
	return f
}

// distinct lists a step's buffers in the order in which its views name them first.
func (s Step) distinct() (list []int) {
	for _, b := range s.Buffers {
		if !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	return list
}

// variants compiles a step for what is known, and for what holds at sizes as far as this gives other code: then
// the weakest facts that give that code.
func (p *Plan) variants(s Step, sizes []int) (list []compiled, err error) {
	caps := p.Caps
	caps.MaxGrid = [3]int{} // of which the host code takes care
	general := compiled{facts: p.general(s)}
	if general.artifact, err = compile.Emit(s.Kernel, general.facts, caps); err != nil {
		return nil, err
	}
	facts := p.possible(s, general.facts, p.vars(sizes))
	best, err := compile.Emit(s.Kernel, withFacts(general.facts, facts), caps)
	if err != nil || best.Source.Text == general.artifact.Source.Text {
		return []compiled{general}, err
	}
	fast := compiled{artifact: best}
	for i := range facts {
		if err := weaken(s, general.facts, facts, i, best.Source.Text, caps); err != nil {
			return nil, err
		}
	}
	fast.facts = withFacts(general.facts, facts)
	if fast.artifact, err = compile.Emit(s.Kernel, fast.facts, caps); err != nil {
		return nil, err
	}
	for _, f := range facts {
		if f.now > f.least {
			fast.tests = append(fast.tests, test{f.uses[0].view, f.uses[0].word, f.now})
		}
	}
	return []compiled{fast, general}, nil
}

// fact is that a divisor divides an expression, wherever it is used.
type fact struct {
	uses       []test
	least, now int
}

// possible lists what holds for values of the variables beyond what always does.
func (p *Plan) possible(s Step, general compile.Facts, vars []int) (list []*fact) {
	index := map[string]*fact{}
	add := func(key string, use test, least, now int) {
		if now <= least {
			return
		}
		f := index[key]
		if f == nil {
			f = &fact{least: least}
			index[key] = f
			list = append(list, f)
		}
		f.uses, f.now = append(f.uses, use), max(f.now, now)
	}
	for v, words := range s.Words {
		view := general.Views[v]
		add(fmt.Sprint("offset", view.Buffer), test{view: v}, 1, divisor(words[0].eval(vars), strideDivisor))
		for d, dim := range view.Dims {
			size, stride := 1+d, 1+len(view.Dims)+d
			key := func(w int) string { return words[w].c(p.Vars) }
			add(key(size), test{view: v, word: size}, dim.Size, divisor(words[size].eval(vars), sizeDivisor))
			add(key(stride), test{view: v, word: stride}, dim.Stride, divisor(words[stride].eval(vars), strideDivisor))
		}
	}
	return list
}

// withFacts are the general facts and others.
func withFacts(general compile.Facts, facts []*fact) compile.Facts {
	f := compile.Facts{Views: slices.Clone(general.Views)}
	for v := range f.Views {
		f.Views[v].Dims = slices.Clone(f.Views[v].Dims)
	}
	for _, x := range facts {
		for _, use := range x.uses {
			view := &f.Views[use.view]
			switch rank := len(view.Dims); {
			case use.word == 0:
				view.Offset = max(view.Offset, min(x.now, strideDivisor))
			case use.word <= rank:
				dim := &view.Dims[use.word-1]
				dim.Size = max(dim.Size, min(x.now, sizeDivisor))
			default:
				dim := &view.Dims[use.word-1-rank]
				dim.Stride = max(dim.Stride, min(x.now, strideDivisor))
			}
		}
	}
	return f
}

// weaken lowers a fact as long as the code stays the same.
func weaken(s Step, general compile.Facts, facts []*fact, i int, text string, caps target.Caps) error {
	same := func(n int) (bool, error) {
		was := facts[i].now
		facts[i].now = n
		a, err := compile.Emit(s.Kernel, withFacts(general, facts), caps)
		if err != nil || a.Source.Text != text {
			facts[i].now = was
			return false, err
		}
		return true, nil
	}
	if ok, err := same(facts[i].least); ok || err != nil {
		return err
	}
	for facts[i].now > facts[i].least {
		if ok, err := same(facts[i].now / 2); !ok || err != nil {
			return err
		}
	}
	return nil
}
