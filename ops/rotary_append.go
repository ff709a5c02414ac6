package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// The inputs of RotaryAppend, in order, and its further results after them.
const (
	appendK = iota
	appendV
	appendPositions
	appendTable
	appendCos
	appendSin
	appendValues
	appendQ
)

var rotaryAppends = declare(declaration[rotaryOptions]{
	inputs: []string{"k", "v", "positions", "table", "cos", "sin"}, needed: 3, alike: 2,
	output: "keys", more: []string{"values", "q"}, part: true, evenEmpty: true,
	check: (*rotaryOptions).checkAppend, accepts: acceptsKeys, launch: (*rotaryOptions).launchAppend,
})

// RotaryAppend does in one launch what precedes the attention of new tokens: it rotates q [B,Hq,S,D] in place and k [B,H,S,D] by their
// positions, as Rotary does, and writes the rotated k and v [B,H,S,D] into caches of keys and values, as CacheAppend does. Row s of batch b has
// position positions[b]+s, for positions [B] of I32, and becomes that row of the caches. q may be nil.
//
// Without a table (nil) the caches are [B,H,Capacity,D]; with one they are pools of pages [Pages,H,PageSize,D], which may differ in the
// number and the size of their pages. Rows that a cache does not have are not written. The options are those of Rotary but for RotaryPositions.
//
// The elements of a row that RotaryDims leaves as they are take a launch more, and so does q with a table and RotaryTables on devices with 8 buffers for a launch.
//
// Errors: those of Rotary and CacheAppend, ErrShape for q, k and v that do not fit each other, and ErrArgument for RotaryPositions.
func RotaryAppend(keys, values, q, k, v, positions, table *weft.Tensor, options ...RotaryOption) error {
	c := newRotary(options)
	c.op = "rotary_append"
	return rotaryAppends.into(c.rotaryOptions, keys, k, v, positions, table, c.cos, c.sin, values, q)
}

func (o *rotaryOptions) checkAppend(in []*weft.Tensor) ([]int, error) {
	k, v, q := operand{"k", in[appendK]}, operand{"v", in[appendV]}, operand{"q", in[appendQ]}
	if o.hasPositions {
		return nil, fault.New(weft.ErrArgument, o.op, "RotaryPositions: positions are an argument").For("options")
	}
	if err := checkRows(o.op, k, in[appendPositions], in[appendTable]); err != nil {
		return nil, err
	}
	if err := cmp.Or(o.checkRow(k, in[appendCos], in[appendSin]), checkShape(o.op, v, k.tensor.Shape())); err != nil {
		return nil, err
	}
	if err := checkCache(o.op, operand{"values", in[appendValues]}, v, in[appendTable] != nil); err != nil || q.tensor == nil {
		return nil, err
	}
	if err := checkGiven(o.op, q, k, k.tensor.DType()); err != nil {
		return nil, err
	}
	if err := checkHeads(o.op, q); err != nil {
		return nil, err
	}
	shape := k.tensor.Shape()
	shape[1] = q.tensor.Dim(1)
	return nil, checkShape(o.op, q, shape)
}

// acceptsKeys checks the cache of keys.
func acceptsKeys(o rotaryOptions, keys operand, in []*weft.Tensor) error {
	return checkCache(o.op, keys, operand{"k", in[appendK]}, in[appendTable] != nil)
}

// launchAppend launches the kernel that takes all buffers first: what a device refuses for its limits is refused before anything is written.
func (o *rotaryOptions) launchAppend(keys *weft.Tensor, in []*weft.Tensor) error {
	k, q := in[appendK], in[appendQ]
	if q != nil && q.Len() == 0 {
		q = nil
	}
	most := k.Device().Caps().MaxBindings
	apart := q != nil && (k.Len() == 0 || most > 0 && o.appended(in) > most)
	if k.Len() > 0 {
		joined := q
		if apart {
			joined = nil
		}
		if err := o.launchRows(keys, joined, in); err != nil {
			return err
		}
	}
	if k.Len() > 0 && o.dims < k.Dim(3) {
		if err := o.appendRest(keys, in); err != nil {
			return err
		}
	}
	if !apart {
		return nil
	}
	turn := *o
	turn.op, turn.hasPositions = "rotary", true
	return turn.launch(q, []*weft.Tensor{q, in[appendPositions], in[appendCos], in[appendSin]})
}

// launchRows rotates keys and, if there are any, queries, and appends keys and values.
func (o *rotaryOptions) launchRows(keys, q *weft.Tensor, in []*weft.Tensor) error {
	k := in[appendK]
	from, err := o.pairs(k.Layout())
	if err != nil {
		return err
	}
	to, err := o.pairs(keys.Layout())
	if err != nil {
		return err
	}
	p := kernels.RotaryProblem{Elem: k.DType(), Interleaved: o.interleaved, Tables: o.hasTables, X: viewOf(from)}
	p.X.Size[1] *= 2 // with the heads of v
	views := []weft.TensorView{{Tensor: k, Layout: from}}
	for _, t := range in[appendV:appendValues] {
		if t != nil {
			views = append(views, ownView(t))
		}
	}
	views = append(views, weft.TensorView{Tensor: keys, Layout: to}, ownView(in[appendValues]))
	if q != nil {
		queries, err := o.pairs(q.Layout())
		if err != nil {
			return err
		}
		p.X.Size[1] += q.Dim(1)
		views = append(views, weft.TensorView{Tensor: q, Layout: queries})
	}
	cfg := p.Append(pick(rotaryTune, k.Device(), p), k.Dim(3))
	cfg.Query, cfg.Paged = q != nil, in[appendTable] != nil
	return kernels.RotaryAppend.LaunchViews(cfg, o.scalars(cfg.RotaryConfig), views...)
}

// appended is how many tensors a call has in one launch.
func (o *rotaryOptions) appended(in []*weft.Tensor) int {
	n := 1 // keys
	for _, t := range in {
		if t != nil {
			n++
		}
	}
	return n
}

// appendRest appends the elements of keys that are not rotated.
func (o *rotaryOptions) appendRest(keys *weft.Tensor, in []*weft.Tensor) error {
	k := in[appendK]
	rest, err := k.Slice(3, o.dims, k.Dim(3))
	if err != nil {
		return err
	}
	defer rest.Close()
	to, err := keys.Slice(3, o.dims, k.Dim(3))
	if err != nil {
		return err
	}
	defer to.Close()
	return launchAppend(&o.given, to, slices.Concat([]*weft.Tensor{rest}, in[appendPositions:appendTable+1]))
}
