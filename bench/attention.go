package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
)

func attentionWorks(s sizes) (list []work) {
	batch, heads, length, head := 4, 32, s.side, 128
	if s.kind != backend.GPU {
		batch, heads, head = 1, 4, 64
	}
	for _, elem := range []weft.DType{weft.F32, weft.F16} {
		for _, causal := range []bool{false, true} {
			list = append(list, attentionWork(elem, batch, heads, heads, length, head, causal))
		}
	}
	return append(list, attentionWork(weft.F16, batch, heads, heads/4, length, head, true))
}

// attentionWork has as many keys as queries. Operations are those of the scores that count.
func attentionWork(elem weft.DType, batch, heads, groups, length, head int, causal bool) work {
	name, pairs := "full", float64(length)*float64(length)
	var options []ops.AttentionOption
	if causal {
		name, pairs = "causal", float64(length)*float64(length+1)/2
		options = append(options, ops.Causal())
	}
	if groups != heads {
		name += fmt.Sprintf(" gqa%d", groups)
	}
	q, kv := normal(elem, batch, heads, length, head), normal(elem, batch, groups, length, head)
	return work{
		Op:     fmt.Sprintf("attention %v %dx%dx%dx%d %s", elem, batch, heads, length, head, name),
		Flop:   4 * float64(batch*heads*head) * pairs,
		inputs: []operand{q, kv, kv}, output: q,
		run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.AttentionInto(out, in[0], in[1], in[2], options...)
		},
		check: func(out values, in []values) error {
			rng := rand.New(rand.NewPCG(10, 11))
			for range 20 {
				h, i := rng.IntN(batch*heads), rng.IntN(length)
				if err := checkQuery(out, in, elem, (h*length+i)*head, h/(heads/groups)*length*head, i, length, head, causal); err != nil {
					return fmt.Errorf("head %d, query %d: %w", h, i, err)
				}
			}
			return nil
		},
	}
}

// checkQuery compares the result for the query that begins at element at; the keys of its head begin at from.
func checkQuery(out values, in []values, elem weft.DType, at, from, i, length, head int, causal bool) error {
	keys := length
	if causal {
		keys = i + 1
	}
	a := reference.Attention{B: 1, Hq: 1, Hkv: 1, Sq: 1, Sk: keys, D: head, Scale: 1 / math.Sqrt(float64(head))}
	want := a.Compute(in[0].slice(at, head), in[1].slice(from, keys*head), in[2].slice(from, keys*head))
	worst, err := reference.Compare(out.slice(at, head), want.Out, func(d int) float64 {
		return ops.AttentionBound(elem, keys, head, want.Out[d], want.Magnitudes[d], want.Scores[0], want.Values)
	})
	if err == nil && !worst.OK() {
		err = fmt.Errorf("%v", worst)
	}
	return err
}

// slice is n elements from element at on.
func (v values) slice(at, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = v(at + i)
	}
	return x
}
