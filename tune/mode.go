package tune

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/internal/setting"
)

// Env says how ops choose their configs: "1" races configs for every problem that is new, as
// Auto does, and "0" forgets what was measured before and leaves all to rules and the model. Whatever
// else, or nothing, uses what is known and measures nothing; weft.Open refuses what is neither.
const Env = "WEFT_TUNE"

var env = setting.New(Env, "0", "1")

// Options say how a race is run. The zero value is good.
type Options struct {
	// Exact keeps the result for the very sizes of the problem, not for its bucket.
	Exact bool
	// Again races problems whose result is known.
	Again bool
	// Trials is how many configs take part, those that the model ranks first; 32 if 0, all if negative.
	Trials int
	// Try are further configs, as JSON objects of the fields in which they differ from the choice without tuning. They take part in addition to the Trials
	// in the races of those ops whose configs have the fields; one that is refused is among the dropped ones, with the reason. Timing.Tried tells them from the others.
	Try []json.RawMessage
	// Slow is how many times as long as the fastest one a config may take before it is
	// dropped; 4 if less than 1, which would drop the fastest.
	Slow float64
	// Timeout is how long one config may take to be compiled, checked and run once before it
	// is given up, and the race with it, since the device is busy; a minute if 0 or less.
	Timeout time.Duration
	// Progress, if it is not nil, is called after each step, from one goroutine at a time.
	Progress func(Progress)
	// Done, if it is not nil, is called with the result of each race.
	Done func(Entry)
	// Failed, if it is not nil, is called with the error of each race of a launch that ended without a result and was not interrupted.
	Failed func(error)
}

func (o Options) withDefaults() Options {
	if o.Trials == 0 {
		o.Trials = 32
	}
	if !(o.Slow >= 1) {
		o.Slow = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	return o
}

// Progress is how far a race is.
type Progress struct {
	Op      string
	Problem string // as JSON
	Phase   string // "compile" or "measure"
	Done    int    // steps of Total, which shrinks when configs are dropped
	Total   int
	Left    int           // configs in the race
	Best    time.Duration // of the fastest so far, 0 before the first
}

// auto is a request to race what is new, or to use nothing that was measured.
type auto struct {
	ctx context.Context
	off bool
	Options
	done sync.Map // problems raced under this request, for Again
}

var requests inForce[auto]

// inForce is what was asked for and not stopped, in its order. The last one counts.
type inForce[T any] struct {
	mu   sync.Mutex
	list []*T
	last atomic.Pointer[T] // nil for none
}

// put has the last one count, from now on and until stop is called; those before it may be stopped earlier.
func (s *inForce[T]) put(x *T) (stop func()) {
	s.change(func() { s.list = append(s.list, x) })
	return sync.OnceFunc(func() {
		s.change(func() { s.list = slices.DeleteFunc(s.list, func(y *T) bool { return y == x }) })
	})
}

// change changes the list; what was chosen before is chosen anew.
func (s *inForce[T]) change(list func()) {
	s.mu.Lock()
	list()
	var last *T
	if n := len(s.list); n > 0 {
		last = s.list[n-1]
	}
	s.last.Store(last)
	s.mu.Unlock()
	changed()
}

// Auto makes ops race configs for problems that nobody raced before on the device,
// from now on and until stop is called or ctx is done. Each race takes seconds, at the first
// launch for a problem; later launches, and those of later processes, find its result. Of
// several requests the last one that is not stopped counts.
func Auto(ctx context.Context, o Options) (stop func()) {
	return request(&auto{ctx: ctx, Options: o.withDefaults()})
}

// Off leaves choices to rules and the model, whatever was measured before, as the environment's WEFT_TUNE=0 does, from now on and until
// restore is called. It is a request like Auto's, of which the last one counts.
func Off() (restore func()) {
	return request(&auto{ctx: context.Background(), off: true})
}

// request puts a request in force.
func request(a *auto) (stop func()) { return requests.put(a) }

// asked is the request in force, nil if there is none.
func asked() *auto {
	if a := requests.last.Load(); a != nil {
		if a.ctx.Err() != nil || a.off {
			return nil
		}
		return a
	}
	if mode() == always {
		return fromEnv()
	}
	return nil
}

// ignored reports whether nothing that was measured is used.
func ignored() bool {
	a := requests.last.Load()
	return mode() == never || a != nil && a.off
}

var fromEnv = sync.OnceValue(func() *auto {
	return &auto{ctx: context.Background(), Options: Options{}.withDefaults()}
})

type manner uint8

const (
	known  manner = iota // use what is known
	always               // and race what is not
	never                // use nothing that was measured
)

// mode is what the environment asks for.
var mode = sync.OnceValue(func() manner {
	switch env.Value() {
	case "1":
		return always
	case "0":
		return never
	}
	return known
})
