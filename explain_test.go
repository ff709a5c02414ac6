package weft_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/tile"
)

func TestExplain(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	empty := func(shape ...int) *weft.Tensor {
		x, err := weft.Empty(dev, weft.F32, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	e, err := rowScale.Explain(64, empty(2, 3), empty(2, 1), empty(2, 3))
	if err != nil || !strings.Contains(e.TileIR, "kernel row_scale") || e.Source != e.TileIR {
		t.Errorf("on the cpu, which takes tile IR: %v\n%+v", err, e)
	}
	cfg := tiles{M: 16, N: 16, K: 16, Schedule: tile.Schedule{Order: tile.Order{Kind: tile.ColumnMajor}, SplitK: 4}}
	e, err = product.Explain(cfg, empty(2, 3), empty(3, 2), empty(2, 2))
	if text := e.String(); err != nil || !strings.Contains(text, "order=column_major split_k=4") || !strings.Contains(text, "out is cleared before each launch") {
		t.Errorf("a schedule: %v\n%s", err, text)
	}
	if _, err := rowScale.Explain(64, empty(2, 3), nil, empty(2, 3)); err == nil {
		t.Error("a missing tensor is explained")
	}
	if _, err := rowScale.Explain(64, empty(2, 3), empty(2), empty(2, 3)); !errors.Is(err, weft.ErrShape) {
		t.Errorf("a wrong rank: %v", err)
	}
}
