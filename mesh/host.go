package mesh

import (
	"errors"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// hostEngine computes collectives in the host's memory: on any backend, and over any number of processes.
type hostEngine struct{ g *Group }

func (e *hostEngine) String() string { return "host" }
func (e *hostEngine) abort() error   { return nil }
func (e *hostEngine) close() error   { return nil }

func (e *hostEngine) start(c *call) error {
	if c.kind == exchange {
		return e.exchange(c)
	}
	local, err := e.download(c.src)
	if err != nil {
		return err
	}
	inputs := local
	if e.g.store != nil {
		if inputs, err = e.g.gather(c, local); err != nil {
			return err
		}
	}
	results := make([][]byte, len(c.dst))
	for i, rank := range e.g.ranks {
		results[i] = c.result(rank, inputs)
	}
	return e.upload(c.dst, results)
}

// result is what the call gives a rank: the definition of the collectives.
func (c *call) result(rank int, inputs [][]byte) []byte {
	block := func(raw []byte) []byte { return raw[int64(rank)*c.bytes() : int64(rank+1)*c.bytes()] }
	blocks := slices.Clone(inputs)
	switch c.kind {
	case allGather:
		return slices.Concat(inputs...)
	case broadcast:
		return inputs[c.root]
	case allToAll:
		for i := range blocks {
			blocks[i] = block(blocks[i])
		}
		return slices.Concat(blocks...)
	case reduceScatter:
		for i := range blocks {
			blocks[i] = block(blocks[i])
		}
	}
	out := make([]byte, c.bytes())
	backend.Combine(c.reduce, c.elem, out, blocks)
	return out
}

// exchange sends what each process has for the others.
func (e *hostEngine) exchange(c *call) error {
	var src []*weft.Tensor
	for _, t := range c.transfers {
		if t.Src != nil {
			src = append(src, t.Src)
		}
	}
	sent, err := e.download(src)
	if err != nil {
		return err
	}
	mail := newMail(e.g, c.transfers, sent)
	if e.g.store != nil {
		if err := mail.post(c); err != nil {
			return err
		}
	}
	var dst []*weft.Tensor
	var received [][]byte
	for _, t := range c.transfers {
		if t.Dst == nil {
			continue
		}
		raw, err := mail.take(t)
		if err != nil {
			return err
		}
		dst, received = append(dst, t.Dst), append(received, raw)
	}
	return e.upload(dst, received)
}

// download reads dense tensors, each device on its own.
func (e *hostEngine) download(tensors []*weft.Tensor) ([][]byte, error) {
	raw := make([][]byte, len(tensors))
	err := e.each(tensors, func(i int, s weft.BufferSpan) error {
		raw[i] = make([]byte, bytesOf(tensors[i]))
		return s.Buffer.Download(s.Offset, raw[i])
	})
	return raw, err
}

func (e *hostEngine) upload(tensors []*weft.Tensor, raw [][]byte) error {
	return e.each(tensors, func(i int, s weft.BufferSpan) error { return s.Buffer.Upload(s.Offset, raw[i]) })
}

func (e *hostEngine) each(tensors []*weft.Tensor, f func(i int, s weft.BufferSpan) error) error {
	return weft.WithSpans("mesh: host copy", tensors, func(spans []weft.BufferSpan) error {
		errs := make([]error, len(spans))
		var wait sync.WaitGroup
		for i, s := range spans {
			wait.Go(func() { errs[i] = f(i, s) })
		}
		wait.Wait()
		return errors.Join(errs...)
	})
}

func bytesOf(t *weft.Tensor) int64 { return int64(t.Len()) * int64(t.DType().Size()) }

// mail is what processes send each other in an exchange.
type mail struct {
	g   *Group
	box map[[2]int][][]byte // by sender and receiver, in the order of the transfers
}

func newMail(g *Group, transfers []Transfer, sent [][]byte) *mail {
	m := &mail{g: g, box: map[[2]int][][]byte{}}
	for _, t := range transfers {
		if t.Src != nil {
			m.put(t.From, t.To, sent[0])
			sent = sent[1:]
		}
	}
	return m
}

func (m *mail) put(from, to int, raw []byte) {
	m.box[[2]int{from, to}] = append(m.box[[2]int{from, to}], raw)
}

// take takes out what a transfer brings.
func (m *mail) take(t Transfer) ([]byte, error) {
	way := [2]int{t.From, t.To}
	list := m.box[way]
	if len(list) == 0 || int64(len(list[0])) != bytesOf(t.Dst) {
		return nil, fault.New(fault.ErrShape, "mesh: exchange", "rank %d wants %d bytes from rank %d, which sends something else", t.To, bytesOf(t.Dst), t.From)
	}
	m.box[way] = list[1:]
	return list[0], nil
}
