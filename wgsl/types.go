package wgsl

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
)

// checkDeclared reports arrays for which the pass declare did not choose a declaration.
func checkDeclared(k *simt.Func) error {
	check := func(name string, d simt.Declaration) error {
		if d.Type.Width == 0 {
			return fault.New(fault.ErrKernel, "wgsl", "the array %s has no declaration", name)
		}
		return nil
	}
	for _, b := range k.Buffers {
		if err := check(b.Name, b.Declared); err != nil {
			return err
		}
	}
	for _, s := range k.Shared {
		if err := check(s.Name, s.Declared); err != nil {
			return err
		}
	}
	return nil
}

// checkTypes reports integers of 64 bits, which WGSL lacks.
func checkTypes(k *simt.Func) error {
	fail := func(op string, e dtype.Type, line string) error {
		return fault.New(fault.ErrUnsupported, "wgsl", "%s of %v is not supported", op, e).At(line)
	}
	for _, b := range k.Buffers {
		if b.Elem.Size() > 4 {
			return fail("buffer "+b.Name, b.Elem, "")
		}
	}
	var block func(b *simt.Block) error
	block = func(b *simt.Block) error {
		for _, op := range b.Ops {
			for _, v := range op.Out {
				if v.Type.Elem.Size() > 4 {
					return fail(op.Kind.String(), v.Type.Elem, op.Line)
				}
			}
			for _, body := range op.Blocks() {
				if err := block(body); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return block(k.Body)
}
