package tile

import "github.com/weftgpu/weft/fault"

// complete checks that a description has what it needs: a grid if programs differ, and a store to each view that is
// written only. Both are easily forgotten, and nothing else would report them.
func (k *Builder) complete() {
	grid := k.kernel.Grid != [3]*Value{}
	written := map[*View]bool{}
	var visit func(r *Region)
	visit = func(r *Region) {
		for _, op := range r.Ops {
			switch op.Kind {
			case OpProgramID, OpNumPrograms:
				if !grid {
					k.fail(fault.New(fault.ErrKernel, op.Kind.String(), "the kernel declares no grid, so that one program runs: call Grid, TileID or ProgramTile").At(op.Pos.String()))
				}
			case OpStore, OpScatter, OpAtomic:
				written[op.View] = true
			}
			for _, body := range op.Regions() {
				visit(body)
			}
		}
	}
	visit(k.kernel.Body)
	for _, v := range k.kernel.Views {
		if v.Access == Out && !written[v] {
			k.fail(fault.New(fault.ErrKernel, "view "+v.Name, "it is an output, and nothing is stored to it").At(v.Pos.String()))
		}
	}
}
