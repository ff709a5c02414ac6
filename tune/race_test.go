package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/target"
)

// logs collects what is logged until the test ends.
func logs(t *testing.T) *bytes.Buffer {
	var text bytes.Buffer
	logging.Set(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { logging.Set(nil) })
	return &text
}

// Neither jitter, nor outliers, nor a machine that is slow for a while make another config win
// than one that is as good as the best.
func TestNoiseDoesNotChoose(t *testing.T) {
	noises := map[string]func(rng *rand.Rand) func(int) float64{
		"none":   func(*rand.Rand) func(int) float64 { return func(int) float64 { return 1 } },
		"jitter": func(rng *rand.Rand) func(int) float64 { return func(int) float64 { return 1 + 0.03*rng.Float64() } },
		"outliers": func(rng *rand.Rand) func(int) float64 {
			return func(int) float64 {
				if rng.IntN(10) == 0 {
					return 1 + 20*rng.Float64()
				}
				return 1
			}
		},
		"slow phases": func(*rand.Rand) func(int) float64 {
			return func(at int) float64 {
				if at/70%2 == 1 {
					return 1.8
				}
				return 1
			}
		},
		"clock that rises": func(*rand.Rand) func(int) float64 {
			return func(at int) float64 { return 1 + 4/float64(1+at/20) }
		},
	}
	for name, noise := range noises {
		for seed := range uint64(40) {
			afresh(t, t.TempDir())
			m := newMachine(bowl(16))
			m.noise = noise(rand.New(rand.NewPCG(seed, 3)))
			r, err := m.race(t, newSpace("noisy"), job{256, 1}, Options{})
			if err != nil || r.Best.Size != 16 {
				t.Errorf("%s, seed %d: %+v wins, %v", name, seed, r.Best, err)
			}
		}
	}
}

// Options that would drop every config, or give each up at once, count as not given.
func TestOptionsBelowTheirRange(t *testing.T) {
	for _, o := range []Options{{Slow: -1}, {Slow: 0.5}, {Slow: math.NaN()}, {Timeout: -1}} {
		afresh(t, t.TempDir())
		if r, err := newMachine(bowl(16)).race(t, newSpace("below"), job{256, 1}, o); err != nil || r.Best.Size != 16 {
			t.Errorf("%+v: %+v wins, %v", o, r.Best, err)
		}
	}
}

// With the same times a race ends in the same way.
func TestRacesAreDeterministic(t *testing.T) {
	var first Entry
	for i := range 2 {
		afresh(t, t.TempDir())
		m := newMachine(bowl(32))
		rng := rand.New(rand.NewPCG(4, 4))
		m.noise = func(int) float64 { return 1 + 0.2*rng.Float64() }
		r, err := m.race(t, newSpace("same"), job{256, 1}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Entry.Time = (time.Time{}); i == 0 {
			first = r.Entry
		} else if !reflect.DeepEqual(first, r.Entry) {
			t.Errorf("%+v\n%+v", first, r.Entry)
		}
	}
}

// The rule's choice stays where no other one is faster by more than noise.
func TestTheRuleWinsTies(t *testing.T) {
	afresh(t, t.TempDir())
	s := newSpace("tie")
	m := newMachine(func(c how) time.Duration {
		if c == (how{1, 32}) {
			return 100_500
		}
		return 100_000
	})
	r, err := m.race(t, s, job{256, 1}, Options{})
	if err != nil || r.Best != (how{1, 32}) || !r.Entry.Timings[0].Rule {
		t.Errorf("%+v wins, %v", r.Best, err)
	}
	m.cost = bowl(4)
	afresh(t, t.TempDir())
	if r, err := m.race(t, s, job{256, 1}, Options{}); err != nil || r.Best.Size != 4 {
		t.Errorf("%+v wins, %v", r.Best, err)
	}
}

// Configs that fail, early or late, are dropped with the reason and logged, whatever is the matter with them.
func TestFailuresAreDropped(t *testing.T) {
	for _, c := range []struct {
		name, says string
		change     func(m *machine)
	}{
		{"does not compile", "no such instruction", func(m *machine) {
			m.fails = func(c how, _ int) error {
				if c.Size == 16 {
					return fault.New(fault.ErrKernel, "compile", "no such instruction")
				}
				return nil
			}
		}},
		{"out of memory", "out of memory", func(m *machine) {
			m.fails = func(c how, _ int) error {
				if c.Size == 16 {
					return fault.New(fault.ErrOutOfMemory, "new buffer", "2 TB")
				}
				return nil
			}
		}},
		{"wrong", "wrong result", func(m *machine) { m.wrong = func(c how) bool { return c.Size == 16 } }},
		{"fails late", "too hot", func(m *machine) {
			m.fails = func(c how, run int) error {
				if c.Size == 16 && run > 5 {
					return errors.New("too hot")
				}
				return nil
			}
		}},
		{"far too slow", "far too slow", func(m *machine) {
			cost := m.cost
			m.cost = func(c how) time.Duration {
				if c.Size == 16 {
					return time.Second
				}
				return cost(c)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			afresh(t, t.TempDir())
			text, m := logs(t), newMachine(bowl(16))
			c.change(m)
			r, err := m.race(t, newSpace("failing"), job{256, 1}, Options{})
			if err != nil || r.Best.Size != 8 && r.Best.Size != 32 {
				t.Errorf("%+v wins, %v", r.Best, err)
			}
			dropped := 0
			for _, x := range r.Entry.Timings {
				if x.Dropped == "" {
					continue
				}
				dropped++
				if !strings.Contains(x.Dropped, c.says) || !strings.Contains(string(x.Config), "16") {
					t.Errorf("%s is dropped: %s", x.Config, x.Dropped)
				}
			}
			if dropped != 2 || strings.Count(text.String(), "config dropped") != 2 || !strings.Contains(text.String(), c.says) {
				t.Errorf("%d are dropped; the log:\n%s", dropped, text)
			}
		})
	}
}

// Where the rule's choice itself fails another one wins, and where all fail there is an error and nothing stored.
func TestRacesWithoutTheRule(t *testing.T) {
	afresh(t, t.TempDir())
	m := newMachine(bowl(16))
	m.fails = func(c how, _ int) error {
		if c == (how{1, 32}) {
			return errors.New("no")
		}
		return nil
	}
	s := newSpace("no rule")
	if r, err := m.race(t, s, job{256, 1}, Options{}); err != nil || r.Best.Size != 16 {
		t.Errorf("%+v wins, %v", r.Best, err)
	}
	m.fails = func(how, int) error { return errors.New("no") }
	if _, err := m.race(t, s, job{256, 2}, Options{}); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if _, err := m.race(t, s, job{0, 1}, Options{}); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "no config is legal") {
		t.Errorf("%v", err)
	}
	if list, err := Entries(); len(list) != 1 || err != nil {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

// A config that does not come back ends the race, but not the process; what was learned until
// then is kept, and the tensors are freed when the device is done with them.
func TestHanging(t *testing.T) {
	afresh(t, t.TempDir())
	m, back := newMachine(bowl(16)), make(chan struct{})
	m.fails = func(c how, run int) error {
		if c.Size == 64 && run > 6 { // in the rounds
			<-back
		}
		return nil
	}
	s := newSpace("hanging")
	r, err := m.race(t, s, job{256, 1}, Options{Timeout: 50 * time.Millisecond})
	if !errors.Is(err, errGivenUp) || !strings.Contains(err.Error(), "Size:64") {
		t.Errorf("%v", err)
	}
	if m.open.Load() != 1 {
		t.Error("the tensors are freed while a kernel runs")
	}
	close(back)
	for m.open.Load() != 0 {
		time.Sleep(time.Millisecond)
	}
	if r.Best.Size != 16 || !r.Entry.Partial || s.Pick(m.caps, job{256, 1}).Size != 16 {
		t.Errorf("%+v is what was learned", r.Best)
	}
}

// An interruption, or the loss of the device, ends a race with a clear error. What was measured
// by all configs is kept and found again, until a whole race replaces it.
func TestInterruption(t *testing.T) {
	lost := fault.New(fault.ErrDeviceLost, "launch", "it fell off the bus")
	for name, fatal := range map[string]error{"cancelled": context.Canceled, "lost": lost, "closed": fault.New(fault.ErrClosed, "launch", "the device")} {
		for _, after := range []int{1, 20, 50, 100, 120, 200} {
			t.Run(fmt.Sprint(name, " after ", after), func(t *testing.T) {
				dir := t.TempDir()
				afresh(t, dir)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				m, runs := newMachine(bowl(16)), 0
				m.fails = func(how, int) error {
					if runs++; runs < after {
						return nil
					}
					if fatal == context.Canceled {
						cancel()
						return nil
					}
					return fatal
				}
				s := newSpace("interrupted")
				r, err := s.Tune(ctx, m, job{256, 1}, m.trial, Options{})
				want := fatal
				if name == "closed" {
					want = fault.ErrDeviceLost
				}
				if !errors.Is(err, want) {
					t.Fatalf("%v, want %v", err, want)
				}
				learned := after > 18*(1+4)+18 // warming up, and a lap of a round
				if (r.Entry.Config != nil) != learned || learned && (!r.Entry.Partial || r.Best.Size != 16) {
					t.Errorf("%d runs: %+v", runs, r.Entry)
				}
				afresh(t, dir) // another process
				if got := s.Pick(m.caps, job{256, 1}); (got.Size == 16) != learned {
					t.Errorf("picks %+v", got)
				}
				m.fails = nil
				stop := Auto(context.Background(), Options{})
				defer stop()
				if got := s.PickOrTune(m, job{256, 1}, m.trial); got.Size != 16 || m.made.Load() != 2 {
					t.Errorf("%+v after %d races", got, m.made.Load())
				}
				afresh(t, dir)
				if _, from := s.recall(m.caps, job{256, 1}); from.source != measured {
					t.Errorf("the whole race is not what is remembered: %v", from)
				}
			})
		}
	}
}

// Progress never goes back within a phase, and reaches its total.
func TestProgress(t *testing.T) {
	afresh(t, t.TempDir())
	var last Progress
	m := newMachine(bowl(16))
	_, err := m.race(t, newSpace("progress"), job{200, 1}, Options{Progress: func(p Progress) {
		if p.Op != "progress" || p.Problem != `{"N":200,"M":1}` || p.Done > p.Total || p.Phase == last.Phase && p.Done <= last.Done {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}})
	if err != nil || last.Phase != "measure" || last.Best == 0 {
		t.Errorf("%+v, %v", last, err)
	}
}

// As many configs take part as are asked for, and the rule's among them.
func TestTrials(t *testing.T) {
	for trials, want := range map[int]int{1: 1, 5: 5, 0: 18, -1: 18, 100: 18} {
		afresh(t, t.TempDir())
		m := newMachine(bowl(16))
		r, err := m.race(t, newSpace("trials"), job{256, 1}, Options{Trials: trials})
		if err != nil || len(r.Entry.Timings) != want {
			t.Errorf("%d trials: %d configs, %v", trials, len(r.Entry.Timings), err)
		}
	}
}

// Configs that are asked for take part in addition to those of the space, once each, as the choice without tuning with some fields replaced: one may win that no list has, those that
// are refused say why, and those that are another op's are none.
func TestTry(t *testing.T) {
	afresh(t, t.TempDir())
	m := newMachine(bowl(16))
	space := newSpace("try")
	space.List = func(target.Caps, job) iter.Seq[how] { return slices.Values([]how{{1, 32}, {4, 32}}) }
	var try []json.RawMessage
	for _, text := range []string{`{"Size":16}`, `{"Size":16}`, `{"Size":4}`, `{"Size":2,"Threads":64}`, `{"Size":512}`, `{"Stages":3}`} {
		try = append(try, json.RawMessage(text))
	}
	r, err := m.race(t, space, job{256, 1}, Options{Trials: 2, Try: try})
	if err != nil || r.Best.Size != 16 {
		t.Fatalf("%+v wins, %v", r.Best, err)
	}
	got := map[string]string{}
	for _, timing := range r.Entry.Timings {
		got[string(timing.Config)] = timing.Dropped
		if asked := !strings.Contains(string(timing.Config), `"Size":1,`); timing.Tried != asked {
			t.Errorf("%s is said to be asked for: %v", timing.Config, timing.Tried)
		}
	}
	want := map[string]string{`{"Size":1,"Threads":32}`: "", `{"Size":4,"Threads":32}`: "", `{"Size":16,"Threads":32}`: "", `{"Size":2,"Threads":64}`: "", `{"Size":512,"Threads":32}`: "512 of 256"}
	if diff := cmp.Diff(want, got); diff != "" || len(r.Entry.Timings) != len(want) {
		t.Errorf("%d configs:\n%s", len(r.Entry.Timings), diff)
	}
	again, source := newSpace("try").resolve(m.Caps(), job{256, 1})
	if again.Size != 16 || source.source != measured {
		t.Errorf("known is %+v, %v", again, source)
	}
}
