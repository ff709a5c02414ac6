package simt

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// RowVector is how many elements of a row a thread has next to each other in InRows, if it has as many.
const RowVector = 4

// InRows is a fragment of across lines of so many elements each, over threads: numbered line by line, elements go to threads in
// vectors of RowVector.
func InRows(across, along, threads int) (f Fragment) {
	var all [][2]int
	for n := 1; n < along; n *= 2 {
		all = append(all, [2]int{0, n})
	}
	for n := 1; n < across; n *= 2 {
		all = append(all, [2]int{n, 0})
	}
	of := 0 // bits of threads
	for n := 1; n < threads; n *= 2 {
		of++
	}
	vector := 0
	for n := 1; n < RowVector && vector < len(all)-of; n *= 2 {
		vector++
	}
	f.Threads = append(f.Threads, all[vector:min(vector+of, len(all))]...)
	f.Registers = append(append(f.Registers, all[:vector]...), all[min(vector+of, len(all)):]...)
	for len(f.Threads) < of { // which hold copies
		f.Threads = append(f.Threads, [2]int{})
	}
	return f
}

// CheckOpaque reports ops that know of the elements of an opaque matrix, which printers refuse.
func (k *Func) CheckOpaque() (err error) {
	if len(k.Cooperative) == 0 {
		return nil
	}
	Walk(k.Body, func(op *Op) {
		if op.Kind != Extract && op.Kind != Compose {
			return
		}
		t := op.Result().Type
		if op.Kind == Extract {
			t = op.Args[0].Type
		}
		if m, _ := k.CooperativeOf(t); m != nil && m.Opaque && err == nil {
			err = fault.New(fault.ErrKernel, k.Name, "%v of an opaque matrix %v", op.Kind, t).At(op.Line)
		}
	})
	return err
}

// MakeOpaque makes an instruction that multiplies elements of a type one whose fragments are not known.
func (m *MatrixInstruction) MakeOpaque(e dtype.Type) {
	depth := m.Bytes / e.Size()
	m.Opaque = true
	m.A, m.B, m.C = InRows(m.Rows, depth, m.Threads), InRows(m.Columns, depth, m.Threads), InRows(m.Rows, m.Columns, m.Threads)
}
