package tune

import (
	"iter"
	"sync/atomic"

	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A Space has the configs of one op, of type C, for problems of type
// P. Both are plain comparable structs, whose JSON holds all that counts.
//
// The fields are set before the space is used, and its methods may be called from many goroutines.
type Space[P, C comparable] struct {
	Op string // names the space; no other has the name

	// List enumerates configs for a problem on a device, legal or not.
	List func(caps target.Caps, p P) iter.Seq[C]
	// Legal says why a config is refused, nil if it is not. It is asked before anything is
	// compiled, and again whenever a config comes from a file. nil allows all.
	Legal func(caps target.Caps, p P, c C) error
	// Rule chooses without measuring; nil leaves it to the model.
	Rule func(caps target.Caps, p P) C
	// Work tells the model what a config makes the machine do; nil keeps List's order.
	Work func(caps target.Caps, p P, c C) Work
	// Needs are what every config makes the machine do: one that reports a shorter time than that takes by the machine's rates is
	// dropped from a race. nil leaves only times that are no time.
	Needs func(caps target.Caps, p P) Needs
	// Bucket is the problem that stands for a problem and others like it, which share one
	// choice. nil has every problem stand for itself.
	Bucket func(p P) P
	// Kernel is the kernel of a config: a choice that was measured with another one is
	// forgotten. nil keeps choices until weft's version changes.
	Kernel func(caps target.Caps, p P, c C) (*tile.Func, error)

	choices recent.Table[dated[P], C]
	failed  recent.Table[key[P], bool] // problems whose races failed
}

// key is all that a choice depends on.
type key[P comparable] struct {
	caps    target.Caps
	problem P
}

// dated is the key of a choice that was made in a generation.
type dated[P comparable] struct {
	key[P]
	generation uint64
}

// generation counts what may change choices: races, imports, and the way of choosing.
var generation atomic.Uint64

// changed begins a generation: what ops remember of calls made before, with the choices of then, is forgotten, too.
func changed() {
	generation.Add(1)
	recent.Forget()
}

// Known is the choice for a problem if Pick made it before. It costs a look-up and
// allocates nothing.
func (s *Space[P, C]) Known(caps target.Caps, p P) (c C, ok bool) {
	return s.choices.Get(dated[P]{key[P]{caps, p}, generation.Load()})
}

// Pick chooses the config for a problem: the one that was measured to be the fastest, or else
// what an imported table says, or else what the rule or the model chooses. It measures nothing.
func (s *Space[P, C]) Pick(caps target.Caps, p P) C {
	if c, ok := s.Known(caps, p); ok {
		return c
	}
	now := generation.Load()
	c, known := s.resolve(caps, p)
	s.tell(caps, p, c, known)
	s.remember(now, caps, p, c)
	return c
}

// PickOrTune is Pick that races configs first, if that is asked for (see Auto) and nobody has
// done so before. trial makes what a race runs on. A race that fails is logged, and the choice
// is then that of Pick.
func (s *Space[P, C]) PickOrTune(dev Device, p P, trial func() (*Trial[C], error)) C {
	caps := dev.Caps()
	if c, ok := s.Known(caps, p); ok {
		return c
	}
	now := generation.Load()
	c, known := s.resolve(caps, p)
	if auto := asked(); auto != nil && !s.hasFailed(caps, p) && s.wanted(auto, caps, p, known) {
		if r, ran := s.tuneOnce(auto, dev, p, trial); ran {
			return r
		}
	}
	s.tell(caps, p, c, known)
	s.remember(now, caps, p, c)
	return c
}

// Default is the choice without anything measured.
func (s *Space[P, C]) Default(caps target.Caps, p P) C {
	if s.Rule != nil {
		return s.Rule(caps, p)
	}
	if ranked := s.Rank(caps, p); len(ranked) > 0 {
		return ranked[0]
	}
	var none C
	return none
}

// source is where a choice comes from.
type source uint8

const (
	modelled source = iota // the rule or the model
	imported
	partly // measured in a race that was interrupted
	measured
)

// origin is what is known of a choice.
type origin struct {
	source
	exact bool // for the very problem, not for its bucket
}

// resolve finds the choice for a problem, and where it comes from.
func (s *Space[P, C]) resolve(caps target.Caps, p P) (C, origin) {
	if !ignored() {
		if c, from := s.recall(caps, p); from.source != modelled {
			return c, from
		}
	}
	return s.Default(caps, p), origin{}
}

// wanted reports whether a request is for a race, given what is known.
func (s *Space[P, C]) wanted(a *auto, caps target.Caps, p P, known origin) bool {
	if known.source == measured && (known.exact || !a.Exact) {
		if !a.Again {
			return false
		}
		_, done := a.done.Load(s.raced(a, caps, p))
		return !done
	}
	return true
}

// raced names a race under a request.
func (s *Space[P, C]) raced(a *auto, caps target.Caps, p P) any {
	if !a.Exact {
		p = s.bucket(p)
	}
	return struct {
		op  string
		key key[P]
	}{s.Op, key[P]{caps, p}}
}

// remember notes a choice that was made in a generation.
func (s *Space[P, C]) remember(generation uint64, caps target.Caps, p P, c C) {
	s.choices.Put(dated[P]{key[P]{caps, p}, generation}, c)
}

// hasFailed reports whether a race for the problem failed.
func (s *Space[P, C]) hasFailed(caps target.Caps, p P) bool {
	failed, _ := s.failed.Get(key[P]{caps, s.bucket(p)})
	return failed
}

func (s *Space[P, C]) fail(caps target.Caps, p P) {
	s.failed.Put(key[P]{caps, s.bucket(p)}, true)
}

func (s *Space[P, C]) bucket(p P) P {
	if s.Bucket == nil {
		return p
	}
	return s.Bucket(p)
}

// configs lists each config for a problem once, with why it is refused.
func (s *Space[P, C]) configs(caps target.Caps, p P) iter.Seq2[C, error] {
	return func(yield func(C, error) bool) {
		seen := map[C]bool{}
		for c := range s.List(caps, p) {
			if !seen[c] && !yield(c, s.legal(caps, p, c)) {
				return
			}
			seen[c] = true
		}
	}
}

// legal says why a config is refused.
func (s *Space[P, C]) legal(caps target.Caps, p P, c C) error {
	if s.Legal == nil {
		return nil
	}
	return s.Legal(caps, p, c)
}
