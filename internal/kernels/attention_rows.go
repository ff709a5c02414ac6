package kernels

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A few queries leave most of a tile of products empty, and reading keys and values takes longest. Then each query is multiplied with keys
// element by element, as they come from memory. The threads that have one key's elements are a slot. Each thread multiplies its elements of a key with those
// of all queries. The sums of a slot's threads are then added: threads exchange them, so that each adds those of some keys and queries and computes
// their weights, and all threads of a slot get all weights. Slots keep greatest scores, sums and results of their own through the loop,
// which are combined once after it.

const (
	mostRows    = 8 // queries that one program takes so, which all stay in its registers
	keysOfSlots = 4 // keys of a slot in a step, of one query twice as many
	queriesRows = 4 // queries whose products by matrix instructions are not faster

	// The keys of a slot where the next step's loads are under way: as few as hide them where threads shuffle, and more where they
	// wait for one another in each step to exchange sums through shared memory.
	keysAhead, keysExchanged = 2, 8
)

// lanes are the threads of a slot, with 16 bytes of a key each.
func (cfg AttentionConfig) lanes() int { return max(cfg.BD*cfg.Elem.Size()/16, 1) }

// slots are the keys that the threads of a program have at a time.
func (cfg AttentionConfig) slots() int { return max(min(cfg.Threads/cfg.lanes(), cfg.BN), 1) }

// rowsTile is a program's part of attention by rows. The scores of a step are [n,slots,BM].
type rowsTile struct {
	*attention
	n, slots       int
	column         *tile.Value     // the only block of the head
	queries        [][]*tile.Value // of each row, elements that a thread multiplies one after the other, [1,1,lanes,1]
	largest, total *tile.Var       // [1,slots,BM]
	sums           []*tile.Var     // of each row, [slots,BD,1]
}

// describeRows is Attention by rows.
func (a *attention) describeRows() {
	r := a.newRows()
	for i := range a.RangeStep(a.begin, a.end, 1) {
		r.add(i)
	}
	r.finish()
	if a.cfg.Combines {
		a.combine()
	}
}

func (a *attention) newRows() *rowsTile {
	cfg := a.cfg
	r := &rowsTile{attention: a, slots: cfg.slots(), column: a.Int(0)}
	r.requireShapes()
	r.n = cfg.BN / r.slots
	for i := range cfg.BM {
		q := a.rowOf(i).queries(cfg.BD, 0).Cast(dtype.F32)
		r.queries = append(r.queries, split(q.Reshape(1, 1, cfg.lanes(), cfg.BD/cfg.lanes())))
		r.sums = append(r.sums, a.Var(a.Zeros(dtype.F32, r.slots, cfg.BD, 1)))
	}
	r.largest, r.total = a.Var(a.Full(dtype.F32, lowest, 1, r.slots, cfg.BM)), a.Var(a.Zeros(dtype.F32, 1, r.slots, cfg.BM))
	return r
}

// rowOf is the attention of one of a program's rows, a tile of one query.
func (a *attention) rowOf(i int) *attention {
	one := *a
	one.cfg.BM, one.row = 1, a.rows.Add(i)
	return &one
}

// add adds the keys and values of step i.
func (r *rowsTile) add(i *tile.Value) {
	scores, values := r.load(i)
	s, seen := r.hide(i, scores)
	top := r.largest.Get().Maximum(s.Max(0))
	p, shrink := r.weights(s, top), r.rescaled(r.largest.Get(), top, nil)
	r.total.Set(r.total.Get().Mul(shrink).Add(p.Sum(0)))
	r.largest.Set(top)

	shown := r.shown(values, seen)
	weights, shrinks := split(p), split(shrink)
	for row, sum := range r.sums {
		x := sum.Get().Mul(shrinks[row].Permute(1, 2, 0))
		for j, w := range split(weights[row].Permute(1, 2, 0)) {
			x = shown(row, j).FMA(w, x)
		}
		sum.Set(x)
	}
}

// load gives the scores of a step, and the values of each key of a slot, [slots,BD,1]. A step whose keys are in several pages has a block of each
// for one key of every slot.
func (r *rowsTile) load(i *tile.Value) (scores *tile.Value, values []*tile.Value) {
	cfg := r.cfg
	if !cfg.severalPages() {
		at := r.keysAt(i)
		r.assumeWithin(i)
		keys := at.load(r.k, cfg.BN, cfg.BD, r.column).Cast(dtype.F32).Reshape(r.n, r.slots, cfg.lanes(), cfg.BD/cfg.lanes())
		values = split(at.load(r.v, cfg.BN, cfg.BD, r.column).Cast(dtype.F32).Reshape(r.n, r.slots, cfg.BD).Permute(1, 2, 0))
		return join(r.products(keys)).Sum(2).Reshape(r.n, r.slots, cfg.BM), values
	}
	block, list := *r.attention, []*tile.Value{}
	block.cfg.BN = r.slots
	last := r.table.Dim(1).Mul(cfg.Page / r.slots).Sub(1)
	for j := range r.n {
		at := block.keysAt(i.Mul(r.n).Add(j).Minimum(last))
		keys := at.load(r.k, r.slots, cfg.BD, 0).Cast(dtype.F32).Reshape(1, r.slots, cfg.lanes(), cfg.BD/cfg.lanes())
		list = append(list, r.products(keys)...)
		values = append(values, at.load(r.v, r.slots, cfg.BD, 0).Cast(dtype.F32).Reshape(r.slots, cfg.BD, 1))
	}
	return join(list).Sum(2).Reshape(r.slots, r.n, cfg.BM).Permute(1, 0, 2), values
}

// loadsAhead reports whether loads of keys run ahead into registers, in which masks are applied to what was loaded, and whose blocks begin within the tensors.
func (r *rowsTile) loadsAhead() bool {
	return r.cfg.Stages > 1 && r.table == nil && r.queryStarts == nil && r.keyStarts == nil
}

// requireShapes states what ops checks of the shapes.
func (r *rowsTile) requireShapes() {
	if !r.loadsAhead() {
		return
	}
	r.Require(r.k.Dim(0).Eq(r.out.Dim(r.out.Rank - 4)))
	for d := range r.v.Rank {
		r.Require(r.v.Dim(d).Eq(r.k.Dim(d)))
	}
}

// assumeWithin states that the keys of step i begin within the tensors, so that loads have no masks where blocks divide these.
func (r *rowsTile) assumeWithin(i *tile.Value) {
	if !r.loadsAhead() {
		return
	}
	for d, x := range []tile.Operand{r.batch, r.group, i, r.column} {
		if x, ok := x.(*tile.Value); ok {
			r.Assume(x.Ge(0).And(x.Lt(r.CDiv(r.k.Dim(d), []int{1, 1, r.cfg.BN, r.cfg.BD}[d]))))
		}
	}
}

// products are the products of each row with keys, of which the sums over the threads of a slot are scores.
func (r *rowsTile) products(keys *tile.Value) (scores []*tile.Value) {
	parts := split(keys)
	for _, q := range r.queries {
		x := parts[0].Mul(q[0])
		for e := 1; e < len(parts); e++ {
			x = parts[e].FMA(q[e], x)
		}
		scores = append(scores, x)
	}
	return scores
}

// hide scales the scores of step i, adds the mask and hides the keys that queries do not see; seen are the others.
func (r *rowsTile) hide(i, s *tile.Value) (scores, seen *tile.Value) {
	cfg, rows := r.cfg, r.cfg.BM
	if r.scaled() {
		s = s.Mul(r.scale)
	}
	columns := r.Iota(0, r.n, 1, 1).Mul(r.slots).Add(r.Iota(1, 1, r.slots, 1)).Add(i.Mul(cfg.BN))
	to := r.to
	if cfg.Last {
		to = to.Reshape(1, 1, rows)
	}
	if seen = columns.Lt(to); r.from != nil {
		seen = seen.And(columns.Ge(r.from.Reshape(1, 1, rows)))
	}
	if r.mask != nil {
		m := rowsOf(r.mask, rows, cfg.BN).Load(r.batch, r.head, r.row, i).Reshape(rows, r.n, r.slots).Permute(1, 2, 0)
		if cfg.Mask == dtype.Bool {
			seen = seen.And(m)
		} else {
			m = m.Cast(dtype.F32)
			seen = seen.And(m.Ge(leastMask).Or(m.Ne(m)))
			s = m.FMA(math.Log2E, s)
		}
	}
	return r.Where(seen, s, r.Full(dtype.F32, math.Inf(-1), r.n, r.slots, rows)), seen
}

// shown gives the values of key j of a slot as a row sees them: zeros for a key that it does not see, since 0 times a value that is not finite is NaN.
func (r *rowsTile) shown(values []*tile.Value, seen *tile.Value) func(row, j int) *tile.Value {
	zeros := func() *tile.Value { return r.Zeros(dtype.F32, r.slots, r.cfg.BD, 1) }
	hidden := func(seen *tile.Value) []*tile.Value {
		list := slices.Clone(values)
		for j, x := range split(seen.Permute(1, 2, 0)) {
			list[j] = r.Where(x, values[j], zeros())
		}
		return list
	}
	switch {
	case !r.cfg.hides():
		return func(_, j int) *tile.Value { return values[j] }
	case seen.Type().Shape[2] == 1: // all rows see the same keys
		same := hidden(seen)
		return func(_, j int) *tile.Value { return same[j] }
	}
	rows := make([][]*tile.Value, r.cfg.BM)
	for row, x := range split(seen) {
		rows[row] = hidden(x)
	}
	return func(row, j int) *tile.Value { return rows[row][j] }
}

// finish combines the slots and stores the results.
func (r *rowsTile) finish() {
	rows := r.cfg.BM
	largest := r.largest.Get().Max(1)
	share := r.rescaled(r.largest.Get(), largest, nil)
	total := split(r.total.Get().Mul(share).Sum(1).Reshape(1, rows))
	shares, most := split(share), split(largest.Reshape(1, rows))
	for row, sum := range r.sums {
		result := r.Var(sum.Get().Mul(shares[row].Permute(1, 2, 0)).Sum(0).Reshape(1, r.cfg.BD))
		r.rowOf(row).store([]part{{width: r.cfg.BD, acc: result}}, most[row], total[row])
	}
}

// join joins tiles of one element in the last dimension along it, in order.
func join(list []*tile.Value) *tile.Value {
	for half := len(list) / 2; half > 0; half /= 2 {
		for i := range half {
			pairs := list[i].Join(list[half+i])
			shape := pairs.Type().Shape
			last := len(shape) - 1
			list[i] = pairs.Reshape(append(slices.Clone(shape[:last-1]), shape[last-1]*shape[last])...)
		}
	}
	return list[0]
}

// split are the parts of a tile along its last dimension, of one element each.
func split(v *tile.Value) []*tile.Value {
	list := []*tile.Value{v}
	shape := v.Type().Shape
	last := len(shape) - 1
	for width := shape[last]; width > 1; width /= 2 {
		n := len(list)
		list = append(list, list...)
		for i := range n {
			list[i], list[n+i] = list[i].Reshape(append(slices.Clone(shape[:last]), width/2, 2)...).Split()
		}
	}
	return list
}

// attentionRows are the tiles by rows. Fewer threads of a program wait for one another with more queries, for which each needs more registers.
func attentionRows(caps target.Caps, elem weft.DType, queries, head int) AttentionConfig {
	t := AttentionConfig{ByRows: true, BM: min(pow2.Ceil(queries), mostRows), BD: pow2.Ceil(head), Stages: 1}
	t.Threads = caps.FitThreads(min(512/t.BM, 256))
	t.BV = t.BD
	t.Elem, t.BN = elem, t.Threads
	keys := keysOfSlots
	switch {
	case caps.AsyncCopy:
		if t.BM == 1 {
			keys *= 2
		}
	case caps.SubgroupSize > 0:
		t.Stages, keys, t.Threads = 2, keysAhead, caps.FitThreads(min(1024/t.BM, 256))
	default:
		if t.BM < mostRows { // which leave no registers for more keys
			keys = keysExchanged
		}
		t.Stages, t.Threads = 2, caps.FitThreads(min(512/t.BM, 128))
	}
	t.BN = t.slots() * keys
	return t
}
