package ops_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// A config that no kernel takes is refused before a kernel is built, by the name of the field and its value.
func TestTilesNameTheField(t *testing.T) {
	for _, c := range []struct {
		option ops.TilesOption
		says   string
	}{
		{ops.Tiles(ops.MatMulConfig{BM: 100}), "matmul: Tiles.BM: 100 is not a power of two"},
		{ops.Tiles(ops.MatMulConfig{BM: 64, BN: -64}), "matmul: Tiles.BN: -64 is not a power of two"},
		{ops.Tiles(ops.MatMulConfig{BK: 1 << 40}), "matmul: Tiles.BK: 1099511627776 is more than"},
		{ops.Tiles(ops.MatMulConfig{Threads: 96}), "matmul: Tiles.Threads: 96 is not a power of two"},
		{ops.Tiles(ops.MatMulConfig{SplitK: -2}), "matmul: Tiles.SplitK: -2 is not from 0 to 2147483647"},
		{ops.Tiles(ops.MatMulConfig{Stages: 9}), "matmul: Tiles.Stages: 9 is not from 0 to 8"},
		{ops.Tiles(ops.MatMulConfig{Cluster: 3}), "matmul: Tiles.Cluster: 3 is not from 0 to 2"},
		{ops.Tiles(ops.MatMulConfig{Order: tile.Order{Kind: tile.GroupedRows}}), "matmul: Tiles.Order: grouped_rows(0) has groups of 0"},
		{ops.Tiles(ops.MatMulConfig{Order: tile.Order{Group: 4}}), "matmul: Tiles.Order: row_major has groups of 4"},
		{ops.Tiles(ops.Conv2DConfig{BO: 24}), "conv2d: Tiles.BO: 24 is not a power of two"},
		{ops.Tiles(ops.Conv2DConfig{Block: kernels.ImageBlock{Size: [5]int{1, 1, 2, 3, 4}}}), "conv2d: Tiles.Block.Size[3]: 3 is not a power of two"},
		{ops.Tiles(ops.AttentionConfig{BN: 24}), "attention: Tiles.BN: 24 is not a power of two"},
		{ops.Tiles(ops.AttentionConfig{Producers: 2}), "attention: Tiles.Producers: 2 is not from 0 to 1"},
	} {
		if err := callWith(t, c.option); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v; want ErrArgument with %q", err, c.says)
		}
	}
}

// Every number that Tiles takes is checked: no config with a negative one comes through.
func TestTilesCheckEveryField(t *testing.T) {
	ignored := []string{"Batch", "Head", "Page", "ChannelBlocks", "Channels", "ChannelStep", "ThreadColumns", "Lead"} // which follow from the operands
	checkEveryField[ops.MatMulConfig](t, ignored, func(cfg ops.MatMulConfig) ops.TilesOption { return ops.Tiles(cfg) })
	checkEveryField[ops.Conv2DConfig](t, ignored, func(cfg ops.Conv2DConfig) ops.TilesOption { return ops.Tiles(cfg) })
	checkEveryField[ops.AttentionConfig](t, ignored, func(cfg ops.AttentionConfig) ops.TilesOption { return ops.Tiles(cfg) })
}

func checkEveryField[C any](t *testing.T, ignored []string, tiles func(C) ops.TilesOption) {
	t.Helper()
	for i, typ := 0, reflect.TypeFor[C](); i < typ.NumField(); i++ {
		f := typ.Field(i)
		if f.Type.Kind() != reflect.Int || slices.Contains(ignored, f.Name) {
			continue
		}
		var cfg C
		reflect.ValueOf(&cfg).Elem().Field(i).SetInt(-1)
		want := fmt.Sprintf("Tiles.%s: -1 is not", f.Name)
		if err := callWith(t, tiles(cfg)); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v; want ErrArgument with %q", typ, err, want)
		}
	}
}

// callWith calls the op that an option of tiles is for; the others refuse its config, too.
func callWith(t *testing.T, option ops.TilesOption) (wanted error) {
	t.Helper()
	dev := openCPU(t)
	tensor := func(shape ...int) *weft.Tensor {
		x, err := weft.Zeros(dev, weft.F32, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x, heads := tensor(6, 6), tensor(1, 1, 4, 8)
	results := []error{
		second(ops.MatMul(x, x, option)),
		second(ops.Conv2D(tensor(1, 2, 5, 5), tensor(2, 2, 3, 3), option)),
		second(ops.Attention(heads, heads, heads, option)),
	}
	for _, err := range results {
		switch {
		case !errors.Is(err, weft.ErrArgument):
			return fmt.Errorf("one of the calls: %w", err)
		case !strings.Contains(err.Error(), "Tiles: the config is of type"):
			wanted = err
		}
	}
	return wanted
}
