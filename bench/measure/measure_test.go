package measure

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/internal/cachedir"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/tune"
)

// TestMain keeps what tests measure out of the user's own cache.
func TestMain(m *testing.M) {
	os.Setenv(cachedir.Env, "off")
	os.Exit(m.Run())
}

func openCPU(t *testing.T) *weft.Device {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// tiny is every work in small sizes.
func tiny(t *testing.T) []suite.Work {
	t.Helper()
	var names []string
	for _, set := range suite.Sets {
		names = append(names, set.Name)
	}
	list, err := suite.List(suite.Tiny, names...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Every work passes its own check.
func TestWorks(t *testing.T) {
	dev := openCPU(t)
	for _, w := range tiny(t) {
		p, err := prepare(dev, w)
		if err == nil {
			err = p.check()
		}
		p.close()
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
}

// A check sees an output that nobody wrote, and one with a wrong element.
func TestChecksSeeFaults(t *testing.T) {
	dev := openCPU(t)
	for _, w := range tiny(t) {
		if w.Op == "is_nan" || w.Op == "is_inf" || w.Op == "is_finite" {
			continue // of random numbers the answer is always the same
		}
		idle := w
		idle.Run = func(*weft.Tensor, []*weft.Tensor) error { return nil }
		p, err := prepare(dev, idle)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.check(); err == nil || errors.As(err, new(*weft.Error)) {
			t.Errorf("%s: an output that was not written gives %v", w.Name, err)
		}
		p.close()

		zeros := w
		zeros.Run = func(out *weft.Tensor, _ []*weft.Tensor) error { return out.Fill(0) }
		if p, err = prepare(dev, zeros); err != nil {
			t.Fatal(err)
		}
		if err := p.check(); err == nil || errors.As(err, new(*weft.Error)) {
			t.Errorf("%s: an output of zeros gives %v", w.Name, err)
		}
		p.close()
	}
}

// A copy of the operands computes what the first does: every copy is launched on whole contents.
func TestCopies(t *testing.T) {
	dev := openCPU(t)
	for _, w := range tiny(t) {
		p, err := prepare(dev, w)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.copies(3); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			p.sets = append(p.sets[1:], p.sets[0])
			p.next = 0
			if err := p.check(); err != nil {
				t.Errorf("%s: %v", w.Name, err)
			}
		}
		p.close()
	}
	for _, c := range []struct {
		bytes float64
		gpu   bool
		o     Options
		want  int
	}{{1 << 30, true, Options{}, 1}, {100 << 20, true, Options{}, 3}, {4, true, Options{}, mostCopies}, {0, false, Options{}, mostCopies},
		{32 << 20, false, Options{}, 2}, {4, true, Options{Warm: true}, 1}} {
		if got := c.o.CopiesOf(c.bytes, c.gpu); got != c.want {
			t.Errorf("%+v: %d copies", c, got)
		}
	}
}

// A work prepares each copy of its operands once, before it runs, and what was prepared is released.
func TestPrepare(t *testing.T) {
	dev, w := openCPU(t), tiny(t)[0]
	run, held, prepared := w.Run, map[*weft.Tensor]bool{}, 0
	w.Prepare = func(in []*weft.Tensor) (func() error, error) {
		prepared++
		held[in[0]] = true
		return func() error { delete(held, in[0]); return nil }, nil
	}
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		if !held[in[0]] {
			t.Error("operands that were not prepared are run")
		}
		return run(out, in)
	}
	p, err := prepare(dev, w)
	if err == nil {
		err = p.copies(3)
	}
	if err == nil {
		err = p.run(7)
	}
	if err != nil {
		t.Fatal(err)
	}
	if p.close(); prepared != 3 || len(held) > 0 {
		t.Errorf("%d copies of 3 were prepared, %d not released", prepared, len(held))
	}
}

// Samples are sorted, each of as many launches as last for a while, and a slow work has a few nonetheless.
func TestSample(t *testing.T) {
	for _, c := range []struct {
		launch time.Duration
		batch  int
	}{{time.Nanosecond, MostBatch}, {100 * time.Microsecond, 20}, {time.Second, 1}} {
		n := 0
		got, err := Sample(context.Background(), 1, 0, time.Minute, func(launches int) (time.Duration, error) {
			n++
			if n > WarmUps && launches != c.batch {
				t.Errorf("%d launches of %v, want %d", launches, c.launch, c.batch)
			}
			return c.launch*time.Duration(launches) + time.Duration(100-n)*time.Duration(launches)/100, nil
		})
		if err != nil || got.Batch != c.batch || len(got.Seconds) != MostTimes || !slices.IsSorted(got.Seconds) {
			t.Errorf("%v: %+v, %v", c.launch, got, err)
		}
	}
	for _, budget := range []time.Duration{0, time.Nanosecond} { // a result without a time is none
		got, err := Sample(context.Background(), 1, 0, budget, func(int) (time.Duration, error) { time.Sleep(time.Microsecond); return 1, nil })
		if err != nil || len(got.Seconds) == 0 {
			t.Errorf("a budget of %v: %+v, %v, want a time", budget, got, err)
		}
	}
	wrong := errors.New("wrong")
	if _, err := Sample(context.Background(), 1, 0, time.Second, func(int) (time.Duration, error) { return 0, wrong }); err != wrong {
		t.Errorf("an error becomes %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sample(ctx, 1, 0, time.Second, func(int) (time.Duration, error) { return 1, nil }); err != context.Canceled {
		t.Errorf("a cancelled context gives %v", err)
	}
}

// stub is a contender that does as it is told.
type stub struct {
	who     string
	measure func(w suite.Work) (Timing, error)
}

func (s stub) Describe() result.Result { return result.Result{Who: s.who, Kind: "cpu"} }
func (s stub) Size() suite.Size        { return suite.Tiny }
func (s stub) Measure(_ context.Context, w suite.Work) (Timing, error) {
	return s.measure(w)
}

// Contenders alternate; failures and panics are results, and what a contender does not have is none.
func TestRun(t *testing.T) {
	works := []suite.Work{{Name: "add one", Op: "add"}, {Name: "add two", Op: "add"}}
	good := stub{"good", func(suite.Work) (Timing, error) { return Timing{Seconds: []float64{1}}, nil }}
	bad := stub{"bad", func(w suite.Work) (Timing, error) {
		if w.Name == "add one" {
			return Timing{}, errors.New("broken")
		}
		panic("very broken")
	}}
	none := stub{"none", func(suite.Work) (Timing, error) { return Timing{}, ErrNone }}
	var got []string
	run := Run{Contenders: []Contender{good, bad, none}, Works: func(suite.Size) []suite.Work { return works }}
	run.Emit = func(r result.Result) error {
		got = append(got, r.Work+" "+r.Who+" "+r.Error)
		return nil
	}
	err := run.Do(context.Background())
	want := "add one good |add one bad broken|add two good |add two bad panic: very broken"
	if err != nil || strings.Join(got, "|") != want {
		t.Errorf("%q, %v, want %q", strings.Join(got, "|"), err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stop := stub{"stop", func(suite.Work) (Timing, error) { cancel(); return Timing{}, nil }}
	run.Contenders = []Contender{stop}
	if err := run.Do(ctx); err != context.Canceled {
		t.Errorf("an interrupted run gives %v", err)
	}
}

// Every probe of the roofline is right and has a rate, and a result has the ceilings of its machine.
func TestRoofline(t *testing.T) {
	dev := openCPU(t)
	d := NewDevice(dev, suite.Tiny, Options{Budget: time.Microsecond})
	units := unitsOf(tiny(t))
	slices.Sort(units)
	if want := []string{"bf16", "f16", "f32", "i8", "tf32", "tf32x3"}; !slices.Equal(units, want) {
		t.Errorf("units %v, want %v", units, want)
	}
	var got []result.Result
	other := stub{"other", func(suite.Work) (Timing, error) { return Timing{Seconds: []float64{1}}, nil }}
	work := suite.Work{Name: "matmul i8", Op: "matmul", Unit: "i8", Flop: 1, Bytes: 1}
	run := Run{Contenders: []Contender{d, other}, Works: func(suite.Size) []suite.Work { return []suite.Work{work} }, Warn: func(err error) { t.Error(err) },
		Emit: func(r result.Result) error { got = append(got, r); return nil }}
	if err := run.Do(context.Background()); err != nil || len(got) != 2 || !(got[1].Bandwidth > 0) || !(got[1].Peak > 0) || got[0].Peak != got[1].Peak {
		t.Errorf("%+v, %v", got, err)
	}
	for _, w := range probes(suite.Tiny, dev.Caps(), units) {
		p, err := prepare(dev, w)
		if err == nil {
			err = p.check()
		}
		if p.close(); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
}

// The first launch of a work counts the kernels that it loads, and further ones none.
func TestFirst(t *testing.T) {
	CountKernels(slog.LevelInfo)
	defer weft.SetLogger(nil)
	dev, err := weft.Open("cpu") // with no kernels loaded
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	list, err := suite.ListSampled(suite.Tiny, suite.Sample{Seed: 4, Count: 1, Family: "rows"}, "sampled")
	if err != nil {
		t.Fatal(err)
	}
	d := NewDevice(dev, suite.Tiny, Options{Budget: time.Millisecond})
	for i := range 2 {
		got, err := d.Measure(context.Background(), list[0])
		if err != nil || (got.Kernels > 0) != (i == 0) || !(got.First > 0) {
			t.Errorf("launch %d took %v s and loaded %d kernels: %v", i, got.First, got.Kernels, err)
		}
	}
}

// Of a device in both ways one races each work once, in the first round, and the other uses nothing of that; both have the same operands.
func TestBothChoices(t *testing.T) {
	dev := openCPU(t)
	works, err := suite.ListSampled(suite.Tiny, suite.Sample{Seed: 11, Count: 1, Family: "rows"}, "sampled")
	if err != nil {
		t.Fatal(err)
	}
	w := works[0]
	var operands [][]float64
	run := w.Run
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		if in[0].Device() == dev {
			x, err := weft.ToFloats(in[0])
			if err != nil {
				return err
			}
			operands = append(operands, x)
		}
		return run(out, in)
	}
	contenders := BothChoices([]*Device{NewDevice(dev, suite.Tiny, Options{Budget: time.Microsecond})}, 3)
	var got []result.Result
	bench := Run{Contenders: contenders, Works: func(suite.Size) []suite.Work { return []suite.Work{w} }, Rounds: 3,
		Emit: func(r result.Result) error { got = append(got, r); return nil }}
	before, err := tune.Entries()
	if err != nil {
		t.Fatal(err)
	}
	if err := bench.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	after, err := tune.Entries()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Who != "cpu:0" || got[1].Who != "cpu:0 tuned" || !got[0].OK() || !got[1].OK() || got[1].First != 0 || got[0].First == 0 || got[1].Config == "" {
		t.Fatalf("%+v", got)
	}
	if len(result.Tunings(got)) != 1 || len(got[0].Seconds) != len(got[1].Seconds) {
		t.Errorf("%+v", got)
	}
	if len(after) == len(before) {
		t.Error("nothing was raced")
	}
	for i, x := range operands {
		if !slices.Equal(x, operands[0]) {
			t.Fatalf("launch %d has other operands than the first", i)
		}
	}
}

// check runs the work once and checks the result.
func (p *prepared) check() error {
	if _, _, err := p.first(); err != nil {
		return err
	}
	return p.verify()
}
