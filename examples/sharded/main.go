package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/ops"
)

const (
	heads = 12
	size  = 32 // of a head
	width = heads * size
	inner = 4 * width
	most  = 1 << 20 // tokens
)

func main() {
	backend := flag.String("backend", "cpu", "backend of the devices, such as cuda")
	devices := flag.Int("devices", 2, "number of devices, which divides the 12 heads; 0 for all there are")
	tokens := flag.Int("tokens", 64, "tokens of the sequence")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*backend, *devices, *tokens); err != nil {
		log.Fatal(err)
	}
}

// block is the weights of a block of a transformer, whole, on one device.
type block struct{ norm1, norm2, query, key, value, out, up, down *weft.Tensor }

func run(backend string, devices, tokens int) error {
	switch {
	case devices < 0 || devices > heads:
		return fmt.Errorf("-devices %d, want a divisor of the %d heads, or 0 for all there are", devices, heads)
	case tokens < 1 || tokens > most:
		return fmt.Errorf("-tokens %d, want 1 to %d", tokens, most)
	}
	g, err := mesh.Open(backend, devices)
	if err != nil {
		return err
	}
	defer g.Close()
	if heads%g.Size() != 0 {
		return fmt.Errorf("%d devices do not divide %d heads", g.Size(), heads)
	}
	m, err := mesh.NewMesh(g, []int{g.Size()}, "heads")
	if err != nil {
		return err
	}
	first := g.Devices()[0]
	r := rand.New(rand.NewPCG(1, 2)) // the same numbers in every run
	x, err := random(r, first, 1, tokens, width)
	if err != nil {
		return err
	}
	b, err := newBlock(r, first)
	if err != nil {
		return err
	}
	want, err := b.forward(x)
	if err != nil {
		return err
	}
	s, err := b.shard(m, x)
	if err != nil {
		return err
	}
	if err := s.forward(g); err != nil { // which compiles
		return err
	}
	if s, err = b.shard(m, x); err != nil {
		return err
	}
	start := time.Now()
	if err := s.forward(g); err != nil {
		return err
	}
	if err := g.Synchronize(); err != nil {
		return err
	}
	took := time.Since(start)
	worst := 0.0
	for i := range g.Devices() {
		d, err := distance(s.x.Local(i), want)
		if err != nil {
			return err
		}
		worst = math.Max(worst, d)
	}
	fmt.Printf("%d × %v (%s): %d tokens in %v, at most %.2g from one device\n", g.Size(), first, g.Engine(), tokens, took, worst)
	if worst > 1e-4 {
		return fmt.Errorf("the results differ by %g", worst)
	}
	return nil
}

// random is a tensor of normal numbers, scaled so that products keep their size.
func random(r *rand.Rand, dev *weft.Device, scale float64, shape ...int) (*weft.Tensor, error) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(scale * r.NormFloat64())
	}
	return weft.FromSlice(dev, x, shape...)
}

func newBlock(r *rand.Rand, dev *weft.Device) (b block, err error) {
	for _, w := range []struct {
		t             **weft.Tensor
		rows, columns int
	}{{&b.query, width, width}, {&b.key, width, width}, {&b.value, width, width}, {&b.out, width, width}, {&b.up, width, inner}, {&b.down, inner, width}} {
		if *w.t, err = random(r, dev, 1/math.Sqrt(float64(w.rows)), w.rows, w.columns); err != nil {
			return b, err
		}
	}
	if b.norm1, err = weft.Full(dev, weft.F32, 1, width); err != nil {
		return b, err
	}
	b.norm2, err = weft.Full(dev, weft.F32, 1, width)
	return b, err
}

// split is rows of heads as [1,heads,tokens,size].
func split(t *weft.Tensor) (*weft.Tensor, error) {
	by, err := t.Reshape(1, t.Dim(0), t.Dim(1)/size, size)
	if err != nil {
		return nil, err
	}
	return by.Permute(0, 2, 1, 3)
}

// project is the heads of what a product with each of several weights gives.
func project(x *weft.Tensor, weights ...*weft.Tensor) (list []*weft.Tensor, err error) {
	for _, w := range weights {
		y, err := ops.MatMul(x, w)
		if err != nil {
			return nil, err
		}
		h, err := split(y)
		if err != nil {
			return nil, err
		}
		list = append(list, h)
	}
	return list, nil
}

// forward is the block on one device: x + attention, and that + MLP.
func (b *block) forward(x *weft.Tensor) (*weft.Tensor, error) {
	n, err := ops.RMSNorm(x, b.norm1)
	if err != nil {
		return nil, err
	}
	h, err := project(n, b.query, b.key, b.value)
	if err != nil {
		return nil, err
	}
	seen, err := ops.Attention(h[0], h[1], h[2], ops.Causal())
	if err != nil {
		return nil, err
	}
	if seen, err = seen.Permute(0, 2, 1, 3); err != nil {
		return nil, err
	}
	if seen, err = seen.Contiguous(); err != nil {
		return nil, err
	}
	if seen, err = seen.Reshape(x.Dim(0), width); err != nil {
		return nil, err
	}
	y, err := ops.MatMul(seen, b.out)
	if err != nil {
		return nil, err
	}
	if y, err = ops.Add(x, y); err != nil {
		return nil, err
	}
	if n, err = ops.RMSNorm(y, b.norm2); err != nil {
		return nil, err
	}
	if n, err = ops.MatMul(n, b.up, ops.Fuse(ops.GELUMap)); err != nil {
		return nil, err
	}
	if n, err = ops.MatMul(n, b.down); err != nil {
		return nil, err
	}
	return ops.Add(y, n)
}

// sharded is the block and its input on a mesh: what follows a cut dimension is cut, too.
type sharded struct {
	x, norm1, norm2, query, key, value, out, up, down *mesh.Tensor
}

// shard cuts the weights: those of heads and inner columns by columns, those after them by rows.
func (b *block) shard(m *mesh.Mesh, x *weft.Tensor) (s sharded, err error) {
	for _, w := range []struct {
		to   **mesh.Tensor
		t    *weft.Tensor
		kind mesh.Placement
	}{
		{&s.x, x, mesh.Replicate}, {&s.norm1, b.norm1, mesh.Replicate}, {&s.norm2, b.norm2, mesh.Replicate},
		{&s.query, b.query, mesh.Shard(1)}, {&s.key, b.key, mesh.Shard(1)}, {&s.value, b.value, mesh.Shard(1)}, {&s.out, b.out, mesh.Shard(0)},
		{&s.up, b.up, mesh.Shard(1)}, {&s.down, b.down, mesh.Shard(0)},
	} {
		if *w.to, err = mesh.Distribute(m, w.t, w.kind); err != nil {
			return s, err
		}
	}
	return s, nil
}

// forward is block.forward on all devices. It changes x.
func (s *sharded) forward(g *mesh.Group) error {
	var q, k, v, normed, part, rows []*weft.Tensor
	for i, x := range s.x.Locals() {
		n, err := ops.RMSNorm(x, s.norm1.Local(i))
		if err != nil {
			return err
		}
		h, err := project(n, s.query.Local(i), s.key.Local(i), s.value.Local(i))
		if err != nil {
			return err
		}
		y, err := weft.Empty(x.Device(), weft.F32, 1, x.Dim(0), width)
		if err != nil {
			return err
		}
		q, k, v, part = append(q, h[0]), append(k, h[1]), append(v, h[2]), append(part, y)
	}
	if err := g.HeadsAttention(part, q, k, v, s.out.Locals(), ops.Causal()); err != nil {
		return err
	}
	for i, x := range s.x.Locals() {
		y, err := part[i].Reshape(x.Shape()...)
		if err != nil {
			return err
		}
		if err := ops.AddInto(x, x, y); err != nil {
			return err
		}
		n, err := ops.RMSNorm(x, s.norm2.Local(i))
		if err != nil {
			return err
		}
		normed, rows = append(normed, n), append(rows, y)
	}
	if err := g.MLP(rows, normed, s.up.Locals(), s.down.Locals(), ops.GELUMap); err != nil {
		return err
	}
	for i, x := range s.x.Locals() {
		if err := ops.AddInto(x, x, rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// distance is the largest difference between two tensors.
func distance(a, b *weft.Tensor) (float64, error) {
	x, err := weft.ToFloats(a)
	if err != nil {
		return 0, err
	}
	y, err := weft.ToFloats(b)
	if err != nil {
		return 0, err
	}
	worst := 0.0
	for i := range x {
		worst = math.Max(worst, math.Abs(x[i]-y[i]))
	}
	return worst, nil
}
