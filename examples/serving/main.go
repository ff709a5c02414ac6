package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"math"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/ops"
)

const (
	vocab, width, ffn   = 96, 64, 128
	heads, groups, head = 4, 2, 16 // queries have heads, keys and values groups
	layers              = 2
	slots               = 3      // sequences at once
	pageSize, pages     = 16, 10 // rows of a page, pages of the pool
	most                = 4      // pages of a sequence
)

// model is the weights and the cache of a decoder.
type model struct {
	dev    *weft.Device
	embed  *weft.Tensor // [vocab,width]
	layers [layers]layer
	norm   *weft.Tensor
	head   *ops.Quantized // [width,vocab]
}

// layer is the weights of one layer, [in,out], and its pages [pages,groups,pageSize,head].
type layer struct {
	norm1, norm2           *weft.Tensor
	qkv, out, gateUp, down *ops.Quantized
	keys, values           *weft.Tensor
}

// newModel draws weights, quantises them, and makes an empty cache.
func newModel(dev *weft.Device, elem weft.DType) (*model, error) {
	c := &calls{}
	stream := ops.Stream{Seed: 1}
	draw := func(shape ...int) *weft.Tensor {
		t := c.keep(ops.Normal(dev, elem, stream, shape...))
		stream = stream.Skip(shape[0] * shape[1])
		return t
	}
	quantized := func(out, in int) *ops.Quantized {
		w := draw(out, in) // as a file has them
		c.check(ops.MulInto(w, w, 2/math.Sqrt(float64(in))))
		q, err := ops.Quantize(w, ops.QuantScheme{Bits: 4, Block: [2]int{1, 32}}) // groups of 32 weights of a row
		c.check(cmp.Or(err, w.Close()))
		return q.T()
	}
	ones := func() *weft.Tensor { return c.keep(weft.Full(dev, elem, 1, width)) }
	m := &model{dev: dev, embed: draw(vocab, width), norm: ones(), head: quantized(vocab, width)}
	for i := range m.layers {
		m.layers[i] = layer{
			norm1: ones(), norm2: ones(),
			qkv: quantized((heads+2*groups)*head, width), out: quantized(width, heads*head),
			gateUp: quantized(2*ffn, width), down: quantized(width, ffn),
			keys:   c.keep(weft.Zeros(dev, elem, pages, groups, pageSize, head)),
			values: c.keep(weft.Zeros(dev, elem, pages, groups, pageSize, head)),
		}
	}
	return m, c.err
}

// calls keeps the first error of several calls, and what they made.
type calls struct {
	made []*weft.Tensor
	err  error
}

func (c *calls) check(err error) { c.err = cmp.Or(c.err, err) }

func (c *calls) keep(t *weft.Tensor, err error) *weft.Tensor {
	c.check(err)
	c.made = append(c.made, t)
	return t
}

func (c *calls) close() {
	for _, t := range c.made {
		t.Close()
	}
}

// read appends the keys and values of ids [B,S] to the pages of table [B,most], from positions [B] on, and gives the sums [B·S,width] of what
// all layers gave. lengths [B] are the rows of the cache with these.
func (m *model) read(c *calls, ids, positions, lengths, table *weft.Tensor) *weft.Tensor {
	batch, rows := ids.Dim(0), ids.Dim(1)
	byHeads := func(t *weft.Tensor, n int) *weft.Tensor { // a view [B,n,S,head] of rows
		return c.keep(c.keep(t.Reshape(batch, rows, n, head)).Permute(0, 2, 1, 3))
	}
	h := c.keep(c.keep(ops.Embedding(m.embed, ids)).Reshape(batch*rows, width))
	for _, l := range m.layers {
		qkv := byHeads(c.keep(ops.QuantizedMatMul(c.keep(ops.RMSNorm(h, l.norm1)), l.qkv)), heads+2*groups)
		q, k, v := c.keep(qkv.Slice(1, 0, heads)), c.keep(qkv.Slice(1, heads, heads+groups)), c.keep(qkv.Slice(1, heads+groups, heads+2*groups))
		c.check(ops.RotaryAppend(l.keys, l.values, q, k, v, positions, table))

		seen := c.keep(weft.Empty(m.dev, h.DType(), batch*rows, heads*head))
		c.check(ops.AttentionInto(byHeads(seen, heads), q, l.keys, l.values, ops.BlockTable(table), ops.KeyLengths(lengths), ops.Causal()))
		part := c.keep(ops.QuantizedMatMul(seen, l.out))

		x := c.keep(ops.RMSNorm(part, l.norm2, ops.Residual(h, h))) // h += part
		both := c.keep(ops.QuantizedMatMul(x, l.gateUp))
		inner := c.keep(ops.SwiGLU(c.keep(both.Slice(1, 0, ffn)), c.keep(both.Slice(1, ffn, 2*ffn))))
		c.check(ops.AddInto(h, h, c.keep(ops.QuantizedMatMul(inner, l.down))))
	}
	return h
}

// server has a model and up to so many sequences as there are slots. All that a step reads of them is on the device.
type server struct {
	*model
	temperature float64 // 0 for the most probable tokens
	seed        uint64

	ids       *weft.Tensor // [slots] of I32, as the next ones are: the newest tokens, which the cache does not have
	positions *weft.Tensor // their positions; -1 where a slot is idle, of which the cache has no row
	lengths   *weft.Tensor // how many rows of the cache they see with their own; 0 where a slot is idle
	active    *weft.Tensor // 1, or 0 where a slot is idle
	steps     *weft.Tensor // how many steps there were, by which tokens are drawn
	table     *weft.Tensor // [slots,most]: the pages of each sequence in order

	step    *weft.Recording
	running [slots]*request
	free    []int32 // pages
}

// request is a prompt and how many tokens are to follow it.
type request struct {
	prompt []int32
	most   int
	tokens []int32 // that followed
	pages  []int32
}

// choose writes the next tokens into ids [slots], by the sums of the newest ones [slots,width].
func (s *server) choose(c *calls, ids, h *weft.Tensor) {
	logits := c.keep(weft.Empty(s.dev, weft.F32, slots, vocab))
	c.check(ops.QuantizedMatMulInto(logits, c.keep(ops.RMSNorm(h, s.norm)), s.head))
	if s.temperature == 0 {
		c.check(ops.ArgMaxInto(ids, logits, ops.Axis(1)))
		return
	}
	c.check(ops.SampleInto(ids, logits, ops.Stream{Seed: s.seed}, ops.Temperature(s.temperature), ops.SampleTopK(40), ops.SampleTopP(0.9), ops.SampleSteps(s.steps)))
}

// newServer captures the step.
func newServer(m *model, temperature float64, seed uint64) (*server, error) {
	c := &calls{}
	s := &server{model: m, temperature: temperature, seed: seed}
	for _, t := range []**weft.Tensor{&s.ids, &s.lengths, &s.active, &s.steps} {
		*t = c.keep(weft.Zeros(m.dev, weft.I32, slots))
	}
	s.positions = c.keep(weft.Full(m.dev, weft.I32, -1, slots))
	s.table = c.keep(weft.Zeros(m.dev, weft.I32, slots, most))
	for page := range int32(pages) {
		s.free = append(s.free, page)
	}
	if c.err != nil {
		return nil, c.err
	}
	var err error
	s.step, err = m.dev.Capture(func(rec *weft.Recorder) error {
		c := &calls{}
		defer c.close() // the recording keeps their memory
		ids, positions, lengths, steps := rec.Use(s.ids), rec.Use(s.positions), rec.Use(s.lengths), rec.Use(s.steps)
		h := s.read(c, c.keep(ids.Unsqueeze(1)), positions, lengths, s.table)
		s.choose(c, ids, h)
		c.check(ops.AddInto(positions, positions, s.active))
		c.check(ops.AddInto(lengths, lengths, s.active))
		c.check(ops.AddInto(steps, steps, 1))
		return c.err
	})
	return s, err
}

// check refuses a request that no sequence has room for.
func (r *request) check() error {
	if len(r.prompt) == 0 || r.most < 1 || r.rows() > most*pageSize {
		return fmt.Errorf("a prompt of %d tokens and %d more, want 1 or more of each and at most %d in all", len(r.prompt), r.most, most*pageSize+1)
	}
	return nil
}

// rows is how many rows of the cache a request needs: the last token is not read.
func (r *request) rows() int { return len(r.prompt) + r.most - 1 }

// need is how many pages have them.
func (r *request) need() int { return (r.rows() + pageSize - 1) / pageSize }

// begin gives a request pages and a slot, and reads all of its prompt but the last token, which the next step reads.
func (s *server) begin(slot int, r *request) error {
	n := r.need()
	r.pages, s.free = s.free[:n:n], s.free[n:]
	s.running[slot] = r
	row := make([]int32, most)
	copy(row, r.pages)
	last := len(r.prompt) - 1

	c := &calls{}
	defer c.close()
	table := c.keep(s.table.Slice(0, slot, slot+1))
	c.check(table.CopyFrom(c.keep(weft.FromSlice(s.dev, row, 1, most))))
	if last > 0 {
		ids := c.keep(weft.FromSlice(s.dev, r.prompt[:last], 1, last))
		s.read(c, ids, c.keep(weft.Zeros(s.dev, weft.I32, 1)), c.keep(weft.Full(s.dev, weft.I32, last, 1)), table)
	}
	c.check(s.set(slot, r.prompt[last], last, last+1, 1))
	return c.err
}

// set sets what the step reads of a slot.
func (s *server) set(slot int, id int32, position, length, active int) error {
	return cmp.Or(s.ids.SetAt(id, slot), s.positions.SetAt(position, slot), s.lengths.SetAt(length, slot), s.active.SetAt(active, slot))
}

// end gives the pages of a request back.
func (s *server) end(slot int) error {
	s.free = append(s.free, s.running[slot].pages...)
	s.running[slot] = nil
	return s.set(slot, 0, -1, 0, 0)
}

// serve runs requests until all have their tokens, and counts the steps.
func (s *server) serve(requests []*request) (steps int, err error) {
	for _, r := range requests {
		if err := r.check(); err != nil {
			return 0, err
		}
	}
	for left := len(requests); left > 0; steps++ {
		if requests, err = s.admit(requests); err != nil {
			return steps, err
		}
		if err := s.step.Replay(); err != nil {
			return steps, err
		}
		ended, err := s.collect()
		if err != nil {
			return steps, err
		}
		left -= ended
	}
	return steps, nil
}

// admit begins requests while there are slots and pages, and gives those that wait.
func (s *server) admit(requests []*request) ([]*request, error) {
	for slot, r := range s.running {
		if r != nil {
			continue
		}
		if len(requests) == 0 || requests[0].need() > len(s.free) {
			break
		}
		if err := s.begin(slot, requests[0]); err != nil {
			return requests, err
		}
		requests = requests[1:]
	}
	return requests, nil
}

// collect gives requests their new tokens, and counts those that end.
func (s *server) collect() (ended int, err error) {
	ids, err := weft.ToSlice[int32](s.ids) // waits for the step
	if err != nil {
		return 0, err
	}
	for slot, r := range s.running {
		if r == nil {
			continue
		}
		if r.tokens = append(r.tokens, ids[slot]); len(r.tokens) == r.most {
			ended++
			if err := s.end(slot); err != nil {
				return ended, err
			}
		}
	}
	return ended, nil
}

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device); err != nil {
		log.Fatal(err)
	}
}

func run(device string) error {
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	m, err := newModel(dev, weft.F16)
	if err != nil {
		return err
	}
	s, err := newServer(m, 0.8, 7)
	if err != nil {
		return err
	}
	defer s.step.Close()
	requests := []*request{{prompt: []int32{5, 17, 60}, most: 20}, {prompt: []int32{9}, most: 4}, {prompt: make([]int32, 40), most: 12}, {prompt: []int32{1, 2}, most: 30}}
	steps, err := s.serve(requests)
	if err != nil {
		return err
	}
	written := 0
	for _, r := range requests {
		written += len(r.tokens)
	}
	fmt.Printf("%d requests, %d tokens in %d steps of %d kernels; %d of %d pages are free\n", len(requests), written, steps, s.step.Launches(), len(s.free), pages)
	return nil
}
