package tune

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/target"
)

func TestMain(m *testing.M) {
	if os.Getenv("WEFT_TEST_NUMBER") != "" { // a process of TestProcesses
		if err := processes(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "tune")
	if err != nil {
		panic(err)
	}
	os.Setenv(cachedir.Env, dir) // of no test is the user's own cache
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// afresh is a process that knows nothing, with its cache in a folder.
func afresh(t testing.TB, dir string) {
	t.Setenv(cachedir.Env, dir)
	before := files
	files = sync.OnceValue(func() *cachedir.Store { return cachedir.Tuned.Open() })
	t.Cleanup(func() { files = before; forget() })
	forget()
}

func forget() {
	tables.Lock()
	defer tables.Unlock()
	tables.own, tables.merged, tables.imported = map[string]*Entry{}, map[string]*Entry{}, map[string]*Entry{}
	generation.Add(1)
}

// job and how are a problem and a config of tests.
type job struct{ N, M int }

type how struct{ Size, Threads int }

// costs are the true times of a space's configs.
func newSpace(name string) *Space[job, how] {
	return &Space[job, how]{
		Op: name,
		List: func(caps target.Caps, p job) iter.Seq[how] {
			return func(yield func(how) bool) {
				for size := 1; size <= 256; size *= 2 {
					if !yield(how{size, 32}) || !yield(how{size, 64}) {
						return
					}
				}
			}
		},
		Legal: func(caps target.Caps, p job, c how) error {
			if c.Size > p.N || c.Size < 1 || c.Threads > 64 {
				return fmt.Errorf("%d of %d", c.Size, p.N)
			}
			return nil
		},
		Rule:   func(target.Caps, job) how { return how{1, 32} },
		Bucket: func(p job) job { return job{Bucket(p.N), p.M} },
	}
}

// machine is a device and a trial whose times are made up.
type machine struct {
	caps  target.Caps
	cost  func(how) time.Duration
	noise func(at int) float64 // factor of the time of a step
	rng   *rand.Rand

	mu    sync.Mutex
	at    int
	last  how
	runs  map[how]int
	fails func(c how, run int) error // of a run, counted for each config
	wrong func(how) bool
	open  atomic.Int32 // trials that are open
	made  atomic.Int32 // trials made
	fault error        // of making one
}

func newMachine(cost func(how) time.Duration) *machine {
	return &machine{caps: target.Caps{Language: target.CUDA, Fingerprint: "fake"}, cost: cost, runs: map[how]int{}, rng: rand.New(rand.NewPCG(1, 2))}
}

// bowl has its least time at a size.
func bowl(best int) func(how) time.Duration {
	return func(c how) time.Duration {
		d := time.Duration(100_000)
		for size := c.Size; size != best; {
			d += 5000
			if size < best {
				size *= 2
			} else {
				size /= 2
			}
		}
		return d + time.Duration(c.Threads)*10
	}
}

func (m *machine) Caps() target.Caps { return m.caps }

func (m *machine) Time(f func() error) (time.Duration, error) {
	if err := f(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at++
	d := float64(m.cost(m.last))
	if m.noise != nil {
		d *= m.noise(m.at)
	}
	return time.Duration(d), nil
}

func (m *machine) run(c how) error {
	m.mu.Lock()
	m.last = c
	m.runs[c]++
	n, fails := m.runs[c], m.fails
	m.mu.Unlock()
	if fails != nil {
		return fails(c, n)
	}
	return nil
}

func (m *machine) trial() (*Trial[how], error) {
	if m.fault != nil {
		return nil, m.fault
	}
	m.open.Add(1)
	m.made.Add(1)
	return &Trial[how]{
		Run: m.run,
		Check: func(c how) error {
			if err := m.run(c); err != nil {
				return err
			}
			if m.wrong != nil && m.wrong(c) {
				return fmt.Errorf("%w: all of it", ErrWrong)
			}
			return nil
		},
		Close: func() { m.open.Add(-1) },
	}, nil
}

// race tunes and checks what holds for every race.
func (m *machine) race(t testing.TB, s *Space[job, how], p job, o Options) (Result[how], error) {
	t.Helper()
	r, err := s.Tune(context.Background(), m, p, m.trial, o)
	if n := m.open.Load(); n != 0 && !errors.Is(err, errGivenUp) {
		t.Errorf("%d trials are open", n)
	}
	if len(r.Entry.Timings) > 0 {
		dropped := slices.IndexFunc(r.Entry.Timings, func(t Timing) bool { return t.Dropped != "" })
		if dropped == 0 || dropped > 0 && slices.ContainsFunc(r.Entry.Timings[dropped:], func(t Timing) bool { return t.Dropped == "" }) {
			t.Errorf("configs that were dropped are not the last ones: %+v", r.Entry.Timings)
		}
	}
	return r, err
}
