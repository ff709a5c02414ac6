package ops

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tile"
)

// wrongTiles says what is wrong with the config that Tiles was given; it is zero for a right one.
type wrongTiles struct {
	arg string // the option, with the field of the config if there is one: "Tiles.BM"
	msg string
}

// check returns an error of the op for a wrong config.
func (w wrongTiles) check(op string) error {
	if w == (wrongTiles{}) {
		return nil
	}
	return fault.New(weft.ErrArgument, op, "%s", w.msg).For(w.arg)
}

// otherConfig is what is wrong with the config of another op.
func otherConfig(given, want string) wrongTiles {
	return wrongTiles{"Tiles", fmt.Sprintf("the config is of type %s, want %s", given, want)}
}

// A tileField is a number that Tiles takes from a config. 0 always says that it is not given.
type tileField struct {
	name  string
	value int
	most  int // the largest value, or 0 for a size of a tile: a power of two up to tile.MaxTileElements
}

// checkFields finds the first field that has a value which no kernel takes.
func checkFields(fields ...tileField) wrongTiles {
	for _, f := range fields {
		arg := "Tiles." + f.name
		switch {
		case f.value == 0:
		case f.most > 0 && (f.value < 0 || f.value > f.most):
			return wrongTiles{arg, fmt.Sprintf("%d is not from 0 to %d", f.value, f.most)}
		case f.most > 0:
		case f.value < 0 || f.value&(f.value-1) != 0:
			return wrongTiles{arg, fmt.Sprintf("%d is not a power of two", f.value)}
		case f.value > tile.MaxTileElements:
			return wrongTiles{arg, fmt.Sprintf("%d is more than %d", f.value, tile.MaxTileElements)}
		}
	}
	return wrongTiles{}
}

// maxStages is the most stages of a pipeline that Tiles takes.
const maxStages = 8

// maxResident is the most workgroups of a multiprocessor that Tiles takes.
const maxResident = 32

// matMulTiles finds what is wrong with a config of Tiles, before any shape is known.
func matMulTiles(cfg *MatMulConfig) wrongTiles {
	if o := cfg.Order; o.Kind > tile.GroupedColumns || (o.Kind >= tile.GroupedRows) != (o.Group != 0) || o.Group < 0 {
		return wrongTiles{"Tiles.Order", fmt.Sprintf("%v has groups of %d", o, o.Group)}
	}
	return checkFields(
		tileField{"BM", cfg.BM, 0}, tileField{"BN", cfg.BN, 0}, tileField{"BK", cfg.BK, 0}, tileField{"Threads", cfg.Threads, 0},
		tileField{"Persistent", cfg.Persistent, math.MaxInt32}, tileField{"SplitK", cfg.SplitK, math.MaxInt32},
		tileField{"Stages", cfg.Stages, maxStages}, tileField{"Producers", cfg.Producers, 1},
		tileField{"Consumers", cfg.Consumers, 3}, tileField{"InFlight", cfg.InFlight, 2}, tileField{"Cluster", cfg.Cluster, 2},
		tileField{"Resident", cfg.Resident, maxResident}, tileField{"Interleave", cfg.Interleave, 0}, tileField{"SliceK", cfg.SliceK, 0},
		tileField{"Strips", cfg.Strips, kernels.MostStrips}, tileField{"Run", cfg.Run, 0},
		tileField{"RowPitch", cfg.RowPitch, tile.MaxTileElements}, tileField{"ColumnPitch", cfg.ColumnPitch, tile.MaxTileElements},
	)
}

// convTiles finds what is wrong with a config of Tiles, before any shape is known.
func convTiles(cfg *Conv2DConfig) wrongTiles {
	wrong := checkFields(
		tileField{"BO", cfg.BO, 0}, tileField{"BP", cfg.BP, 0}, tileField{"BK", cfg.BK, 0}, tileField{"Threads", cfg.Threads, 0},
		tileField{"Stages", cfg.Stages, maxStages}, tileField{"InFlight", cfg.InFlight, 2}, tileField{"Parts", cfg.Parts, kernels.MostConvParts},
		tileField{"ThreadRows", cfg.ThreadRows, 0}, tileField{"ThreadRows", cfg.ThreadRows, kernels.MaxThreadRows},
		tileField{"ThreadColumns", cfg.ThreadColumns, 0}, tileField{"ThreadColumns", cfg.ThreadColumns, kernels.MaxThreadColumns},
	)
	for d, size := range cfg.Block.Size {
		if wrong == (wrongTiles{}) && size != 0 {
			wrong = checkFields(tileField{fmt.Sprintf("Block.Size[%d]", d), size, 0})
		}
	}
	return wrong
}

// attentionTiles finds what is wrong with a config of Tiles, before any shape is known.
func attentionTiles(cfg *AttentionConfig) wrongTiles {
	return checkFields(
		tileField{"BM", cfg.BM, 0}, tileField{"BN", cfg.BN, 0}, tileField{"BD", cfg.BD, 0}, tileField{"BV", cfg.BV, 0},
		tileField{"Threads", cfg.Threads, 0}, tileField{"Stages", cfg.Stages, maxStages}, tileField{"Producers", cfg.Producers, 1},
		tileField{"InFlight", cfg.InFlight, 2}, tileField{"Workgroups", cfg.Workgroups, maxResident}, tileField{"Heads", cfg.Heads, math.MaxInt32}, tileField{"Persistent", cfg.Persistent, math.MaxInt32}, tileField{"Parts", cfg.Parts, kernels.MostParts},
		tileField{"TileHeads", cfg.TileHeads, 0},
	)
}
