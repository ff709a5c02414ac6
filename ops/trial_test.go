package ops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// cheating is a softmax one of whose configs does something else than it should.
type cheating struct {
	cheat kernels.SoftmaxSizes
	runs  int
	run   func(c *cheating, honest func(from, to int) error) error
}

// trial is that of the op but for the config that cheats.
func (c *cheating) trial(p kernels.SoftmaxProblem, r *trialTensors, rule kernels.SoftmaxSizes) (*tune.Trial[kernels.SoftmaxSizes], error) {
	x, out := r.filled(p.Elem, p.Rows), r.empty(p.Elem, p.Rows)
	call := newSoftmax("softmax", nil)
	run := func(s kernels.SoftmaxSizes) error {
		honest := func(from, to int) error {
			in, result := view(x), view(out)
			var err error
			if in.Layout, err = in.Layout.Slice(0, from, to, 1); err == nil {
				result.Layout, err = result.Layout.Slice(0, from, to, 1)
			}
			if err != nil {
				return err
			}
			return call.launchPlan(p.Plan(s), in, result)
		}
		if s != c.cheat {
			return honest(0, x.Dim(0))
		}
		c.runs++
		return c.run(c, honest)
	}
	return newTrial(r, rule, run, within(p.Elem, 1e-5), out)
}

// A config of a real op that computes nothing, or half of the rows, or all of them only at first, does not win, however fast it is.
func TestCheatsDoNotWin(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	const rows = 64
	for name, c := range map[string]struct {
		run  func(c *cheating, honest func(from, to int) error) error
		says string
	}{
		"nothing": {func(*cheating, func(from, to int) error) error { return nil }, "wrong result: "},
		"half":    {func(_ *cheating, honest func(from, to int) error) error { return honest(0, rows/2) }, "wrong result: "},
		"at first": {func(c *cheating, honest func(from, to int) error) error {
			if c.runs > 1 {
				return nil
			}
			return honest(0, rows)
		}, "right at first, not after it was timed: wrong result: "},
	} {
		t.Run(name, func(t *testing.T) {
			p := kernels.SoftmaxProblem{Elem: weft.F32, Rows: kernels.MatrixView(rows, 4000, 1)}
			space := space[softmaxTrials]("cheating softmax " + name)
			rule := space.Rule(dev.Caps(), p)
			ranked := slices.DeleteFunc(space.Rank(dev.Caps(), p), func(s kernels.SoftmaxSizes) bool { return s == rule })
			cheat := &cheating{cheat: ranked[0], run: c.run}
			r, err := space.Tune(context.Background(), dev, p, func() (*tune.Trial[kernels.SoftmaxSizes], error) {
				r := &trialTensors{dev: dev}
				trial, err := cheat.trial(p, r, rule)
				if err != nil {
					r.close()
					return nil, err
				}
				trial.Close = r.close
				return trial, nil
			}, tune.Options{Trials: 6, Slow: 1000})
			if err != nil || r.Best == cheat.cheat {
				t.Fatalf("%+v wins, %v", r.Best, err)
			}
			for _, timing := range r.Entry.Timings {
				if cheats := tune.Words(timing.Config) == tune.WordsOf(cheat.cheat); cheats != strings.HasPrefix(timing.Dropped, c.says) {
					t.Errorf("%s is dropped for %q", timing.Config, timing.Dropped)
				}
			}
		})
	}
}

// Where the reference itself does not write its results there is no race.
func TestReferenceThatIsWrong(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.I32, weft.U8, weft.Bool} {
		r := &trialTensors{dev: dev}
		out := r.dense(elem, 9)
		if _, err := newTrial(r, 0, func(int) error { return nil }, within(elem, 1), out); !errors.Is(err, tune.ErrWrong) || !strings.Contains(err.Error(), "the reference") {
			t.Errorf("%v: %v", elem, err)
		}
		r.close()
	}
}

// Results that are views are raced as such, apart from dense ones, and so are operands whose strides are not in a view of the problem; what is stored for one is not used
// for the other.
func TestViewsAreRacedApart(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	tensor := func(shape ...int) *weft.Tensor {
		x, err := weft.Full(dev, weft.F32, 0.5, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	part := func(shape ...int) *weft.Tensor { // of rows that are one longer, at an odd element
		last := len(shape) - 1
		wide := slices.Clone(shape)
		wide[last]++
		x, err := tensor(wide...).Slice(last, 1, wide[last])
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x, images, weight, heads := tensor(48, 48), tensor(2, 4, 12, 12), tensor(8, 4, 3, 3), tensor(1, 2, 32, 16)
	for name, c := range map[string]struct {
		run   func(out *weft.Tensor) error
		shape []int
	}{
		"matmul":    {func(out *weft.Tensor) error { return MatMulInto(out, x, x) }, []int{48, 48}},
		"softmax":   {func(out *weft.Tensor) error { return SoftmaxInto(out, x) }, []int{48, 48}},
		"norm":      {func(out *weft.Tensor) error { return RMSNormInto(out, x, nil) }, []int{48, 48}},
		"reduce":    {func(out *weft.Tensor) error { return SumInto(out, images, Axis(3)) }, []int{2, 4, 12}},
		"conv2d":    {func(out *weft.Tensor) error { return Conv2DInto(out, images, weight) }, []int{2, 8, 10, 10}},
		"attention": {func(out *weft.Tensor) error { return AttentionInto(out, heads, heads, heads) }, []int{1, 2, 32, 16}},
		"random":    {func(out *weft.Tensor) error { return UniformInto(out, Stream{}) }, []int{501}},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []tune.Entry
			stop := tune.Auto(context.Background(), tune.Options{Trials: 2, Again: true, Done: func(e tune.Entry) {
				if e.Op == name {
					entries = append(entries, e)
				}
			}})
			defer stop()
			for _, out := range []*weft.Tensor{tensor(c.shape...), part(c.shape...), tensor(c.shape...), part(c.shape...)} {
				if err := c.run(out); err != nil {
					t.Fatal(err)
				}
			}
			if len(entries) != 2 || string(entries[0].Problem) == string(entries[1].Problem) {
				t.Errorf("%d races: %+v", len(entries), entries)
			}
			for i, e := range entries {
				if unusual := slices.ContainsFunc([]string{`"Out":"order`, `"From":"order`, `"X":"order`}, func(text string) bool { return strings.Contains(string(e.Problem), text) }); unusual != (i == 1) {
					t.Errorf("%d: %s", i, e.Problem)
				}
			}
		})
	}
}

// A result that a race makes of strides has these, in the sizes of the problem.
func TestResultsOfStrides(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	dense, err := layout.Contiguous(20, 33)
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]layout.Layout{"dense": dense, "transposed": dense.Transpose()} {
		for _, slice := range []int{0, 1, 2, 8} {
			l, err := l.Slice(1, slice, 18, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := &trialTensors{dev: dev}
			out := r.result(weft.F16, tune.StridesOf(l), l.Shape()...)
			if r.err != nil || tune.ViewOf(out.Layout()) != tune.ViewOf(l) {
				t.Errorf("%s from %d: %+v, want %+v, %v", name, slice, tune.ViewOf(out.Layout()), tune.ViewOf(l), r.err)
			}
			r.close()
		}
	}
}

// A reference that all configs may agree with is compared with the host's arithmetic, on each draw.
func TestReferenceByTheHost(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for name, c := range map[string]struct {
		fill  func(out, x *weft.Tensor) error
		wrong bool
	}{
		"as the host":    {func(out, x *weft.Tensor) error { return out.CopyFrom(x) }, false},
		"zeros":          {func(out, x *weft.Tensor) error { return out.Fill(0) }, true},
		"other elements": {func(out, x *weft.Tensor) error { return out.CopyFrom(x.T()) }, true},
	} {
		r := &trialTensors{dev: dev}
		x := r.filled(weft.F16, kernels.MatrixView(31, 31, 1))
		out, value := r.result(weft.F16, tune.Strides{}, 31, 31), r.valuesOf(x)
		r.exactly(1, func(at []int) float64 { return value(at...) })
		trial, err := newTrial(r, 0, func(int) error { return c.fill(out, x) }, within(weft.F16, 0), out)
		if errors.Is(err, tune.ErrWrong) != c.wrong || c.wrong && !strings.Contains(err.Error(), "by the host") {
			t.Errorf("%s: %v", name, err)
		}
		if !c.wrong {
			before, err := x.To(dev)
			if err != nil {
				t.Fatal(err)
			}
			if err := trial.Renew(); err != nil {
				t.Errorf("%s, other numbers: %v", name, err)
			}
			if same, err := differing(x, before, tolerance{}); err != nil || same == 0 {
				t.Errorf("no number is another one, %v", err)
			}
		}
		r.close()
	}
}

// Lines are all positions along the dimensions that are given, and none else.
func TestLinesOf(t *testing.T) {
	var got []string
	for line := range linesOf([]int{2, 3, 2}, [tune.MaxRank]bool{true, false, true}, []int{1, 2, 0}) {
		got = append(got, fmt.Sprint(line))
	}
	if want := []string{"[0 2 0]", "[0 2 1]", "[1 2 0]", "[1 2 1]"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
