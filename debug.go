package weft

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile/interp"
)

// Debug runs the kernel in the interpreter, with aids for finding errors: a writer for Print ops, a
// Go callback for breakpoints, and checks for races, for reads of what nothing wrote in the buffers that the options list, for elements of outputs that
// no program wrote, for points out of bounds and for the first NaN. The programs run one after the other, in the
// order of their numbers, and none after one that fails. The tensors may be on any device: their memory is copied to
// the host and back. Buffers in the options are numbered in the order in which the tensors
// name them first.
//
// Errors: as for LaunchWith; ErrKernel for an assertion that does not hold and for what
// the checks find, with the kernel's line. What the kernel wrote until then is in the tensors.
func (k *Kernel[C]) Debug(cfg C, o interp.Options, scalars Scalars, tensors ...*Tensor) error {
	c, kernel, err := k.call(cfg, scalars)
	if err != nil {
		return err
	}
	defer c.done()
	if err := c.arguments(kernel, viewsOf(tensors...)); err != nil {
		return err
	}
	args, bits := c.args, c.words
	for _, t := range tensors {
		if err := t.host(kernel.Name); err != nil {
			return err
		}
	}
	if _, err := compile.FactsOf(kernel, args); err != nil {
		return err
	}
	o.InOrder = true
	p := &interp.Program{Kernel: kernel, Options: o}
	var buffers []backend.Buffer
	var memory [][]byte
	index := map[backend.Buffer]int{}
	layouts, sizes := make([]layout.Layout, len(args)), make([][]int, len(args))
	for i, a := range args {
		layouts[i], sizes[i] = a.Layout, a.Layout.Shape()
		at, known := index[a.Buffer]
		if !known {
			at = len(buffers)
			index[a.Buffer] = at
			buffers, memory = append(buffers, a.Buffer), append(memory, make([]byte, a.Buffer.Bytes()))
			if err := transfer(a.Buffer.Download, memory[at]); err != nil {
				return err
			}
		}
		p.Buffers = append(p.Buffers, at)
	}
	words, err := kernel.Words(layouts, bits)
	if err != nil {
		return err
	}
	grid, err := kernel.GridAt(sizes, bits)
	if err != nil {
		return err
	}
	err = p.Run(grid, memory, words)
	for i, a := range args {
		if err != nil && c.held[i].counts { // zero before each launch
			clear(memory[index[a.Buffer]])
		}
	}
	for i, b := range buffers {
		if e := transfer(b.Upload, memory[i]); err == nil {
			err = e
		}
	}
	return err
}

// transfer moves a whole buffer's memory, if there is any.
func transfer(move func(offset int64, raw []byte) error, raw []byte) error {
	if len(raw) == 0 {
		return nil
	}
	return move(0, raw)
}
