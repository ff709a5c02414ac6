package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// Plans of softmaxes build, hold rows whole or walk them, and give every part a tile.
func TestSoftmaxPlans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 200 {
		shape := []int{1 + rng.IntN(1<<rng.IntN(16)), 1 + rng.IntN(1<<rng.IntN(20))}
		if rng.IntN(2) == 0 {
			shape[0], shape[1] = shape[1], shape[0]
		}
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		for name, caps := range testCaps {
			for axis, columns := range []bool{true, false} {
				problem := SoftmaxProblem{Elem: weft.F32, Rows: tune.ViewOf(l), Columns: columns}
				p := problem.Plan(problem.Rule(caps))
				list := []*weft.Kernel[SoftmaxConfig]{Softmax}
				steps := CeilDiv(shape[axis], p.Config.Cols+p.Config.Rest)
				switch {
				case p.Parts > 1:
					list = []*weft.Kernel[SoftmaxConfig]{SoftmaxParts, SoftmaxSpread}
					if p.Parts > steps || p.Config.Parts < p.Parts || p.Config.Parts*p.Config.Rows > softmaxWidest(caps) {
						t.Errorf("%s: %v: %d parts of %d steps by %+v", name, shape, p.Parts, steps, p.Config)
					}
				case p.Online:
					list[0] = SoftmaxOnline
				case steps > 1:
					t.Errorf("%s: %v along %d: %+v does not hold a row", name, shape, axis, p.Config)
				}
				for _, k := range list {
					p.Config.Log, p.Config.Scaled = rng.IntN(2) == 0, SoftmaxScaling(rng.IntN(4))
					if _, err := k.Build(p.Config); err != nil {
						t.Errorf("%s: %v: %+v: %v", name, shape, p.Config, err)
					}
				}
			}
			for _, cfg := range softmaxConfigs(caps, SoftmaxProblem{Elem: weft.F32, Rows: tune.ViewOf(l)}) {
				if _, err := SoftmaxOnline.Build(cfg); err != nil {
					t.Errorf("%s: %v: %+v: %v", name, shape, cfg, err)
				}
			}
		}
	}
	vector, err := layout.Contiguous(1, 1<<26)
	if err != nil {
		t.Fatal(err)
	}
	long := SoftmaxProblem{Elem: weft.F32, Rows: tune.ViewOf(vector)}
	if p := long.Plan(long.Rule(testCaps["cuda"])); p.Parts < 4*132 {
		t.Errorf("a vector of 2^26 has %d parts", p.Parts)
	}
}

// softmaxConfigs lists legal configs for tuning, for merged rows in the last dimension, the launch
// rule's first.
func softmaxConfigs(caps target.Caps, p SoftmaxProblem) []SoftmaxConfig {
	var list []SoftmaxConfig
	for _, s := range p.List(caps) {
		if p.Legal(caps, s) == nil {
			if cfg := p.Plan(s).Config; !slices.Contains(list, cfg) {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// A row is in its tiles, the first of two is full, and little of the second is beyond the row's end.
func TestSplitRow(t *testing.T) {
	for length := range 70000 {
		list := splitRow(testCaps["cuda"], length)
		for i, s := range list {
			end := 0
			for _, one := range s.each() {
				if one.at*one.cols != end {
					t.Errorf("%d elements: tiles %+v begin at %d of %d and at %d before it", length, s, one.at, one.cols, end)
				}
				end += one.cols
			}
			if end < length || s.rest > 0 && s.cols > length || i > 0 && end <= list[i-1].cols+list[i-1].rest {
				t.Errorf("%d elements: tiles %+v", length, list)
			}
		}
		if s := list[0]; s.cols+s.rest > max(length*4/3, length+31, 64) {
			t.Errorf("%d elements: the least tiles %+v", length, s)
		}
	}
}

// Rows that are walked have as many threads as end together and as the cache keeps rows of; few of them are shared.
func TestSoftmaxWorkgroups(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		elem           weft.DType
		rows, cols     int
		threads, parts int
	}{
		{weft.F16, 621, 78071, 1024, 1}, // three times as many rows as workgroups at a time, nearly
		{weft.BF16, 299, 33127, 512, 1}, // the second round of 264 workgroups would have 35
		{weft.BF16, 213, 269987, 1024, 1},
		{weft.F32, 97, 300001, 256, 10},
		{weft.F16, 3000, 35000, 512, 1}, // the cache keeps rows of 528 workgroups
	} {
		rows, err := layout.Contiguous(c.rows, c.cols)
		if err != nil {
			t.Fatal(err)
		}
		p := SoftmaxProblem{Elem: c.elem, Rows: tune.ViewOf(rows)}
		if plan := p.Plan(p.Rule(h200.Caps)); plan.Config.Threads != c.threads || plan.Parts != c.parts || !plan.Online {
			t.Errorf("%v %d×%d: %d threads and %d parts, want %d and %d", c.elem, c.rows, c.cols, plan.Config.Threads, plan.Parts, c.threads, c.parts)
		}
	}
}
