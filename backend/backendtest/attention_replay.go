package backendtest

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// attentionReplayed captures attention and replays it with other lengths, pages, starts and masks, which only the device sees: it gives what a call gives, to the bit.
func attentionReplayed(s *suite) {
	const batch, heads, groups, head, page, each, rows = 3, 4, 2, 24, 16, 4, 20
	numbers := func(list ...int) host {
		h := filled(weft.I32, 0, len(list))
		for i, n := range list {
			h.x[i] = float64(n)
		}
		return h
	}
	starts := func(most int) host { // of sequences, of which some may be empty
		list := []int{0, s.rng.IntN(most + 1), s.rng.IntN(most + 1), most}
		slices.Sort(list)
		return numbers(list...)
	}
	lengths := func() host { return numbers(s.rng.IntN(page*each+1), s.rng.IntN(page+1), s.rng.IntN(page*each+9)-4) }
	table := func() host {
		h := numbers(s.rng.Perm(batch*each + 2)[:batch*each]...)
		h.shape = []int{batch, each}
		return h
	}
	pool, packed := s.random(weft.F16, batch*each+2, groups, page, head), s.random(weft.F32, 1, groups, 3*rows, head)
	s.replaysAttention(s.random(weft.F16, batch, heads, 1, head), pool, [2]func() host{lengths, table}, func(t [2]*weft.Tensor) []ops.AttentionOption {
		return []ops.AttentionOption{ops.KeyLengths(t[0]), ops.BlockTable(t[1]), ops.Causal()}
	})
	s.replaysAttention(s.random(weft.F32, 1, heads, rows, head), packed, [2]func() host{func() host { return starts(rows) }, func() host { return starts(3 * rows) }},
		func(t [2]*weft.Tensor) []ops.AttentionOption {
			return []ops.AttentionOption{ops.QueryStarts(t[0]), ops.KeyStarts(t[1]), ops.Causal(), smallAttention}
		})
	const queries, keys = 69, 75 // with whose mask warpgroups multiply, which is packed in each replay
	s.replaysAttention(s.random(weft.F16, 1, heads, queries, 64), s.random(weft.F16, 1, groups, keys, 64),
		[2]func() host{func() host { return numbers(s.rng.IntN(keys + 1)) }, func() host { return s.random(weft.Bool, heads, queries, keys) }},
		func(t [2]*weft.Tensor) []ops.AttentionOption {
			return []ops.AttentionOption{ops.KeyLengths(t[0]), ops.AttentionMask(t[1])}
		})
}

// replaysAttention captures attention of q with keys and values by options of two tensors, which change between replays.
func (s *suite) replaysAttention(q, kv host, drawn [2]func() host, options func(t [2]*weft.Tensor) []ops.AttentionOption) {
	s.Helper()
	in, keys, out := s.tensor(q), s.tensor(kv), s.output(dense, q.elem, q.shape...)
	var by [2]*weft.Tensor
	for i, f := range drawn {
		by[i] = s.tensor(f())
	}
	recording, err := s.dev.Capture(func(rec *weft.Recorder) error {
		return ops.AttentionInto(rec.Use(out.Tensor), in, keys, keys, options([2]*weft.Tensor{rec.Use(by[0]), rec.Use(by[1])})...)
	})
	s.try(err)
	defer recording.Close()
	for range 3 {
		for i, f := range drawn {
			s.try(by[i].CopyFrom(s.tensor(f())))
		}
		s.try(recording.Replay())
		out.check(s.floats(s.ok(ops.Attention(in, keys, keys, options(by)...))), nil)
	}
}
