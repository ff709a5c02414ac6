package ops_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/emulated"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/offline"
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
		{ops.Tiles(ops.Conv2DConfig{ThreadColumns: 16}), "conv2d: Tiles.ThreadColumns: 16 is not from 0 to 8"},
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
	ignored := []string{"Batch", "MostRows", "MostColumns", "Head", "Page", "ChannelBlocks", "Channels", "ChannelStep", "Lead"} // which follow from the operands
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

// Tiles of attention that are impossible together are refused on every device, whether or not it compiles.
func TestInconsistentTiles(t *testing.T) {
	h200, ok := emulated.Preset("h200")
	if !ok {
		t.Fatal("no h200")
	}
	gpu, _ := offline.Open("h200", h200.Caps)
	for _, dev := range []*weft.Device{openCPU(t), gpu} {
		x, err := weft.Empty(dev, weft.F32, 1, 1, 20, 40)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			cfg  ops.AttentionConfig
			says string
		}{
			{ops.AttentionConfig{Threads: 64, Persistent: 2}, "0 steps of outstanding products in 2 persistent programs with 0 producers"},
			{ops.AttentionConfig{BM: 16, InFlight: 2}, "2 steps of outstanding products in 0 persistent programs with 0 producers"},
			{ops.AttentionConfig{BN: 16, Workgroups: 3}, "registers for 3 workgroups of a multiprocessor with 0 producers, want a producer"},
			{ops.AttentionConfig{BM: 4, TileHeads: 8}, "8 heads in a tile of 4 rows, want"}, {ops.AttentionConfig{ByRows: true, BM: 4, BD: 64, Threads: 64, TileHeads: 2}, "2 heads in a tile of 4 rows, want"},
			{ops.AttentionConfig{BM: 64, BN: 16, Threads: 64, Producers: 1}, "1 producer cannot serve 64 queries and 16 keys"},
			{ops.AttentionConfig{ByRows: true, BM: 64, BD: 64, Threads: 64}, "64 queries by rows of 64 of "},
			{ops.AttentionConfig{ByRows: true, BM: 4, BD: 16, Threads: 64}, "4 queries by rows of 16 of "}, // a part of each head
		} {
			err := second(ops.Attention(x, x, x, ops.Tiles(c.cfg)))
			if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), "attention: Tiles: "+c.says) {
				t.Errorf("%v, %+v: %v; want ErrUnsupported with %q", dev, c.cfg, err, c.says)
			}
		}
	}
}

// So are those of products, and on devices with threads tiles of which each has so many elements that code for them takes minutes to compile.
func TestInconsistentProductTiles(t *testing.T) {
	h200, ok := emulated.Preset("h200")
	if !ok {
		t.Fatal("no h200")
	}
	gpu, _ := offline.Open("h200", h200.Caps)
	for _, dev := range []*weft.Device{openCPU(t), gpu} {
		x, err := weft.Empty(dev, weft.F32, 70, 70)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			cfg  ops.MatMulConfig
			says string
		}{
			{ops.MatMulConfig{BM: 512, BN: 8, BK: 16, RowByRow: true}, "512 rows, one by one, want at most 64"},
			{ops.MatMulConfig{BM: 64, BN: 64, Threads: 128, Consumers: 2}, "2 consumer warpgroups with 0 producers, want a producer for more than 1"},
		} {
			err := second(ops.MatMul(x, x, ops.Tiles(c.cfg)))
			if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), "matmul: Tiles: "+c.says) {
				t.Errorf("%v, %+v: %v; want ErrUnsupported with %q", dev, c.cfg, err, c.says)
			}
		}
		if dev != gpu {
			continue
		}
		for _, c := range []struct { // whose sums a cluster cannot share
			elem weft.DType
			cfg  ops.MatMulConfig
			says string
		}{
			{weft.F32, ops.MatMulConfig{BM: 64, BN: 1, BK: 16, ClusterK: true}, "in tiles of 64×1 sums of f32"},
			{weft.F64, ops.MatMulConfig{BM: 64, BN: 64, BK: 16, ClusterK: true}, "in tiles of 64×64 sums of f64"},
		} {
			x, err := weft.Empty(dev, c.elem, 70, 70)
			if err != nil {
				t.Fatal(err)
			}
			err = second(ops.MatMul(x, x, ops.Tiles(c.cfg)))
			if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), "matmul: Tiles: clusters that share K") || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v of %v: %v; want ErrUnsupported with %q", c.cfg.BN, c.elem, err, c.says)
			}
		}
		const says = "a tile of 262144 elements in 1 thread, want at most 8192 a thread"
		if err := second(ops.MatMul(x, x, ops.Tiles(ops.MatMulConfig{BM: 512, BN: 512, BK: 16, Threads: 1}))); !errors.Is(err, weft.ErrLimit) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want ErrLimit with %q", err, says)
		}
	}
}
