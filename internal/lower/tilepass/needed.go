package tilepass

import (
	"github.com/weftgpu/weft/tile"
)

// Needed finds the ops of a kernel that have an effect on a GPU, and those
// whose results they use. Aids for finding errors have none.
func Needed(k *tile.Func) map[*tile.Op]bool {
	needed := map[*tile.Op]bool{}
	markNeeded(k.Body, needed)
	return needed
}

// markNeeded walks backwards: operands come before their uses.
func markNeeded(r *tile.Region, needed map[*tile.Op]bool) {
	for i := len(r.Ops) - 1; i >= 0; i-- {
		op := r.Ops[i]
		if !needed[op] && (!op.Kind.HasEffect() || op.Kind.Fact().Class == tile.Debug) {
			continue
		}
		needed[op] = true
		for _, body := range op.Regions() {
			markNeeded(body, needed)
		}
		for _, a := range op.Args {
			if a.Op() != nil {
				needed[a.Op()] = true
			}
		}
	}
}
