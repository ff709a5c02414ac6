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
	"github.com/weftgpu/weft/examples/internal/timing"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

const (
	heads  = 8
	groups = 2       // heads of keys and values
	size   = 64      // of a head
	most   = 1 << 20 // tokens
)

// scale turns the scores of three ops into those of attention.
var scale = weft.NewMap("scale", []string{"x"}, func(in []*tile.Value) *tile.Value {
	return in[0].Mul(1 / math.Sqrt(size))
})

var rng = rand.New(rand.NewPCG(1, 2)) // the same numbers in every run

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	n := flag.Int("n", 0, "tokens; 0 chooses by the kind of device")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *n); err != nil {
		log.Fatal(err)
	}
}

func run(device string, n int) error {
	if n < 0 || n > most {
		return fmt.Errorf("-n %d, want 0 to %d", n, most)
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	if n == 0 {
		n = map[string]int{"gpu": 4096, "cpu": 300, "software": 300}[dev.Info().Kind.String()]
	}
	var host [3][]float32
	var t [3]*weft.Tensor
	for i, h := range []int{heads, groups, groups} {
		host[i] = make([]float32, h*n*size)
		for j := range host[i] {
			host[i][j] = float32(rng.NormFloat64())
		}
		if t[i], err = weft.FromSlice(dev, host[i], 1, h, n, size); err != nil { // [batch, heads, tokens, size]
			return err
		}
	}
	q, k, v := t[0], t[1], t[2]

	var times []time.Duration
	for _, way := range []struct {
		name   string
		causal bool // a token sees those before it and itself
		f      func() (*weft.Tensor, error)
	}{
		{"ops.Attention", false, func() (*weft.Tensor, error) { return ops.Attention(q, k, v) }},
		{"three ops", false, func() (*weft.Tensor, error) { return threeOps(q, k, v) }},
		{"ops.Attention, causal", true, func() (*weft.Tensor, error) { return ops.Attention(q, k, v, ops.Causal()) }},
	} {
		out, err := way.f() // compiles
		if err != nil {
			return err
		}
		worst, err := check(out, host, n, way.causal)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		took, err := timing.Fastest(dev, func() error { _, err := way.f(); return err })
		if err != nil {
			return err
		}
		fmt.Printf("%v, %s: %d tokens in %v; largest error %.1e\n", dev, way.name, n, took.Round(time.Microsecond), worst)
		times = append(times, took)
	}
	fmt.Printf("the scores that three ops store take %.1f MB\n", float64(heads*n*n*4)/1e6)
	if times[0] > times[1] {
		fmt.Println(whyNot(dev.Info().Kind.String()))
	}
	return nextToken(q, k, v, n)
}

// whyNot says why three ops can be faster than one on a kind of device.
func whyNot(kind string) string {
	if kind == "gpu" {
		return "one op saves that memory, but no time here: for so few tokens its programs are too few to fill the device (-n 8192 is enough for most)"
	}
	return "one op saves that memory, but takes longer here: a processor's caches hold the scores, and one op scales its sums anew for each block of keys"
}

// threeOps is softmax(q @ kᵀ / √size) @ v, with the scores in memory. The heads that share keys are a
// dimension of their own, along which those are broadcast: nothing is copied.
func threeOps(q, k, v *weft.Tensor) (*weft.Tensor, error) {
	n := q.Dim(2)
	queries, err := q.Reshape(groups, heads/groups, n, size)
	if err != nil {
		return nil, err
	}
	keys, err := k.Reshape(groups, 1, n, size)
	if err != nil {
		return nil, err
	}
	values, err := v.Reshape(groups, 1, n, size)
	if err != nil {
		return nil, err
	}
	scores, err := ops.MatMul(queries, keys.T(), ops.Fuse(scale))
	if err != nil {
		return nil, err
	}
	defer scores.Close()
	if err := ops.SoftmaxInto(scores, scores); err != nil {
		return nil, err
	}
	return ops.MatMul(scores, values)
}

// nextToken shows what a model does when it writes: the last token alone asks, and gets the last row
// of causal attention.
func nextToken(q, k, v *weft.Tensor, n int) error {
	last, err := q.Slice(2, n-1, n)
	if err != nil {
		return err
	}
	one, err := ops.Attention(last, k, v, ops.Causal())
	if err != nil {
		return err
	}
	all, err := ops.Attention(q, k, v, ops.Causal())
	if err != nil {
		return err
	}
	row, err := all.Slice(2, n-1, n)
	if err != nil {
		return err
	}
	x, err := weft.ToSlice[float32](one)
	if err != nil {
		return err
	}
	y, err := weft.ToSlice[float32](row)
	if err != nil {
		return err
	}
	for i := range x {
		if math.Abs(float64(x[i]-y[i])) > 1e-4 {
			return fmt.Errorf("the last token alone gives %v for element %d, among all %v", x[i], i, y[i])
		}
	}
	fmt.Println("the last token alone gets what it got among all")
	return nil
}

// check computes some rows in float64 and returns the largest error.
func check(out *weft.Tensor, host [3][]float32, n int, causal bool) (worst float64, err error) {
	y, err := weft.ToSlice[float32](out)
	if err != nil {
		return 0, err
	}
	for range 20 {
		head, token := rng.IntN(heads), rng.IntN(n)
		at := (head*n + token) * size
		want := attend(host[0][at:at+size], host[1], host[2], head/(heads/groups), n, seen(token, n, causal))
		for d, w := range want {
			worst = max(worst, math.Abs(float64(y[at+d])-w))
		}
	}
	if !(worst < 1e-4) {
		return worst, fmt.Errorf("the largest error is %v", worst)
	}
	return worst, nil
}

// seen is how many tokens a token sees.
func seen(token, n int, causal bool) int {
	if causal {
		return token + 1
	}
	return n
}

// attend is the attention of one query to the first keys of a group.
func attend(q, k, v []float32, group, n, keys int) []float64 {
	weights, sum, top := make([]float64, keys), 0.0, math.Inf(-1)
	for j := range weights {
		for d, x := range q {
			weights[j] += float64(x) * float64(k[(group*n+j)*size+d]) / math.Sqrt(size)
		}
		top = max(top, weights[j])
	}
	for j := range weights {
		weights[j] = math.Exp(weights[j] - top)
		sum += weights[j]
	}
	out := make([]float64, size)
	for j, w := range weights {
		for d := range out {
			out[d] += w / sum * float64(v[(group*n+j)*size+d])
		}
	}
	return out
}
