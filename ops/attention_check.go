package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// checkBatches checks what says which queries and keys are of one batch or sequence: first dimensions, starts and the table of a paged cache.
func (c *attentionCall) checkBatches() error {
	if c.hasQueryStarts {
		if err := c.checkStarts("query_starts", c.queryStarts, "q", c.q); err != nil {
			return err
		}
	}
	if c.hasKeyStarts {
		if c.hasTable {
			return fault.New(weft.ErrArgument, "attention", "keys of a BlockTable, which have no starts").For("key_starts")
		}
		if err := c.checkStarts("key_starts", c.keyStarts, "k", c.k); err != nil {
			return err
		}
		if c.keyStarts.Dim(0) != c.batch+1 {
			return fault.New(weft.ErrShape, "attention", "shape %v, want [%d]: a start for each batch or sequence of queries, and the end",
				c.keyStarts.Shape(), c.batch+1).For("key_starts")
		}
	}
	switch {
	case c.hasTable:
		return c.checkPages()
	case !c.hasKeyStarts && c.hasQueryStarts && c.k.Dim(0) != c.batch:
		return fault.New(weft.ErrShape, "attention", "shape %v, want a batch for each of %s", c.k.Shape(), fault.Count(c.batch, "sequence")).For("k")
	case !c.hasKeyStarts && c.k.Dim(0) != c.batch:
		return fault.New(weft.ErrShape, "attention", "shape %v does not fit q's %v: batch must be equal", c.k.Shape(), c.q.Shape()).For("k")
	}
	return nil
}

// checkStarts checks the starts of sequences that are packed in a tensor.
func (c *attentionCall) checkStarts(name string, starts *weft.Tensor, of string, packed *weft.Tensor) error {
	if err := c.checkOption(name, starts, isI32); err != nil {
		return err
	}
	switch {
	case starts.Rank() != 1 || starts.Dim(0) == 0:
		return fault.New(weft.ErrShape, "attention", "shape %v, want a vector of starts and the end", starts.Shape()).For(name)
	case packed.Dim(0) != 1:
		return fault.New(weft.ErrShape, "attention", "shape %v, want one batch with all sequences", packed.Shape()).For(of)
	}
	return nil
}

// checkPages checks a paged cache.
func (c *attentionCall) checkPages() error {
	if err := c.checkOption("table", c.table, isI32); err != nil {
		return err
	}
	pages, size := c.k.Dim(0), c.k.Dim(2)
	switch {
	case c.table.Rank() != 2 || c.table.Dim(0) != c.batch:
		return fault.New(weft.ErrShape, "attention", "shape %v, want a row of pages for each batch: [%d,MaxPages]", c.table.Shape(), c.batch).For("table")
	case kernels.NoPage(size) != "":
		return fault.New(weft.ErrUnsupported, "attention", "shape %v has %s", c.k.Shape(), kernels.NoPage(size)).For("k")
	case pages == 0 && c.table.Len() > 0:
		return fault.New(weft.ErrShape, "attention", "shape %v has no pages, the table has %v", c.k.Shape(), c.table.Shape()).For("k")
	case c.table.Dim(1) > kernels.AttentionKeys/size:
		return fault.New(weft.ErrLimit, "attention", "%d pages of %d keys, want at most 2^29 keys", c.table.Dim(1), size).For("table")
	}
	return nil
}

func isI32(t weft.DType) bool { return t == weft.I32 }

// checkTensors checks the tensors that options gave.
func (c *attentionCall) checkTensors() error {
	if c.hasMask {
		if c.hasQueryStarts || c.hasKeyStarts {
			return fault.New(weft.ErrUnsupported, "attention", "a mask of packed sequences").For("mask")
		}
		if err := c.checkOption("mask", c.mask, func(t weft.DType) bool { return upToF32(t) || t == weft.Bool }); err != nil {
			return err
		}
		if _, err := c.mask.Layout().Broadcast(c.scores()...); err != nil {
			return fault.New(weft.ErrShape, "attention", "shape %v does not broadcast to %v", c.mask.Shape(), c.scores()).For("mask")
		}
	}
	if c.hasLengths {
		if err := c.checkOption("lengths", c.lengths, isI32); err != nil {
			return err
		}
		if err := checkShape("attention", operand{"lengths", c.lengths}, []int{c.batch}); err != nil {
			return err
		}
	}
	if !c.hasLSE {
		return nil
	}
	if err := c.checkOption("lse", c.lse, func(t weft.DType) bool { return t == weft.F32 }); err != nil {
		return err
	}
	return checkShape("attention", operand{"lse", c.lse}, c.q.Shape()[:3])
}

// checkOption checks a tensor that an option gave: that it is there, its device and its type.
func (c *attentionCall) checkOption(name string, t *weft.Tensor, allowed func(weft.DType) bool) error {
	if err := checkOperands("attention", allowed, operand{name, t}); err != nil {
		return err
	}
	return t.CheckDevice("attention", name, c.q, "q")
}
