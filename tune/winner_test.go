package tune

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// doubling is an op that doubles numbers, with memory of its own and configs by name. An honest config takes 100 µs, others less.
type doubling struct {
	machine       *target.Machine
	in, out, keep []float64
	draws         uint64
	runs          map[string]int
	last          string
	bad           map[string]bad
}

// bad is a config that must not win.
type bad struct {
	run  func(d *doubling, times int) // instead of all of the doubling
	time time.Duration                // that is reported
	says string                       // why it is dropped
}

// vector is the problem of doubling, way its config.
type vector struct{ N int }
type way struct{ Name string }

func newDoubling() *doubling {
	d := &doubling{in: make([]float64, 1000), out: make([]float64, 1000), runs: map[string]int{}, bad: map[string]bad{}}
	d.renew()
	return d
}

func (d *doubling) Caps() target.Caps {
	return target.Caps{Language: target.CUDA, Fingerprint: "doubling", Machine: d.machine}
}

func (d *doubling) Time(f func() error) (time.Duration, error) {
	err := f()
	if b, ok := d.bad[d.last]; ok {
		return b.time, err
	}
	return 100 * time.Microsecond, err
}

func (d *doubling) renew() error {
	d.draws++
	rng := rand.New(rand.NewPCG(d.draws, 7))
	for i := range d.in {
		d.in[i] = 1 + rng.Float64()
	}
	return nil
}

// double computes the first n numbers.
func (d *doubling) double(n int) {
	for i, x := range d.in[:n] {
		d.out[i] = 2 * x
	}
}

func (d *doubling) run(c way) error {
	d.last = c.Name
	d.runs[c.Name]++
	if b, ok := d.bad[c.Name]; ok {
		b.run(d, d.runs[c.Name])
	} else {
		d.double(len(d.in))
	}
	return nil
}

func (d *doubling) trial() (*Trial[way], error) {
	check := func(c way) error {
		for i := range d.out {
			d.out[i] = -1
		}
		if err := d.run(c); err != nil {
			return err
		}
		for i, x := range d.in {
			if d.out[i] != 2*x {
				return fmt.Errorf("%w: element %d", ErrWrong, i)
			}
		}
		return nil
	}
	return &Trial[way]{Run: d.run, Check: check, Renew: d.renew}, nil
}

// space has an honest rule, honest others and the bad ones, whose needs are those of the doubled vector.
func (d *doubling) space(name string) *Space[vector, way] {
	return &Space[vector, way]{
		Op: name,
		List: func(target.Caps, vector) iter.Seq[way] {
			list := []way{{"rule"}}
			for name := range d.bad {
				list = append(list, way{name})
			}
			return slices.Values(append(list, way{"honest"}, way{"slower"}))
		},
		Rule:  func(target.Caps, vector) way { return way{"rule"} },
		Needs: func(_ target.Caps, p vector) Needs { return Needs{Read: 8 * float64(p.N), Written: 8 * float64(p.N)} },
	}
}

// A config that computes nothing, or half, or is right only at first, or on the numbers of its first run alone, or at some time after it was timed, or
// reports a time that no config can take, wins no race; the log and the entry say why, and neither does it drive out honest ones.
func TestNoWrongWinner(t *testing.T) {
	whole := func(d *doubling, _ int) { d.double(len(d.in)) }
	for name, b := range map[string]bad{
		"nothing":             {func(*doubling, int) {}, time.Microsecond, "wrong result"},
		"half":                {func(d *doubling, _ int) { d.double(len(d.in) / 2) }, 50 * time.Microsecond, "wrong result"},
		"only the first time": {upTo(1), time.Microsecond, "right at first, not after it was timed: wrong result"},
		"only until rounds":   {upTo(6), 60 * time.Microsecond, "right at first, not after it was timed: wrong result"},
		"what it kept": {func(d *doubling, times int) {
			if times == 1 {
				d.double(len(d.in))
				d.keep = slices.Clone(d.out)
			}
			copy(d.out, d.keep)
		}, 20 * time.Microsecond, "right at first, not after it was timed: wrong result"},
		"an impossible time": {whole, 10 * time.Nanosecond, "beyond the roofline: 10ns, and memory takes"},
		"no time":            {whole, 0, "no time: the device reports 0s"},
		"a negative time":    {whole, -time.Second, "no time: the device reports -1s"},
	} {
		t.Run(name, func(t *testing.T) {
			afresh(t, t.TempDir())
			d, text := newDoubling(), logs(t)
			d.machine = &target.Machine{Name: "fake", Units: 1, Memory: 1e9, Cache: 1e12, L2: 1000, Flops: 1e12}
			d.bad[name] = b
			s := d.space("doubling")
			r, err := s.Tune(context.Background(), d, vector{1000}, d.trial, Options{})
			if err != nil || r.Best.Name != "rule" {
				t.Fatalf("%+v wins, %v", r.Best, err)
			}
			if got := s.Pick(d.Caps(), vector{1000}); got.Name != "rule" {
				t.Errorf("%+v is stored", got)
			}
			for _, timing := range r.Entry.Timings {
				isBad := strings.Contains(string(timing.Config), name)
				if isBad != (timing.Dropped != "") || isBad && !strings.Contains(timing.Dropped, b.says) {
					t.Errorf("%s is dropped for %q, want %q", timing.Config, timing.Dropped, b.says)
				}
			}
			if !strings.Contains(text.String(), b.says) || strings.Count(text.String(), "config dropped") != 1 {
				t.Errorf("the log:\n%s", text)
			}
			if d.draws < 3 {
				t.Errorf("operands were drawn %d times", d.draws)
			}
		})
	}
}

// upTo is right so many times.
func upTo(times int) func(d *doubling, run int) {
	return func(d *doubling, run int) {
		if run <= times {
			d.double(len(d.in))
		}
	}
}

// The fastest of the others wins, also if it was driven out by a wrong one before that was found out.
func TestWinnerAfterWrongOnes(t *testing.T) {
	afresh(t, t.TempDir())
	d := newDoubling()
	s := d.space("wrong ones")
	for i := range 9 {
		d.bad[fmt.Sprint("late ", i)] = bad{upTo(6), 10 * time.Microsecond, ""}
	}
	s.List = func(target.Caps, vector) iter.Seq[way] {
		list := []way{{"rule"}, {"good"}}
		for name := range d.bad {
			if name != "good" {
				list = append(list, way{name})
			}
		}
		return slices.Values(list)
	}
	d.bad["good"] = bad{func(d *doubling, _ int) { d.double(len(d.in)) }, 80 * time.Microsecond, ""}
	r, err := s.Tune(context.Background(), d, vector{1000}, d.trial, Options{Slow: 100})
	if err != nil || r.Best.Name != "good" {
		t.Errorf("%+v wins, %v", r.Best, err)
	}
}

// Where all are wrong, or all report impossible times, nothing is stored.
func TestOnlyWrongOnes(t *testing.T) {
	for _, b := range []bad{{upTo(6), time.Microsecond, ""}, {func(d *doubling, _ int) { d.double(len(d.in)) }, 0, ""}} {
		afresh(t, t.TempDir())
		d := newDoubling()
		for _, name := range []string{"rule", "honest", "slower"} {
			d.bad[name] = b
		}
		_, err := d.space("all wrong").Tune(context.Background(), d, vector{1000}, d.trial, Options{})
		if list, _ := Entries(); !errors.Is(err, fault.ErrUnsupported) || len(list) != 0 {
			t.Errorf("%d entries, %v", len(list), err)
		}
	}
}

// Operands that cannot be drawn again end the race; what is measured until then is no whole result.
func TestNoNewNumbers(t *testing.T) {
	for _, draws := range []int{0, 1} {
		afresh(t, t.TempDir())
		d, full := newDoubling(), fault.New(fault.ErrOutOfMemory, "new buffer", "2 TB")
		s := d.space("not renewed")
		r, err := s.Tune(context.Background(), d, vector{1000}, func() (*Trial[way], error) {
			trial, _ := d.trial()
			left := draws
			trial.Renew = func() error {
				if left--; left < 0 {
					return full
				}
				return d.renew()
			}
			return trial, nil
		}, Options{})
		if !errors.Is(err, fault.ErrOutOfMemory) || (r.Entry.Config != nil) != (draws == 1) || draws == 1 && !r.Entry.Partial {
			t.Errorf("after %d draws: %+v, %v", draws, r.Entry, err)
		}
	}
}

// The bound is the slowest part's at the margin of its rate; what caches may hold before and after does not count as memory's, and
// machines that stand for a kind have none.
func TestBound(t *testing.T) {
	m := target.Machine{L2: 1 << 20, Memory: 1e12, Cache: 4e12, Flops: 1e13, Matrix: target.MatrixRates{F16: 1e14}}
	for _, c := range []struct {
		needs Needs
		want  time.Duration
		part  string
	}{
		{Needs{}, 0, ""},
		{Needs{Read: 1 << 20, Written: 1 << 20}, 262 * time.Nanosecond, "cache"},
		{Needs{Read: 1e9 + 1<<20}, 750 * time.Microsecond, "memory"},
		{Needs{Read: 1e9 + 1<<20, Written: 1e9 + 1<<20}, 1500 * time.Microsecond, "memory"},
		{Needs{Flops: 1e12}, 75 * time.Millisecond, "arithmetic"},
		{Needs{Matrix: 1e12}, 7500 * time.Microsecond, "arithmetic"},
	} {
		if got, part := (Model{Machine: &m}).Bound(c.needs); got != c.want || part != c.part {
			t.Errorf("%+v: %v by %s, want %v by %s", c.needs, got, part, c.want, c.part)
		}
	}
	m.Matrix.F16 = 0
	if got, _ := (Model{Machine: &m}).Bound(Needs{Matrix: 1e12}); got != 37500*time.Microsecond {
		t.Errorf("by packed arithmetic: %v", got)
	}
	m.Generic = true
	if got, _ := (Model{Machine: &m}).Bound(Needs{Read: 1e12}); got != 0 {
		t.Errorf("of a kind of machine: %v", got)
	}
}
