package memory

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/tile"
)

// TestLoneStores: which stores in loops go to a block of their own in each iteration.
func TestLoneStores(t *testing.T) {
	loop := func(k *tile.Builder, n int, body func(i *tile.Value)) {
		for i := range k.Range(n) {
			body(i)
		}
	}
	share := func(k *tile.Builder, n int, body func(i *tile.Value)) {
		for i := range k.Persistent(n) {
			body(i)
		}
	}
	for what, c := range map[string]struct {
		lone  bool
		build func(k *tile.Builder, store func(row, column tile.Operand))
	}{
		"no loop": {true, func(k *tile.Builder, store func(row, column tile.Operand)) { store(k.ProgramID(0), 0) }},
		"its index": {true, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { store(0, i) })
		}},
		"a multiple": {true, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { store(0, k.Int(9).Sub(i.Mul(3)).Add(k.ProgramID(0))) })
		}},
		"none": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { store(0, 1) })
		}},
		"a quotient": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { store(0, i.Div(2)) })
		}},
		"a difference to itself": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { store(0, i.Sub(i.Mul(1).Add(0))) })
		}},
		"a product by what may be 0": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { store(0, i.Mul(k.ProgramID(0))) })
		}},
		"both of two loops": {true, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { loop(k, 4, func(j *tile.Value) { store(i, j) }) })
		}},
		"the outer one, and both": {true, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { loop(k, 4, func(j *tile.Value) { store(i, i.Add(j)) }) })
		}},
		"their sum": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { loop(k, 4, func(j *tile.Value) { store(0, i.Add(j)) }) })
		}},
		"the inner one": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { loop(k, 4, func(j *tile.Value) { store(0, j) }) })
		}},
		"the outer one": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			loop(k, 8, func(i *tile.Value) { loop(k, 4, func(j *tile.Value) { store(i, 0) }) })
		}},
		"pieces of work": {true, func(k *tile.Builder, store func(row, column tile.Operand)) {
			share(k, 8, func(i *tile.Value) { store(i.Div(2), i.Rem(2)) })
		}},
		"each in parts": {true, func(k *tile.Builder, store func(row, column tile.Operand)) {
			share(k, 8, func(i *tile.Value) { loop(k, 4, func(j *tile.Value) { store(0, i.Mul(4).Add(j)) }) })
		}},
		"all pieces of work to one place": {false, func(k *tile.Builder, store func(row, column tile.Operand)) {
			share(k, 8, func(i *tile.Value) { store(0, 0) })
		}},
	} {
		k := axistest.Build(t, "stores", func(k *tile.Builder) {
			out := k.Out("out", dtype.F32, 2)
			k.Grid(4)
			c.build(k, func(row, column tile.Operand) { out.Block(16, 16).Store(k.Zeros(dtype.F32, 16, 16), row, column) })
		})
		for op, lone := range unaliasedStores(k, axis.Facts{Views: make([]axis.ViewFacts, 1)}) {
			if lone != c.lone {
				t.Errorf("%s: the store of line %v is alone: %v", what, op.Pos, lone)
			}
		}
	}
}
