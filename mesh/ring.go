package mesh

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// merge adds the result of attention to other keys to one: both are weighted by the sums of their exponentials, whose logarithms are known. Of queries
// that see no key these are -infinity, which is replaced by a number that no sum has.
var merge = weft.NewMap("merge attention", []string{"seen", "more", "lse", "moreLSE"}, func(in []*tile.Value) *tile.Value {
	const none = -1e30
	weight := in[3].Maximum(none).Sub(in[2].Maximum(none)).Sigmoid()
	return in[1].Sub(in[0]).FMA(weight, in[0])
})

// RingAttention is attention of sequences that are cut over the ranks: q, k and v are a rank's part of the tokens, [B,heads,S/ranks,D], and out is that of q to the keys
// of all ranks. The keys and values go around: each rank has those of one other at a time, and is sent the next while it computes (Liu, Zaharia and Abbeel, Ring
// Attention with Blockwise Transformers for Near-Infinite Context, 2023). With causal no query sees keys after its own.
//
// The first ranks have little to do then, unless the tokens are cut as Zigzag has it.
//
// Parts are added in F32 by their log-sum-exp; before that each is rounded to the type of q.
//
// Errors: those of ops.Attention; ErrShape if ranks have parts of different shapes, or out another one than q.
func (g *Group) RingAttention(out, q, k, v []*weft.Tensor, causal bool, options ...RingOption) error {
	r, err := g.newRing(out, q, k, v, causal, options)
	if err != nil {
		return err
	}
	defer r.close()
	for step := range g.world {
		if step+1 < g.world {
			if err := r.send(step); err != nil {
				return err
			}
		}
		if err := r.compute(step); err != nil {
			return err
		}
	}
	return r.finish(out)
}

// RingOption is an option of RingAttention.
type RingOption func(*ring)

// Zigzag says how the tokens are cut: in twice as many chunks as there are ranks, of which rank i has the ith and the ith from the end, one after the other. With
// causal all ranks then have equally much to do in each step. Without it the order of tokens does not matter. ErrShape if a part has an odd number of tokens.
func Zigzag() RingOption { return func(r *ring) { r.zigzag = true } }

// ring is one call.
type ring struct {
	product
	q       []*weft.Tensor
	causal  bool
	zigzag  bool
	parts   [2][][2]*weft.Tensor // alternately: keys and values of each member
	own     [][2]*weft.Tensor
	sum     []*weft.Tensor  // F32 [B,heads,S,D]
	lse     []*weft.Tensor  // F32 [B,heads,S,1]
	used    []backend.Event // after what each member computed in the last step
	arrived []backend.Event // after what each was sent in the last step
}

func (g *Group) newRing(out, q, k, v []*weft.Tensor, causal bool, options []RingOption) (*ring, error) {
	const op = "mesh: ring attention"
	if err := g.usable(op); err != nil {
		return nil, err
	}
	for name, list := range map[string][]*weft.Tensor{"out": out, "q": q, "k": k, "v": v} {
		if err := g.checkLists(&call{kind: exchange, dst: list, src: list}); err != nil {
			return nil, renamed(err, op, name)
		}
		for i, t := range list {
			switch {
			case t.Device() != g.devices[i]:
				return nil, fault.New(fault.ErrDevice, op, "the tensor of rank %d is on %v, want %v", g.ranks[i], t.Device(), g.devices[i]).For(name)
			case t.Rank() != 4 || !slices.Equal(t.Shape(), list[0].Shape()) || causal && t.Dim(2) != q[0].Dim(2):
				return nil, fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want [B,heads,S,D], the same on each rank", g.ranks[i], t.Shape()).For(name)
			case name == "out" && !slices.Equal(t.Shape(), q[0].Shape()):
				return nil, fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want that of q, %v", g.ranks[i], t.Shape(), q[0].Shape()).For(name)
			case name == "out" && !t.Layout().IsInjective():
				return nil, fault.New(fault.ErrUnsupported, op, "the layout %v repeats elements, so it cannot be written", t.Layout()).For(name)
			case t.DType() != q[0].DType():
				return nil, fault.New(fault.ErrArgument, op, "the tensor of rank %d holds %v, q %v", g.ranks[i], t.DType(), q[0].DType()).For(name)
			}
		}
	}
	r := &ring{product: product{g: g, op: op}, q: q, causal: causal}
	for _, o := range options {
		if o == nil {
			return nil, fault.New(fault.ErrArgument, op, "an option is nil")
		}
		o(r)
	}
	if r.zigzag && q[0].Dim(2)%2 != 0 {
		return nil, fault.New(fault.ErrShape, op, "%s of a rank, want an even number for two chunks", fault.Count(q[0].Dim(2), "token")).For("q")
	}
	if recordersOf(g, slices.Concat(out, q, k, v)) != nil {
		return nil, fault.New(fault.ErrUnsupported, op, "it cannot be captured")
	}
	r.lanes = g.laneList()
	for i := range q {
		if err := r.prepare(i, k[i], v[i]); err != nil {
			r.close()
			return nil, err
		}
	}
	r.used, r.arrived = make([]backend.Event, len(q)), make([]backend.Event, len(q))
	return r, nil
}

// prepare makes what a member needs.
func (r *ring) prepare(i int, k, v *weft.Tensor) error {
	var own [2]*weft.Tensor
	var room [2][2]*weft.Tensor
	for n, t := range []*weft.Tensor{k, v} {
		var err error
		if own[n], err = r.dense.input(t); err != nil {
			return err
		}
		for turn := range 2 {
			if room[turn][n], err = r.empty(i, t.DType(), t.Shape()...); err != nil {
				return err
			}
		}
	}
	r.own = append(r.own, own)
	for turn := range 2 {
		r.parts[turn] = append(r.parts[turn], room[turn])
	}
	s := r.q[i].Shape()
	sum, err := r.empty(i, dtype.F32, s...)
	if err != nil {
		return err
	}
	lse, err := r.empty(i, dtype.F32, s[0], s[1], s[2], 1)
	if err != nil {
		return err
	}
	r.sum, r.lse = append(r.sum, sum), append(r.lse, lse)
	return nil
}

// has are the keys and values that a member has in a step.
func (r *ring) has(member, step int) [2]*weft.Tensor {
	if step == 0 {
		return r.own[member]
	}
	return r.parts[step%2][member]
}

// send sends what each rank has in a step to the next one, for the step after.
func (r *ring) send(step int) error {
	if r.lanes == nil {
		return r.exchange(step)
	}
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	n := r.g.world
	if step == 0 { // all that the members have started so far
		marks, err := r.marks()
		if err != nil {
			return err
		}
		copy(r.used, marks)
	}
	before := slices.Clone(r.arrived)
	for i := range n {
		from := (i + n - 1) % n
		// The room was used in the step before, by the member and by the one that it sent it to; and the sender must have what it sends.
		for _, e := range []backend.Event{r.used[i], r.used[from], before[from], before[(i+1)%n]} {
			if e == nil {
				continue
			}
			if err := r.lanes[i].copies.After(e); err != nil {
				return err
			}
		}
		for x, dst := range r.has(i, step+1) {
			e, err := r.copy(i, dst, r.has(from, step)[x])
			if err != nil {
				return err
			}
			r.arrived[i] = e
		}
	}
	return nil
}

// exchange is send where devices do not reach each other.
func (r *ring) exchange(step int) error {
	g := r.g
	var transfers []Transfer
	for x := range 2 {
		for rank := range g.world {
			t := Transfer{From: rank, To: (rank + 1) % g.world}
			if i := slices.Index(g.ranks, t.From); i >= 0 {
				t.Src = r.has(i, step)[x]
			}
			if i := slices.Index(g.ranks, t.To); i >= 0 {
				t.Dst = r.has(i, step+1)[x]
			}
			transfers = append(transfers, t)
		}
	}
	return g.Exchange(transfers...)
}

// compute adds the attention to what each member has in a step. What it needs in the next one may still be on its way.
func (r *ring) compute(step int) error {
	for i := range r.q {
		if err := r.add(i, step); err != nil {
			return err
		}
		if r.lanes == nil {
			continue
		}
		l := r.lanes[i]
		var err error
		if r.used[i], err = r.mark(l.peers.Mark); err != nil {
			return err
		}
		if e := r.arrived[i]; e != nil { // for the next step
			if err := l.peers.After(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a member's attention to what it has in a step.
func (r *ring) add(i, step int) error {
	n, rank := r.g.world, r.g.ranks[i]
	from, tokens := (rank+n-step)%n, r.q[i].Dim(2)
	if !r.causal || from == rank { // chunks of a zigzag are in order, too
		return r.attend(i, step, tokens, tokens, r.causal)
	}
	switch {
	case r.zigzag && from < rank: // all queries see the first chunk, and no query the last one
		return r.attend(i, step, tokens, tokens/2, false)
	case r.zigzag: // the first chunk of queries sees none, and the last one all
		return r.attend(i, step, tokens/2, tokens, false)
	case from < rank:
		return r.attend(i, step, tokens, tokens, false)
	}
	return nil
}

// attend adds the attention of a member's last queries to the first keys that it has in a step.
func (r *ring) attend(i, step, queries, keys int, causal bool) error {
	var views views
	defer views.close()
	tokens := r.q[i].Dim(2)
	last := func(t *weft.Tensor) *weft.Tensor { return views.slice(t, tokens-queries, tokens) }
	kv := r.has(i, step)
	q, k, v, sum, lse := last(r.q[i]), views.slice(kv[0], 0, keys), views.slice(kv[1], 0, keys), last(r.sum[i]), last(r.lse[i])
	if views.err != nil {
		return views.err
	}
	s := q.Shape()
	part := views.keep(weft.Empty(q.Device(), q.DType(), s...))
	more := views.keep(weft.Empty(q.Device(), dtype.F32, s[0], s[1], s[2]))
	if views.err != nil {
		return views.err
	}
	options := []ops.AttentionOption{ops.LogSumExp(more)}
	if causal {
		options = append(options, ops.Causal())
	}
	if err := ops.AttentionInto(part, q, k, v, options...); err != nil {
		return err
	}
	column := views.keep(more.Unsqueeze(-1))
	if views.err != nil {
		return views.err
	}
	if step == 0 {
		if err := sum.CopyFrom(part); err != nil {
			return err
		}
		return lse.CopyFrom(column)
	}
	exact := views.keep(part.Cast(dtype.F32))
	if views.err != nil {
		return views.err
	}
	if err := merge.Into(sum, sum, exact, lse, column); err != nil {
		return err
	}
	return ops.LogAddExpInto(lse, lse, column)
}

// views are tensors that are closed together.
type views struct {
	list []*weft.Tensor
	err  error // the first
}

func (v *views) keep(t *weft.Tensor, err error) *weft.Tensor {
	if err != nil {
		if v.err == nil {
			v.err = err
		}
		return nil
	}
	v.list = append(v.list, t)
	return t
}

// slice is some tokens of a tensor [B,heads,tokens,…].
func (v *views) slice(t *weft.Tensor, from, to int) *weft.Tensor {
	if v.err != nil {
		return nil
	}
	return v.keep(t.Slice(2, from, to))
}

func (v *views) close() { closeAll(v.list) }

// finish rounds the sums to the results. Members wait for those that copied from them.
func (r *ring) finish(out []*weft.Tensor) error {
	n := r.g.world
	for i := range out {
		if err := out[i].CopyFrom(r.sum[i]); err != nil {
			return err
		}
		if r.lanes != nil && r.arrived[(i+1)%n] != nil {
			if err := r.lanes[i].peers.After(r.arrived[(i+1)%n]); err != nil {
				return err
			}
		}
	}
	return nil
}
