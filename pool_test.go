package weft_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
)

func TestPoolBudget(t *testing.T) {
	t.Setenv(weft.PoolEnv, "plenty")
	if _, err := weft.Open("cpu"); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), "WEFT_POOL=plenty") {
		t.Errorf("a budget that is no size: %v", err)
	}
	t.Setenv(weft.PoolEnv, "1MiB")
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	use := func(bytes int) {
		x, err := weft.Empty(dev, weft.U8, bytes)
		if err != nil {
			t.Fatal(err)
		}
		if s := dev.MemoryStats(); s.InUse < int64(bytes) || s.InUse > int64(bytes+bytes/8+256) {
			t.Errorf("%d bytes are counted as %d", bytes, s.InUse)
		}
		x.Close()
	}
	for _, bytes := range []int{0, 1, 1000, 100_000, 2 << 20} { // the last is beyond the budget
		use(bytes)
	}
	s := dev.MemoryStats()
	if s.Budget != 1<<20 || s.InUse != 0 || s.Pooled < 100_000 || s.Pooled > s.Budget || s.Peak < 2<<20 {
		t.Errorf("%+v", s)
	}
	if got := dev.TrimPool(); got != s.Pooled || dev.MemoryStats().Pooled != 0 {
		t.Errorf("trimmed %d of %+v", got, s)
	}
	if err := dev.SetPoolBudget(0); err != nil {
		t.Error(err)
	}
	if use(1000); dev.MemoryStats().Pooled != 0 {
		t.Error("without a budget memory waits")
	}
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
	if err := dev.SetPoolBudget(1); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("of a closed device: %v", err)
	}
}
