package ops

import (
	"math"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
)

// Lists of any length change no token: of rows whose rounds end before anything is listed, of those that are listed at once, of ties that no list has room for, and of rows without a
// distribution.
func TestSampleListed(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	const rows, known = 6, 3000
	stream := Stream{Seed: 11, Offset: 1 << 34}
	x, err := Normal(dev, weft.F32, stream, rows, known)
	if err != nil {
		t.Fatal(err)
	}
	logits, err := weft.ToSlice[float32](x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range known {
		logits[i] = float32(i % 2)                                            // ties
		logits[known+i] = float32(math.Inf(-1))                               // nothing
		logits[2*known+i] *= 20                                               // few that matter
		logits[3*known+i] = float32(i%1024/8) + 0.25                          // all above a token in a few lanes
		logits[4*known+i] = float32(math.Abs(float64(logits[4*known+i]))) - 1 // many that are likely
	}
	if x, err = weft.FromSlice(dev, logits, rows, known); err != nil {
		t.Fatal(err)
	}
	wide := make([]float64, len(logits))
	for i, v := range logits {
		wide[i] = float64(v)
	}
	for _, c := range []reference.Sampling{{K: 3}, {P: 0.9, Temperature: 0.7}, {K: 40, P: 0.5, Temperature: 3}, {K: known}} {
		for i, list := range []int{32, 256, 2048, 32, 256, 2048} {
			call := newSample([]SampleOption{SampleTopK(max(c.K, 1)), SampleTopP(max(c.P, 0x1p-40)), Temperature(max(c.Temperature, 1e-3))})
			if c.K == 0 {
				call.k = math.MaxInt32
			}
			if c.P == 0 {
				call.p = 1
			}
			if c.Temperature == 0 {
				call.temperature = 1
			}
			w, err := call.words(stream)
			if err != nil {
				t.Fatal(err)
			}
			out, err := weft.Empty(dev, weft.I32, rows, 1)
			if err != nil {
				t.Fatal(err)
			}
			problem := kernels.SampleProblem{Elem: weft.F32, Filtered: true, X: viewOf(x.Layout())}
			cfg := problem.Rule(dev.Caps())
			cfg.List = list
			if i > 2 {
				cfg.Lanes, cfg.Depth, cfg.Draws = 1<<(i+2), 64>>i, i-2
			}
			if err := problem.Legal(dev.Caps(), cfg); err != nil {
				t.Fatal(err)
			}
			scalars := weft.Scalars{math.Float32frombits(w[0]), w[1], w[2], w[3], w[4], int(w[5]), w[6]}
			if err := startSample(cfg, scalars, []weft.TensorView{view(x), view(out)}); err != nil {
				t.Fatal(err)
			}
			got, err := weft.ToSlice[int32](out)
			if err != nil {
				t.Fatal(err)
			}
			for i, token := range got {
				if want := c.Draw(wide[i*known:][:known], stream.Seed, stream.Offset, i); int(token) != want {
					t.Errorf("%+v by %+v: row %d: token %d, want %d", c, cfg, i, token, want)
				}
			}
		}
	}
}
