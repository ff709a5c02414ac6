package endtoend

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/backend/vulkan"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pool"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
)

// counter is a device that counts its buffers.
type counter struct {
	backend.Device
	mu   sync.Mutex
	made []backend.Buffer
}

func (c *counter) NewBuffer(bytes int64) (backend.Buffer, error) {
	b, err := c.Device.NewBuffer(bytes)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.made = append(c.made, b)
	}
	return b, err
}

// eachDevice runs f with the devices there are.
func eachDevice(t *testing.T, f func(t *testing.T, open func(budget string) (*weft.Device, *counter))) {
	for _, name := range []string{"cpu", "vulkan"} {
		t.Run(name, func(t *testing.T) {
			f(t, func(budget string) (*weft.Device, *counter) {
				t.Setenv(pool.Env, budget)
				inner, err := backend.Open(name)
				if err != nil {
					testenv.Skip(t, name, err.Error())
				}
				c := &counter{Device: inner}
				dev := weft.NewDevice(c)
				t.Cleanup(func() { dev.Close() })
				return dev, c
			})
		})
	}
}

// calls are ops, those with workspaces of their own among them, over operands of odd sizes.
var calls = []struct {
	name   string
	shapes [][]int
	run    func(in []*weft.Tensor) (*weft.Tensor, error)
}{
	{"sum in parts", [][]int{{1, 300_001}}, func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Sum(in[0]) }},
	{"argmax in parts", [][]int{{2, 70_001}}, func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.ArgMax(in[0], ops.Axis(1)) }},
	{"softmax of long rows", [][]int{{2, 70_001}}, func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Softmax(in[0]) }},
	{"split-K", [][]int{{5, 1001}, {1001, 7}}, func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.MatMul(in[0], in[1], ops.Tiles(ops.MatMulConfig{BM: 8, BN: 8, BK: 16, SplitK: 4}))
	}},
	{"conv", [][]int{{2, 3, 9, 11}, {5, 3, 3, 3}}, func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Conv2D(in[0], in[1]) }},
	{"add", [][]int{{33, 129}, {33, 129}}, func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Add(in[0], in[1]) }},
	{"zeros", [][]int{{3}}, func(in []*weft.Tensor) (*weft.Tensor, error) { return weft.Zeros(in[0].Device(), weft.F32, 1001) }},
	{"quantize", [][]int{{64, 256}}, func(in []*weft.Tensor) (*weft.Tensor, error) {
		q, err := ops.Quantize(in[0], ops.QuantScheme{Bits: 8, Block: [2]int{1, 64}})
		if err != nil {
			return nil, err
		}
		defer q.Close()
		return ops.Dequantize(q, weft.F32)
	}},
}

// run makes the operands, calls and returns the bytes of the result.
func run(t *testing.T, dev *weft.Device, i int, seed uint64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	var in []*weft.Tensor
	for _, shape := range calls[i].shapes {
		n := 1
		for _, size := range shape {
			n *= size
		}
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		operand, err := weft.FromSlice(dev, x, shape...)
		if err != nil {
			t.Fatal(err)
		}
		defer operand.Close()
		in = append(in, operand)
	}
	out, err := calls[i].run(in)
	if err != nil {
		t.Fatalf("%s: %v", calls[i].name, err)
	}
	defer out.Close()
	x, err := weft.ToFloats(out)
	if err != nil {
		t.Fatalf("%s: %v", calls[i].name, err)
	}
	raw := make([]byte, 8*len(x))
	dtype.PutFloats(dtype.F32, raw, x)
	return raw
}

// Results are the same bits with a pool as without, whatever lay in the memory before.
func TestResultsDoNotDependOnThePool(t *testing.T) {
	eachDevice(t, func(t *testing.T, open func(budget string) (*weft.Device, *counter)) {
		without, _ := open("off")
		with, _ := open("64MiB")
		tight, _ := open("100KiB")
		r := rand.New(rand.NewPCG(7, 7))
		for round := range 3 {
			for _, i := range r.Perm(len(calls)) {
				want := run(t, without, i, uint64(round))
				for _, dev := range []*weft.Device{with, tight} {
					if got := run(t, dev, i, uint64(round)); !bytes.Equal(got, want) {
						t.Errorf("round %d, %s: another result with %+v", round, calls[i].name, dev.MemoryStats())
					}
				}
			}
		}
		if s := without.MemoryStats(); s.Hits != 0 || s.Pooled != 0 {
			t.Errorf("without a pool: %+v", s)
		}
		if s := with.MemoryStats(); s.Hits == 0 || s.InUse != 0 {
			t.Errorf("with a pool, all tensors closed: %+v", s)
		}
	})
}

// Once warm, operands, results and workspaces make no buffer; and none is lost.
func TestSteadyStateOfOps(t *testing.T) {
	eachDevice(t, func(t *testing.T, open func(budget string) (*weft.Device, *counter)) {
		dev, count := open("256MiB")
		for i, c := range calls {
			run(t, dev, i, 0)
			made := len(count.made)
			for round := range uint64(3) {
				run(t, dev, i, round)
			}
			if n := len(count.made) - made; n > 0 {
				t.Errorf("%s: %d buffers are made in the steady state", c.name, n)
			}
		}
		if freed := dev.TrimPool(); freed == 0 {
			t.Error("nothing was kept")
		}
		if s := dev.MemoryStats(); s.InUse != 0 || s.Pooled != 0 || s.Misses != int64(len(count.made)) || s.Freed != s.Misses {
			t.Errorf("%d buffers were made, the pool counts %+v", len(count.made), s)
		}
		for i, b := range count.made {
			if err := b.Upload(0, []byte{1}); err == nil && b.Bytes() > 0 {
				t.Errorf("buffer %d of %d bytes is not closed", i, b.Bytes())
			}
		}
	})
}

// Goroutines that share a device and its memory disturb each other in nothing.
func TestGoroutinesShareThePool(t *testing.T) {
	eachDevice(t, func(t *testing.T, open func(budget string) (*weft.Device, *counter)) {
		dev, _ := open("1MiB")
		kinds := []int{3, 5, 6}
		want := map[string][]byte{}
		key := func(i int, seed uint64) string { return fmt.Sprint(i, " ", seed) }
		for _, i := range kinds {
			for seed := range uint64(3) {
				want[key(i, seed)] = run(t, dev, i, seed)
			}
		}
		var wg sync.WaitGroup
		for w := range 6 {
			wg.Go(func() {
				for n := range 6 {
					i, seed := kinds[(w+n)%len(kinds)], uint64(n%3)
					if got := run(t, dev, i, seed); !bytes.Equal(got, want[key(i, seed)]) {
						t.Errorf("%s: another result", calls[i].name)
					}
				}
			})
		}
		wg.Wait()
	})
}
