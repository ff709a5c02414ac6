package weft_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
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
	if _, err := rowScale.Explain(64, empty(2, 3), nil, empty(2, 3)); err == nil {
		t.Error("a missing tensor is explained")
	}
	if _, err := rowScale.Explain(64, empty(2, 3), empty(2), empty(2, 3)); !errors.Is(err, weft.ErrShape) {
		t.Errorf("a wrong rank: %v", err)
	}
}
