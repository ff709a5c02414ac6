package wgsl

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// checkDeclared reports arrays for which the pass declare did not choose a declaration, or which are declared as words that do not hold their elements.
func checkDeclared(k *simt.Func) error {
	check := func(name string, elem dtype.Type, d simt.Declaration) error {
		switch {
		case d.Type.Width == 0:
			return fault.New(fault.ErrKernel, "wgsl", "the array %s has no declaration", name)
		case d.Type.Elem.Size() < elem.Size():
			return fault.New(fault.ErrKernel, "wgsl", "the array %s of %v is declared as %v, want words that hold its elements", name, elem, d.Type)
		}
		return nil
	}
	for _, b := range k.Buffers {
		if err := check(b.Name, b.Elem, b.Declared); err != nil {
			return err
		}
	}
	for _, s := range k.Shared {
		if err := check(s.Name, s.Elem, s.Declared); err != nil {
			return err
		}
	}
	return nil
}

// checkMatrices reports cooperative matrices that are not those of subgroups of the draft, or that caps does not promise.
func checkMatrices(k *simt.Func, caps target.Caps) error {
	for _, m := range k.Cooperative {
		promised := slices.ContainsFunc(caps.Cooperative.Rows(), func(row target.CooperativeMatrix) bool {
			return row.Unknown != "" && row.M == m.Rows && row.N == m.Columns && row.K*row.A.Size() == m.Bytes && row.Threads == m.Threads && m.Sums[row.A] == row.C
		})
		if !promised || !m.Opaque {
			return fault.New(fault.ErrUnsupported, k.Name, "the device has no cooperative matrices %s whose elements are in shared memory alone", m.Name)
		}
	}
	return k.CheckOpaque()
}

// checkTypes reports integers and floats of 64 bits, which WGSL lacks.
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
