package mesh_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/tile"
)

// produce stores blocks, in another device's memory, and releases a word for each.
var produce = weft.NewKernel("produce", func(k *tile.Builder, _ struct{}) {
	round := k.Scalar("round", weft.I32)
	x, y, flags := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1), k.InOut("flags", weft.I32, 1)
	k.Grid(flags.Dim(0))
	p := k.ProgramID(0)
	y.Block(256).Store(x.Block(256).Load(p), p)
	flags.At(p).Release().AtomicExchange(round)
})

// consume waits for the words and reads the blocks in another order.
var consume = weft.NewKernel("consume", func(k *tile.Builder, _ struct{}) {
	round := k.Scalar("round", weft.I32)
	y, flags, out := k.InOut("y", weft.F32, 1), k.InOut("flags", weft.I32, 1), k.Out("out", weft.F32, 1)
	k.Grid(flags.Dim(0))
	p := k.ProgramID(0)
	for range k.While(func() *tile.Value { return flags.At(p).Acquire().AtomicOr(0).Sub(round).Lt(0) }) {
	}
	out.Block(256).Store(y.At(k.Arange(256).Xor(37).Add(p.Mul(256))).Gather(), p)
})

// A kernel of one device sees what one of another device that runs at the same time stored before it released a word, round after round on the same memory.
func TestReleaseBetweenDevices(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	g := open(t, 2)
	if !g.Devices()[0].Caps().SystemOrder {
		t.Skip("the device does not order accesses of kernels that run at the same time")
	}
	from, to := g.Devices()[0], g.Devices()[1]
	const programs = 4
	n := 256 * programs
	x, y := ok[*weft.Tensor](t)(weft.Zeros(from, weft.F32, n)), ok[*weft.Tensor](t)(weft.Zeros(to, weft.F32, n))
	flags, out := ok[*weft.Tensor](t)(weft.Zeros(to, weft.I32, programs)), ok[*weft.Tensor](t)(weft.Zeros(to, weft.F32, n))
	// A collective has the devices reach each other's memory.
	if err := g.AllReduce(mesh.Sum, []*weft.Tensor{x, y}, []*weft.Tensor{x, y}); err != nil {
		t.Fatal(err)
	}
	remote, words := ok[*weft.Tensor](t)(y.On(from)), ok[*weft.Tensor](t)(flags.On(from))
	if err := g.Synchronize(); err != nil {
		t.Fatal(err)
	}
	for round := range 20 { // the first, in order, compiles
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(r.IntN(1000))
		}
		if err := x.CopyFrom(ok[*weft.Tensor](t)(weft.FromFloats(from, weft.F32, values))); err != nil {
			t.Fatal(err)
		}
		launches := []func() error{
			func() error { return produce.LaunchWith(struct{}{}, weft.Scalars{round + 1}, x, remote, words) },
			func() error { return consume.LaunchWith(struct{}{}, weft.Scalars{round + 1}, y, flags, out) },
		}
		if round > 0 { // the consumer waits
			slices.Reverse(launches)
		}
		for _, launch := range launches {
			if err := launch(); err != nil {
				t.Fatal(err)
			}
		}
		want := make([]float64, n)
		for i := range want {
			want[i] = values[i/256*256+(i%256)^37]
		}
		if got := ok[[]float64](t)(weft.ToFloats(out)); !slices.Equal(got, want) {
			t.Fatalf("round %d: %v, want %v", round, got[:8], want[:8])
		}
	}
}
