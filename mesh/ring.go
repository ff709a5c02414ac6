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
// Parts are added in F32 by their log-sum-exp; before that each is rounded to the type of q.
//
// Errors: those of ops.Attention; ErrShape if ranks have parts of different shapes.
func (g *Group) RingAttention(out, q, k, v []*weft.Tensor, causal bool) error {
	r, err := g.newRing(out, q, k, v, causal)
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

// ring is one call.
type ring struct {
	product
	q       []*weft.Tensor
	causal  bool
	parts   [2][][2]*weft.Tensor // alternately: keys and values of each member
	own     [][2]*weft.Tensor
	sum     []*weft.Tensor  // F32 [B,heads,S,D]
	lse     []*weft.Tensor  // F32 [B,heads,S,1]
	used    []backend.Event // after what each member computed in the last step
	arrived []backend.Event // after what each was sent in the last step
}

func (g *Group) newRing(out, q, k, v []*weft.Tensor, causal bool) (*ring, error) {
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
			case t.DType() != q[0].DType():
				return nil, fault.New(fault.ErrArgument, op, "the tensor of rank %d holds %v, q %v", g.ranks[i], t.DType(), q[0].DType()).For(name)
			}
		}
	}
	r := &ring{product: product{g: g, op: op}, q: q, causal: causal}
	if captured(g, slices.Concat(out, q, k, v)) {
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
	from := (rank + n - step) % n
	if r.causal && from > rank {
		return nil
	}
	var options []ops.AttentionOption
	if r.causal && from == rank {
		options = append(options, ops.Causal())
	}
	kv, s := r.has(i, step), r.q[i].Shape()
	part, err := weft.Empty(r.q[i].Device(), r.q[i].DType(), s...)
	if err != nil {
		return err
	}
	defer part.Close()
	lse, err := weft.Empty(r.q[i].Device(), dtype.F32, s[0], s[1], s[2])
	if err != nil {
		return err
	}
	defer lse.Close()
	if err := ops.AttentionInto(part, r.q[i], kv[0], kv[1], append(options, ops.LogSumExp(lse))...); err != nil {
		return err
	}
	column, err := lse.Unsqueeze(-1)
	if err != nil {
		return err
	}
	defer column.Close()
	if step == 0 {
		if err := r.sum[i].CopyFrom(part); err != nil {
			return err
		}
		return r.lse[i].CopyFrom(column)
	}
	exact, err := part.Cast(dtype.F32)
	if err != nil {
		return err
	}
	defer exact.Close()
	if err := merge.Into(r.sum[i], r.sum[i], exact, r.lse[i], column); err != nil {
		return err
	}
	return ops.LogAddExpInto(r.lse[i], r.lse[i], column)
}

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
