package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
)

// Products of two steps are outstanding but where a mask is added, those of Booleans are packed in a launch before, and programs persistent for keys in order alone: all of a sequence, or those up to a query's own, with Booleans, too.
func TestAttentionOutOfOrder(t *testing.T) {
	dev, record := offline.Open("order", preset(t, "h100-pcie"))
	defer dev.Close()
	tensor := func(elem weft.DType, shape ...int) *weft.Tensor {
		x, err := weft.Empty(dev, elem, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	const batch, heads, length, head = 8, 16, 2048, 128
	starts := tensor(weft.I32, batch+1)
	for name, c := range map[string]struct {
		batch   int
		options []ops.AttentionOption
		ahead   bool
		order   bool
	}{
		"all":        {batch, nil, true, true},
		"causal":     {batch, []ops.AttentionOption{ops.Causal()}, true, true},
		"a window":   {batch, []ops.AttentionOption{ops.SlidingWindow(512, 0)}, true, false},
		"Booleans":   {batch, []ops.AttentionOption{ops.AttentionMask(tensor(weft.Bool, length, length))}, true, true},
		"a mask":     {batch, []ops.AttentionOption{ops.AttentionMask(tensor(weft.F16, length, length))}, false, false},
		"lengths":    {batch, []ops.AttentionOption{ops.Causal(), ops.KeyLengths(tensor(weft.I32, batch))}, true, false},
		"sequences":  {1, []ops.AttentionOption{ops.QueryStarts(starts), ops.KeyStarts(starts)}, true, false},
		"key starts": {1, []ops.AttentionOption{ops.Causal(), ops.QueryStarts(starts), ops.KeyStarts(starts)}, true, false},
	} {
		x := tensor(weft.F16, c.batch, heads, batch/c.batch*length, head)
		if err := ops.AttentionInto(tensor(weft.F16, x.Shape()...), x, x, x, c.options...); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		launches, want := record.Take(), 1
		if name == "Booleans" {
			want = 2
		}
		if len(launches) != want {
			t.Fatalf("%s: %d launches, want %d", name, len(launches), want)
		}
		cfg := launches[want-1].Kernel.Config.(ops.AttentionConfig)
		if cfg.Producers != 1 || (cfg.InFlight > 1) != c.ahead || cfg.Persistent > 0 && !c.order {
			t.Errorf("%s: %+v", name, cfg)
		}
	}
}
