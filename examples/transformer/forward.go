package main

import (
	"cmp"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// buffers is what the layers compute with for batches of rows of tokens, and views of it.
type buffers struct {
	batch, rows int          // rows of each batch
	h           *weft.Tensor // [batch·rows,width]: the sum of what all layers gave
	normed      *weft.Tensor // [batch·rows,width]
	part        *weft.Tensor // [batch·rows,width]: what a part of a layer gave, to be added to h
	qkv         *weft.Tensor // [batch·rows,(heads+2·groups)·head]
	seen        *weft.Tensor // [batch·rows,heads·head]: the result of attention
	gateUp      *weft.Tensor // [batch·rows,2·ffn]
	inner       *weft.Tensor // [batch·rows,ffn]

	q, k, v, out    *weft.Tensor // of qkv and seen, [batch,heads,rows,head]
	gate, up        *weft.Tensor
	embedded        *weft.Tensor // h as [batch,rows,width]
	lastH, lastPart *weft.Tensor // [batch,width]: of the last row of each batch
	last            *weft.Tensor // [batch,width], normalised
}

// scope scope tensors and views, and keeps the first error.
type scope struct {
	m    *model
	made []*weft.Tensor
	err  error
}

func (s *scope) keep(t *weft.Tensor, err error) *weft.Tensor {
	s.err = cmp.Or(s.err, err)
	s.made = append(s.made, t)
	return t
}

func (s *scope) empty(shape ...int) *weft.Tensor {
	return s.keep(weft.Empty(s.m.dev, s.m.elem, shape...))
}

func (s *scope) slice(t *weft.Tensor, dim, from, to int) *weft.Tensor {
	return s.keep(t.Slice(dim, from, to))
}

// heads is a view of rows as heads [batch,heads,rows,head].
func (s *scope) heads(t *weft.Tensor, batch, rows int) *weft.Tensor {
	split := s.keep(t.Reshape(batch, rows, t.Dim(1)/s.m.headSize, s.m.headSize))
	return s.keep(split.Permute(0, 2, 1, 3))
}

// lastRows is a view of the last row of each batch.
func (s *scope) lastRows(t *weft.Tensor, batch, rows int) *weft.Tensor {
	return s.keep(s.keep(t.Reshape(batch, rows, t.Dim(1))).Select(1, rows-1))
}

func (s *scope) close() {
	for _, t := range s.made {
		t.Close()
	}
}

// buffers scope buffers.
func (s *scope) buffers(batch, rows int) *buffers {
	n, all := s.m.size, batch*rows
	b := &buffers{batch: batch, rows: rows,
		h: s.empty(all, n.width), normed: s.empty(all, n.width), part: s.empty(all, n.width),
		qkv: s.empty(all, (n.heads+2*n.groups)*n.headSize), seen: s.empty(all, n.heads*n.headSize),
		gateUp: s.empty(all, 2*n.ffn), inner: s.empty(all, n.ffn), last: s.empty(batch, n.width),
	}
	if s.err != nil {
		return nil
	}
	qkv := s.heads(b.qkv, batch, rows)
	b.q, b.k, b.v = s.slice(qkv, 1, 0, n.heads), s.slice(qkv, 1, n.heads, n.heads+n.groups), s.slice(qkv, 1, n.heads+n.groups, n.heads+2*n.groups)
	b.out = s.heads(b.seen, batch, rows)
	b.gate, b.up = s.slice(b.gateUp, 1, 0, n.ffn), s.slice(b.gateUp, 1, n.ffn, 2*n.ffn)
	b.embedded = s.keep(b.h.Reshape(batch, rows, n.width))
	b.lastH, b.lastPart = s.lastRows(b.h, batch, rows), s.lastRows(b.part, batch, rows)
	return b
}

// cache is the keys and values of a layer, and where a forward pass reads and writes them.
type cache struct {
	allKeys, allValues *weft.Tensor // [batch,groups,capacity,head]
	keys, values       *weft.Tensor // views of them, of as many keys as attention may see
}

// cache is a view of a layer's keys and values [batch,2·groups,capacity,head], of which attention sees the first ones.
func (s *scope) cache(both *weft.Tensor, keys int) cache {
	g := s.m.size.groups
	k, v := s.slice(both, 1, 0, g), s.slice(both, 1, g, 2*g)
	return cache{k, v, s.slice(k, 2, 0, keys), s.slice(v, 2, 0, keys)}
}

// place says where the rows of a forward pass stand in their sequences.
type place struct {
	positions *weft.Tensor // [batch]: of row 0
	options   []ops.AttentionOption
}

// gated is the first half of the MLP: two products of the same rows, one of which is the gate of the other. Of quantised weights they are
// one product with both matrices.
func (l *layer) gated(b *buffers) error {
	if l.gate != nil {
		return ops.LinearSwiGLUInto(b.inner, b.normed, l.gate, l.up)
	}
	return cmp.Or(l.gateUp.into(b.gateUp, b.normed), ops.SwiGLUInto(b.inner, b.gate, b.up))
}

// forward computes the logits [batch,vocab] of what follows the last of ids [batch,rows], and appends the
// keys and values of all rows to the caches.
func (m *model) forward(logits, ids *weft.Tensor, b *buffers, caches []cache, at place) error {
	eps, add := ops.Epsilon(epsilon), ops.Residual(b.h, b.h)
	if err := ops.EmbeddingInto(b.embedded, m.embed, ids); err != nil {
		return err
	}
	rotation := m.rotation()
	for i := range m.layers {
		l, c := &m.layers[i], caches[i]
		var err error
		if i == 0 {
			err = ops.RMSNormInto(b.normed, b.h, l.norm1, eps)
		} else { // with what the layer before gave
			err = ops.RMSNormInto(b.normed, b.part, l.norm1, eps, add)
		}
		err = cmp.Or(err, // which all are launched; the first error counts
			l.qkv.into(b.qkv, b.normed),
			ops.RotaryAppend(c.allKeys, c.allValues, b.q, b.k, b.v, at.positions, nil, rotation...),
			ops.AttentionInto(b.out, b.q, c.keys, c.values, at.options...),
			l.out.into(b.part, b.seen),
			ops.RMSNormInto(b.normed, b.part, l.norm2, eps, add),
			l.gated(b),
			l.down.into(b.part, b.inner),
		)
		if err != nil {
			return err
		}
	}
	return cmp.Or(
		ops.RMSNormInto(b.last, b.lastPart, m.norm, eps, ops.Residual(b.lastH, nil)),
		m.head.into(logits, b.last),
	)
}
