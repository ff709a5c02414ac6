package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// UniqueConfig is what the kernels of Unique are built for.
type UniqueConfig struct {
	Elem    weft.DType
	Number  bool // how many different elements there are is wanted
	Inverse bool // so is the place of each element among the different ones
	Counts  bool // so is how often each occurs
	Tile    int  // elements of a program, a power of two
	Threads int  // of a workgroup; 0 lets the compiler choose
}

// UniqueHeads has views x [N], in order, and heads [N] of I32: 1 for an element that differs from the one before, and 0 for others. A cumulative
// sum makes of them how many different elements there are up to each.
var UniqueHeads = weft.NewKernel("unique_heads", describeUniqueHeads)

// UniqueWrite has views x [N], in order, upto [N], which is that cumulative sum, with cfg.Inverse order [N] of I32, which is where each element was, values [N], with cfg.Number number
// [1], with cfg.Inverse inverse [N], and with cfg.Counts counts [N], which are zero. Values after the different ones are 0.
var UniqueWrite = weft.NewKernel("unique_write", describeUniqueWrite)

// UniqueConfigFor is the launch rule, for n elements, without what is wanted.
func UniqueConfigFor(caps target.Caps, elem weft.DType, n int) UniqueConfig {
	cfg := UniqueConfig{Elem: elem, Tile: 1 << 14}
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(256)
		cfg.Tile = 8 * cfg.Threads
	}
	if scarce(caps) {
		cfg.Tile = fewEach * cfg.Threads
	}
	cfg.Tile = min(cfg.Tile, pow2.Ceil(max(n, 1)))
	return cfg
}

func describeUniqueHeads(k *tile.Builder, cfg UniqueConfig) {
	x, heads := k.In("x", cfg.Elem, 1), k.Out("heads", dtype.I32, 1)
	k.Require(heads.Dim(0).Eq(x.Dim(0)))
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(x, cfg.Tile)[0]
	block := x.Block(cfg.Tile)
	place := block.Indices(0, at)
	key := func(v *tile.Value) *tile.Value { return wholeKey(rawBits(v), cfg.Elem, false) }
	before := key(x.At(place.Sub(1)).Gather())
	head := key(block.Load(at)).Ne(before).Or(place.Eq(0))
	heads.Block(cfg.Tile).Store(head.Cast(dtype.I32), at)
}

func describeUniqueWrite(k *tile.Builder, cfg UniqueConfig) {
	x, upto := k.In("x", cfg.Elem, 1), k.In("upto", dtype.I32, 1)
	var order, number, inverse, counts *tile.View
	if cfg.Inverse {
		order = k.In("order", dtype.I32, 1)
	}
	values := k.Out("values", cfg.Elem, 1)
	if cfg.Number {
		number = k.Out("number", dtype.I32, 1)
	}
	if cfg.Inverse {
		inverse = k.Out("inverse", dtype.I32, 1)
	}
	if cfg.Counts {
		counts = k.InOut("counts", dtype.I32, 1)
	}
	for _, v := range []*tile.View{upto, order, values, inverse, counts} {
		if v != nil {
			k.Require(v.Dim(0).Eq(x.Dim(0)))
		}
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(x, cfg.Tile)[0]
	block := upto.Block(cfg.Tile)
	i, here, inside := block.Indices(0, at), block.Load(at), block.Inside(at)
	place, head := here.Sub(1), here.Ne(upto.At(i.Sub(1)).Gather()) // before the first one there are none
	last := x.Dim(0).Sub(1)
	all := upto.At(last).Gather()

	values.At(place).Mask(head.And(inside)).Scatter(x.Block(cfg.Tile).Load(at))
	values.At(i).Mask(inside.And(i.Ge(all))).Scatter(k.Zeros(cfg.Elem, cfg.Tile))
	if cfg.Number {
		number.At(k.Int(0)).Mask(at.(*tile.Value).Eq(0)).Scatter(all)
	}
	if cfg.Inverse {
		inverse.At(order.Block(cfg.Tile).Load(at)).Mask(inside).Scatter(place)
	}
	if cfg.Counts {
		tail := here.Ne(upto.At(i.Add(1)).Gather()).And(inside) // beyond the last one it is 0
		counts.At(place).Mask(tail).AtomicAdd(i.Add(1))
		counts.At(place).Mask(head.And(inside)).AtomicAdd(i.Neg())
	}
}
