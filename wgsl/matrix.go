package wgsl

import (
	"fmt"

	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// Cooperative matrices are subgroup matrices of a draft (Dawn, docs/dawn/features/subgroup_matrix.md), whose types name columns before rows. Offsets
// and strides count elements of the declared arrays, whatever those are.

// matrixName is the name of a type of matrices.
func matrixName(t simt.Type) string {
	kind := map[simt.MatrixUse]string{simt.MatrixA: "left", simt.MatrixB: "right", simt.MatrixC: "result"}[t.Matrix.Use]
	return fmt.Sprintf("subgroup_matrix_%s<%v, %d, %d>", kind, t.Elem, t.Matrix.Columns, t.Matrix.Rows)
}

// majorness is the order of a matrix's elements in memory.
func majorness(op *simt.Op) string {
	if op.Transpose {
		return "col_major"
	}
	return "row_major"
}

// matrixPlace is the pointer to the array that a CooperativeLoad or a CooperativeStore accesses, the offset and the stride.
func (w *writer) matrixPlace(op *simt.Op, index cstyle.Expr) (array, offset, stride cstyle.Expr) {
	a := w.array(op)
	each := a.per * a.lanes
	return cstyle.Prefix("&", cstyle.Atom(a.name)), w.quotient(op.Args[0], index, each), cstyle.Integer(op.Pitch / each)
}

// loadMatrix prints a CooperativeLoad.
func (w *writer) loadMatrix(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	array, offset, stride := w.matrixPlace(op, index)
	return cstyle.Call(fmt.Sprintf("subgroupMatrixLoad<%s, %s>", typeName(op.Result().Type), majorness(op)), array, offset, stride)
}

// storeMatrix prints a CooperativeStore.
func (w *writer) storeMatrix(op *simt.Op, index, value cstyle.Expr) {
	array, offset, stride := w.matrixPlace(op, index)
	w.Line("%s;", cstyle.Call(fmt.Sprintf("subgroupMatrixStore<%s>", majorness(op)), array, offset, value, stride).Text)
}
