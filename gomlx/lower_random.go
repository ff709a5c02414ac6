package gomlx

import (
	"github.com/gomlx/gomlx/pkg/core/shapes"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// placeRandomBits draws bits by Philox4x32-10. The state is, as in XLA, a key of 64 bits and the next counter, of 128 bits, the low
// half first.
func (p *planner) placeRandomBits(n *node) ([]operand, error) {
	state, shape := p.in(n, 0), n.attrs.(shapes.Shape)
	next, err := p.temp(state.elem, state.dims()...)
	if err != nil {
		return nil, err
	}
	out, err := p.temp(elem(shape.DType), shape.Dimensions...)
	if err != nil {
		return nil, err
	}
	if out.len == 0 {
		p.copy(n, next, state)
		return []operand{next, out}, nil
	}
	to := out
	if out.elem.Size() < 4 { // a word for each element, of which the low bits are kept
		if to, err = p.temp(weft.U32, out.dims()...); err != nil {
			return nil, err
		}
	}
	if state, err = p.contiguous(n, state); err != nil {
		return nil, err
	}
	words := to.len * to.elem.Size() / 4
	cfg := randomConfig{Counters: min(ceilPow2((words+3)/4), 256)}
	s := step{op: n.op, out: []operand{to, next}, in: []operand{state}, run: func(out, in []*weft.Tensor) error {
		views := make([]weft.TensorView, 3)
		for i, t := range []*weft.Tensor{in[0], out[0], out[1]} {
			v, err := asBits(t, weft.U32)
			if err != nil {
				return err
			}
			views[i] = v
		}
		return randomKernel.LaunchViews(cfg, nil, views...)
	}}
	p.steps = append(p.steps, s)
	if to.storage != out.storage {
		p.copy(n, out, to)
	}
	return []operand{next, out}, nil
}

// asBits is a dense tensor's memory as elements of another type.
func asBits(t *weft.Tensor, elem weft.DType) (weft.TensorView, error) {
	from, to := t.DType().Size(), elem.Size()
	l, err := layout.Strided([]int{t.Len() * from / to}, []int{1}, t.Layout().Offset()*from/to)
	return weft.TensorView{Tensor: t, Layout: l, Elem: elem}, err
}

type randomConfig struct{ Counters int }

// randomKernel writes the words of consecutive counters, and the state after them.
var randomKernel = weft.NewKernel("random_bits", func(k *tile.Builder, cfg randomConfig) {
	state, out, next := k.In("state", weft.U32, 1), k.Out("out", weft.U32, 1), k.Out("next", weft.U32, 1)
	program := k.ProgramTile(out, 4*cfg.Counters)[0].(*tile.Value)
	var key [2]*tile.Value
	var start [4]*tile.Value
	for i := range key {
		key[i] = state.At(i).Gather()
	}
	for i := range start {
		start[i] = state.At(i + 2).Gather()
	}
	index := k.Arange(cfg.Counters).Add(program.Mul(cfg.Counters)).Cast(weft.U32)
	counter := addTo(k, start, index)
	w := ops.Philox(counter, [2]*tile.Value{key[0].Splat(cfg.Counters), key[1].Splat(cfg.Counters)})
	out.Block(4*cfg.Counters).Store(w[0].Join(w[2]).Join(w[1].Join(w[3])).Reshape(4*cfg.Counters), program)
	k.If(program.Eq(0), func() {
		used := k.CDiv(out.Dim(0), 4).Cast(weft.U32)
		for i, v := range addTo(k, start, used) {
			next.At(i + 2).Scatter(v)
		}
		for i, v := range key {
			next.At(i).Scatter(v)
		}
	})
})

// addTo adds a number to a counter of four words.
func addTo(k *tile.Builder, counter [4]*tile.Value, n *tile.Value) [4]*tile.Value {
	carry := n
	for i, v := range counter {
		sum := carry.Add(v)
		if i < 3 {
			carry = k.Where(sum.Lt(v), k.Const(weft.U32, 1), k.Const(weft.U32, 0))
		}
		counter[i] = sum
	}
	return counter
}
