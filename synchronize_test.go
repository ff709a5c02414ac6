package weft_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// endless runs for longer than any test.
var endless = weft.NewKernel("endless", func(k *tile.Builder, _ int) {
	n, y := k.Scalar("n", weft.I32), k.InOut("y", weft.F32, 1)
	k.Grid(1)
	v := k.Var(y.Block(1).Load(0))
	for range k.Range(n) {
		for range k.Range(n) {
			v.Set(v.Get().Mul(0.5).Add(1))
		}
	}
	y.Block(1).Store(v.Get(), 0)
})

// Every call whose context ends before the work does returns that context's cause, though only one of them is told what became of the work.
func TestSynchronizeContextOfSeveral(t *testing.T) {
	dev := open(t)
	y := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 1))
	if err := endless.LaunchWith(0, weft.Scalars{1<<31 - 1}, y); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("the user is tired")
	ctx, cancel := context.WithCancelCause(t.Context())
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if err := dev.SynchronizeContext(ctx); !errors.Is(err, weft.ErrCanceled) || !errors.Is(err, cause) {
				t.Errorf("call %d: %v, want ErrCanceled and its cause", i, err)
			}
		})
	}
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	wg.Wait()
	if err := dev.Synchronize(); err != nil {
		t.Error(err)
	}
}
