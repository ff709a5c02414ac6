package compile

import (
	"sync"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// checkCleared refuses arguments for views that are cleared before a launch if they share
// elements with other arguments.
func checkCleared(k *tile.Func, args []Arg) error {
	for i, v := range k.Views {
		for j, other := range args {
			if v.Cleared && i != j && other.Buffer == args[i].Buffer && other.Layout.Overlaps(args[i].Layout) {
				return fault.New(fault.ErrUnsupported, k.Name, "it is cleared before the launch and shares elements with %s, want separate memory", k.Views[j].Name).
					For(v.Name).At(v.Pos.String())
			}
		}
	}
	return nil
}

// zerosConfig is what a kernel that writes zeros is built for.
type zerosConfig struct {
	elem  dtype.Type
	rank  int
	block [5]int // sizes of one program's tile, the first rank of them
}

// zerosConfigFor chooses tiles of up to 1024 elements for a layout.
func zerosConfigFor(elem dtype.Type, l layout.Layout) zerosConfig {
	cfg := zerosConfig{elem: elem, rank: l.Rank()}
	room := 1024
	for d := l.Rank() - 1; d >= 0; d-- {
		cfg.block[d] = min(pow2.Ceil(max(l.Size(d), 1)), room)
		room /= cfg.block[d]
	}
	return cfg
}

var zeroKernels sync.Map // of kernels by their config

func zeros(cfg zerosConfig) (*tile.Func, error) {
	if k, ok := zeroKernels.Load(cfg); ok {
		return k.(*tile.Func), nil
	}
	k, err := tile.Build("zeros", func(k *tile.Builder) {
		out, block := k.Out("out", cfg.elem, cfg.rank), cfg.block[:cfg.rank]
		at := k.ProgramTile(out, block...)
		out.Block(block...).Store(k.Zeros(cfg.elem, block...), at...)
	})
	if err == nil {
		zeroKernels.Store(cfg, k)
	}
	return k, err
}
