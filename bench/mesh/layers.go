package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/ops"
)

// zigzagSuffix ends the names of works whose tokens are cut by mesh.Zigzag.
const zigzagSuffix = ", zigzag"

// headSize is the number of elements of an attention head.
const headSize = 128

// layersFor lists attention over the ranks' tokens next to that of one rank, and blocks of a transformer cut over the ranks.
func layersFor(tiny bool, ranks int) (list []work) {
	keys, tokens, heads, blockHeads := []int{32 << 10, 64 << 10, 128 << 10}, []int{64, 512, 4096}, 8, 32
	if tiny {
		keys, tokens, heads, blockHeads = []int{64}, []int{16}, 2, 4
	}
	for _, n := range keys {
		n = n / (2 * ranks) * 2 * ranks
		for _, causal := range []bool{false, true} {
			name := fmt.Sprintf("attention bf16 %d heads, %d tokens", heads, n)
			if causal {
				name += ", causal"
			}
			w := work{Name: name, Kind: "attention", Elem: "bf16", Tokens: n, Heads: heads, Causal: causal, Ranks: ranks, Flop: attentionFlop(heads, n, causal)}
			list = append(list, w)
			w.Name, w.Kind, w.Flop = "ring "+name, "ring attention", w.Flop/float64(ranks)
			list = append(list, w)
			if causal {
				w.Name, w.Zigzag = w.Name+zigzagSuffix, true
				list = append(list, w)
			}
		}
	}
	for _, n := range tokens {
		for _, kind := range []string{"block", "sequence block"} {
			h := blockHeads / ranks * ranks
			width := float64(h * headSize)
			w := work{Name: fmt.Sprintf("%s bf16 %d heads, %d tokens", kind, h, n/ranks*ranks), Kind: kind, Elem: "bf16", Tokens: n / ranks * ranks,
				Heads: h, Causal: true, Ranks: ranks,
				Flop: (2*float64(n)*12*width*width + attentionFlop(h, n, true)) / float64(ranks)}
			list = append(list, w)
			w.Name, w.Replayed = w.Name+replayedSuffix, 2
			list = append(list, w)
		}
	}
	return list
}

func attentionFlop(heads, tokens int, causal bool) float64 {
	f := 4 * float64(heads) * headSize * float64(tokens) * float64(tokens)
	if causal {
		return f / 2
	}
	return f
}

// prepareAttention is prepare for attention to the tokens of all ranks: by all of them, or by the first alone with all tokens.
func prepareAttention(g *mesh.Group, w work) (task, error) {
	rows, members := w.Tokens/g.Size(), g.Size()
	if w.Kind == "attention" {
		rows, members = w.Tokens, 1
	}
	var tensors [4][]*weft.Tensor
	var at [3]func(rank, i int) float64
	t := task{close: func() {
		for _, list := range tensors {
			closeAll(list)
		}
	}}
	for i := range tensors {
		list, values, err := random(g, 1, w.Heads, rows, headSize)
		if err != nil {
			return t, err
		}
		tensors[i] = list
		if i < len(at) {
			shift := i * 104729 // other numbers for each operand
			at[i] = func(rank, i int) float64 { return values(rank, i+shift) }
			for rank, x := range list {
				if err := shifted(x, values, rank, shift); err != nil {
					return t, err
				}
			}
		}
	}
	q, k, v, out := tensors[0], tensors[1], tensors[2], tensors[3]
	var cut []mesh.RingOption
	if w.Zigzag {
		cut = append(cut, mesh.Zigzag())
	}
	t.run = func() error { return g.RingAttention(out, q, k, v, w.Causal, cut...) }
	if w.Kind == "attention" {
		var options []ops.AttentionOption
		if w.Causal {
			options = append(options, ops.Causal())
		}
		t.run = func() error { return ops.AttentionInto(out[0], q[0], k[0], v[0], options...) }
	}
	position := func(rank, token int) int { // in the sequence
		switch half := rows / 2; {
		case !w.Zigzag:
			return rank*rows + token
		case token < half:
			return rank*half + token
		default:
			return (2*members-1-rank)*half + token - half
		}
	}
	want := func(rank, i int) float64 {
		head, token, d := i/headSize/rows, i/headSize%rows, i%headSize
		sum, weights := 0.0, 0.0
		for key := range rows * members {
			from, local := key/rows, key%rows
			if w.Causal && position(from, local) > position(rank, token) {
				continue
			}
			base := (head*rows + local) * headSize
			dot := 0.0
			for x := range headSize {
				dot += at[0](rank, (head*rows+token)*headSize+x) * at[1](from, base+x)
			}
			weight := math.Exp(dot / math.Sqrt(headSize))
			sum, weights = sum+weight*at[2](from, base+d), weights+weight
		}
		return sum / weights
	}
	t.check = func() error { return compare(out[:members], want, 16/math.Sqrt(float64(w.Tokens))) }
	return t, nil
}

// shifted stores the numbers that a rank has from another place on.
func shifted(x *weft.Tensor, values func(rank, i int) float64, rank, shift int) error {
	if shift == 0 {
		return nil
	}
	list := make([]float64, period)
	for i := range list {
		list[i] = values(rank, i+shift)
	}
	table, err := weft.FromFloats(x.Device(), weft.BF16, list)
	if err != nil {
		return err
	}
	defer table.Close()
	return x.CopyRepeated(table)
}

// block is a block of a transformer, x + attention and that + MLP, cut over the ranks: by heads and inner columns, and by tokens between them if it is sequential.
type block struct {
	g                                 *mesh.Group
	tokens, heads                     int // of a rank
	sequence                          bool
	x, norm, qkv, out, up, down       []*weft.Tensor
	normed, projected, seen, sum, end []*weft.Tensor
	inner                             []*weft.Tensor // of the result on one device
}

// lists are the tensors of the ranks.
func (b *block) lists() []*[]*weft.Tensor {
	return []*[]*weft.Tensor{&b.x, &b.norm, &b.qkv, &b.out, &b.up, &b.down, &b.normed, &b.projected, &b.seen, &b.sum, &b.end}
}

func prepareBlock(g *mesh.Group, w work) (t task, err error) {
	b := &block{g: g, tokens: w.Tokens, heads: w.Heads / g.Size(), sequence: w.Kind == "sequence block"}
	if b.sequence {
		b.tokens /= g.Size()
	}
	t.close = func() {
		for _, list := range append(b.lists(), &b.inner) {
			closeAll(*list)
		}
	}
	width, own, inner := w.Heads*headSize, b.heads*headSize, 4*w.Heads*headSize/g.Size()
	for _, x := range []struct {
		to            *[]*weft.Tensor
		rows, columns int
		scale         float64
	}{
		{&b.x, b.tokens, width, 1}, {&b.qkv, width, 3 * own, 1 / math.Sqrt(float64(width))}, {&b.out, own, width, 1 / math.Sqrt(float64(width))},
		{&b.up, width, inner, 1 / math.Sqrt(float64(width))}, {&b.down, inner, width, 1 / math.Sqrt(4*float64(width))},
		{&b.normed, b.tokens, width, 1}, {&b.projected, w.Tokens, 3 * own, 1}, {&b.seen, w.Tokens, own, 1}, {&b.sum, b.tokens, width, 1}, {&b.end, b.tokens, width, 1},
	} {
		if *x.to, _, err = random(g, x.rows, x.columns); err != nil {
			return t, err
		}
		for _, t := range *x.to {
			if x.scale == 1 {
				continue
			}
			if err := ops.MulInto(t, t, x.scale); err != nil {
				return task{}, err
			}
		}
	}
	for i, dev := range g.Devices() {
		one, err := weft.Full(dev, weft.BF16, 1, width)
		if err != nil {
			return t, err
		}
		b.norm = append(b.norm, one)
		if !b.sequence && i > 0 { // all have the same tokens
			if err := copyTo(b.x[i], b.x[0]); err != nil {
				return t, err
			}
		}
	}
	t.run, t.check = b.run, b.check
	t.recorded = func(rec []*weft.Recorder) error {
		own := *b
		for _, list := range own.lists() {
			*list = usedBy(rec, *list)
		}
		return own.run()
	}
	return t, nil
}

// heads are the views of queries, keys and values of a rank.
func heads(projected *weft.Tensor, n int) (list [3]*weft.Tensor, err error) {
	split, err := projected.Reshape(1, projected.Dim(0), 3*n, headSize)
	if err != nil {
		return list, err
	}
	for i := range list {
		part, err := split.Slice(2, i*n, (i+1)*n)
		if err != nil {
			return list, err
		}
		if list[i], err = part.Permute(0, 2, 1, 3); err != nil {
			return list, err
		}
	}
	return list, nil
}

// normalise has RMSNorm of each rank's x in normed.
func (b *block) normalise(x []*weft.Tensor) error {
	for i := range x {
		if err := ops.RMSNormInto(b.normed[i], x[i], b.norm[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *block) run() error {
	attention, mlp := b.attention, b.g.MLP
	if b.sequence {
		attention, mlp = b.sequenceAttention, b.g.SequenceMLP
	}
	if err := b.normalise(b.x); err != nil {
		return err
	}
	if err := attention(); err != nil {
		return err
	}
	if err := add(b.sum, b.x, b.sum); err != nil {
		return err
	}
	if err := b.normalise(b.sum); err != nil {
		return err
	}
	if err := mlp(b.end, b.normed, b.up, b.down, ops.GELUMap); err != nil {
		return err
	}
	return add(b.end, b.end, b.sum)
}

func add(out, x, y []*weft.Tensor) error {
	for i := range out {
		if err := ops.AddInto(out[i], x[i], y[i]); err != nil {
			return err
		}
	}
	return nil
}

// attention is that of whole tokens: its sum over the ranks is on each.
func (b *block) attention() error {
	var q, k, v, sum []*weft.Tensor
	for i := range b.x {
		if err := ops.MatMulInto(b.projected[i], b.normed[i], b.qkv[i]); err != nil {
			return err
		}
		h, err := heads(b.projected[i], b.heads)
		if err != nil {
			return err
		}
		s, err := b.sum[i].Unsqueeze(0)
		if err != nil {
			return err
		}
		q, k, v, sum = append(q, h[0]), append(k, h[1]), append(v, h[2]), append(sum, s)
	}
	return b.g.HeadsAttention(sum, q, k, v, b.out, ops.Causal())
}

// sequenceAttention gathers the tokens before the heads' product, and scatters them after the product that follows attention.
func (b *block) sequenceAttention() error {
	if err := b.g.AllGatherMatMul(b.projected, b.normed, b.qkv); err != nil {
		return err
	}
	for i := range b.x {
		if err := attend(b.seen[i], b.projected[i], b.heads); err != nil {
			return err
		}
	}
	return b.g.MatMulReduceScatter(b.sum, b.seen, b.out)
}

// attend has attention of a rank's heads in seen, [tokens, heads·headSize].
func attend(seen, projected *weft.Tensor, n int) error {
	h, err := heads(projected, n)
	if err != nil {
		return err
	}
	rows, err := seen.Reshape(1, seen.Dim(0), n, headSize)
	if err != nil {
		return err
	}
	to, err := rows.Permute(0, 2, 1, 3)
	if err != nil {
		return err
	}
	return ops.AttentionInto(to, h[0], h[1], h[2], ops.Causal())
}

// copyTo copies between devices.
func copyTo(dst, src *weft.Tensor) error {
	there, err := src.To(dst.Device())
	if err != nil {
		return err
	}
	defer there.Close()
	return dst.CopyFrom(there)
}

// check computes the block on the first device, with each rank's part of the weights after the other's, and compares.
func (b *block) check() error {
	want, err := b.whole()
	if err != nil {
		return err
	}
	values, err := weft.ToFloats(want)
	if err != nil {
		return err
	}
	return compare(b.end, func(rank, i int) float64 {
		if b.sequence {
			i += rank * b.end[0].Len()
		}
		return values[i]
	}, 8)
}

// whole is the block's result by one device.
func (b *block) whole() (*weft.Tensor, error) {
	dev := b.g.Devices()[0]
	move := func(list []*weft.Tensor) (moved []*weft.Tensor, err error) {
		for _, t := range list {
			m, err := t.To(dev)
			if err != nil {
				return nil, err
			}
			b.inner, moved = append(b.inner, m), append(moved, m)
		}
		return moved, nil
	}
	var parts [5][]*weft.Tensor
	for i, list := range [][]*weft.Tensor{b.x, b.qkv, b.out, b.up, b.down} {
		var err error
		if parts[i], err = move(list); err != nil {
			return nil, err
		}
	}
	x := parts[0][0]
	if b.sequence {
		var err error
		if x, err = ops.Concat(0, parts[0]...); err != nil {
			return nil, err
		}
	}
	sum, err := b.addParts(x, func(n *weft.Tensor, rank int) (*weft.Tensor, error) {
		projected, err := ops.MatMul(n, parts[1][rank])
		if err != nil {
			return nil, err
		}
		seen, err := weft.Empty(dev, weft.BF16, n.Dim(0), b.heads*headSize)
		if err != nil {
			return nil, err
		}
		return seen, attend(seen, projected, b.heads)
	}, parts[2])
	if err != nil {
		return nil, err
	}
	return b.addParts(sum, func(n *weft.Tensor, rank int) (*weft.Tensor, error) {
		return ops.MatMul(n, parts[3][rank], ops.Fuse(ops.GELUMap))
	}, parts[4])
}

// addParts adds to x what each rank makes of its norm, times the rank's matrix.
func (b *block) addParts(x *weft.Tensor, part func(n *weft.Tensor, rank int) (*weft.Tensor, error), last []*weft.Tensor) (*weft.Tensor, error) {
	n, err := ops.RMSNorm(x, b.norm[0])
	if err != nil {
		return nil, err
	}
	sum, err := weft.Empty(x.Device(), x.DType(), x.Shape()...)
	if err != nil {
		return nil, err
	}
	b.inner = append(b.inner, n, sum)
	if err := sum.CopyFrom(x); err != nil {
		return nil, err
	}
	for rank := range last {
		h, err := part(n, rank)
		if err != nil {
			return nil, err
		}
		y, err := ops.MatMul(h, last[rank])
		if err != nil {
			return nil, err
		}
		b.inner = append(b.inner, h, y)
		if err := ops.AddInto(sum, sum, y); err != nil {
			return nil, err
		}
	}
	return sum, nil
}
