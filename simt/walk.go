package simt

import "slices"

// Walk calls f for all ops of a block and of the blocks within, each before those of its own blocks.
func Walk(b *Block, f func(op *Op)) {
	for _, op := range b.Ops {
		f(op)
		if op.Body != nil {
			Walk(op.Body, f)
		}
		if op.Else != nil {
			Walk(op.Else, f)
		}
	}
}

// MapLike is the kernel's tensor map of the same view, dimensions and box as m, or m, which is added.
func (k *Func) MapLike(m *TensorMap) *TensorMap {
	i := slices.IndexFunc(k.Maps, func(o *TensorMap) bool {
		return o.View == m.View && slices.Equal(o.Dims, m.Dims) && slices.Equal(o.Box, m.Box)
	})
	if i >= 0 {
		return k.Maps[i]
	}
	k.Maps = append(k.Maps, m)
	return m
}
