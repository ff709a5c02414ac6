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

// UniqueCount has views x [N], in order, and counts [P] of I32 for P tiles of x: how many elements of each differ from the one before. A cumulative sum
// makes of them how many different elements there are up to the end of each tile.
var UniqueCount = weft.NewKernel("unique_count", describeUniqueCount)

// UniqueWrite has views x [N], in order, upto [P], which is that cumulative sum, with cfg.Inverse order [N] of I32, which is where each element was, values [N], with cfg.Number number
// [1], with cfg.Inverse inverse [N], and with cfg.Counts counts [N], which are zero. Values after the different ones are 0.
var UniqueWrite = weft.NewKernel("unique_write", describeUniqueWrite)

// Tiles is the number of tiles of n elements.
func (cfg UniqueConfig) Tiles(n int) int { return CeilDiv(n, cfg.Tile) }

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

// uniqueTile are a tile's elements.
type uniqueTile struct {
	x              *tile.Value
	place          *tile.Value // of each in all of x
	inside         *tile.Value
	head           *tile.Value // differs from the one before
	differFromNext func() *tile.Value
}

func loadUnique(k *tile.Builder, cfg UniqueConfig, x *tile.View, at tile.Operand) uniqueTile {
	block := x.Block(cfg.Tile)
	t := uniqueTile{x: block.Load(at), place: block.Indices(0, at), inside: block.Inside(at)}
	key := func(v *tile.Value) *tile.Value { return wholeKey(rawBits(v), cfg.Elem, false) }
	own := key(t.x)
	differ := func(by int) *tile.Value { return own.Ne(key(x.At(t.place.Add(by)).Gather())) }
	t.head = t.inside.And(differ(-1).Or(t.place.Eq(0)))
	t.differFromNext = func() *tile.Value { return differ(1).Or(t.place.Eq(x.Dim(0).Sub(1))) }
	return t
}

func describeUniqueCount(k *tile.Builder, cfg UniqueConfig) {
	x, counts := k.In("x", cfg.Elem, 1), k.Out("counts", dtype.I32, 1)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(x, cfg.Tile)[0]
	counts.Block(1).Store(loadUnique(k, cfg, x, at).head.Cast(dtype.I32).Sum(0), at)
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
	for _, v := range []*tile.View{order, values, inverse, counts} {
		if v != nil {
			k.Require(v.Dim(0).Eq(x.Dim(0)))
		}
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(x, cfg.Tile)[0]
	t := loadUnique(k, cfg, x, at)
	before := upto.At(at.(*tile.Value).Sub(1)).Gather() // before the first tile there are none
	place := before.Add(t.head.Cast(dtype.I32).CumSum(0)).Sub(1)
	all := upto.At(upto.Dim(0).Sub(1)).Gather()

	values.At(place).Mask(t.head).Scatter(t.x)
	values.At(t.place).Mask(t.inside.And(t.place.Ge(all))).Scatter(k.Zeros(cfg.Elem, cfg.Tile))
	if cfg.Number {
		number.At(k.Int(0)).Mask(at.(*tile.Value).Eq(0)).Scatter(all)
	}
	if cfg.Inverse {
		inverse.At(order.Block(cfg.Tile).Load(at)).Mask(t.inside).Scatter(place)
	}
	if cfg.Counts {
		counts.At(place).Mask(t.inside.And(t.differFromNext())).AtomicAdd(t.place.Add(1))
		counts.At(place).Mask(t.head).AtomicAdd(t.place.Neg())
	}
}
