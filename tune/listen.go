package tune

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/weftgpu/weft/target"
)

// Choice is a choice that was made, with what there was to choose from.
type Choice struct {
	Op      string             `json:"op"`
	Problem json.RawMessage    `json:"problem"`
	Config  json.RawMessage    `json:"config"`
	Source  string             `json:"source"`  // "rule", "model", "measured", "interrupted race" or "imported"
	Legal   []Candidate        `json:"legal"`   // the fastest by the model first
	Refused []RefusedCandidate `json:"refused"` // of those that were enumerated
	Estimated
}

// Estimated is what the model says of a config, 0 where it knows nothing.
type Estimated struct {
	Seconds float64 `json:"seconds,omitempty"`
	Least   float64 `json:"least,omitempty"` // seconds that memory and arithmetic need at full rates
	Meaning Meaning `json:"meaning"`         // of Seconds
	Machine string  `json:"machine"`         // whose facts these follow from
}

// Candidate is a legal config.
type Candidate struct {
	Config json.RawMessage `json:"config"`
	Estimated
}

// RefusedCandidate is a config that is not legal, and why.
type RefusedCandidate struct {
	Config json.RawMessage `json:"config"`
	Reason string          `json:"reason"`
}

var listeners inForce[func(Choice)]

// Listen calls f with every choice that is made from now on, until stop is called: for people who need to know
// what was chosen, and what was not. f is called before the config is used, by the goroutine that asked for it.
// Of several listeners the last one that is not stopped counts.
func Listen(f func(Choice)) (stop func()) {
	return listeners.put(&f) // what was chosen before is chosen anew
}

// tell tells the listener, if there is one.
func (s *Space[P, C]) tell(caps target.Caps, p P, c C, from origin) {
	f := listeners.last.Load()
	if f == nil {
		return
	}
	choice := Choice{Op: s.Op, Problem: asJSON(p), Config: asJSON(c), Source: [...]string{"model", "imported", "interrupted race", "measured"}[from.source]}
	if from.source == modelled && s.Rule != nil {
		choice.Source = "rule"
	}
	model := ModelFor(caps)
	estimate := func(x C) Estimated {
		if s.Work == nil {
			return Estimated{}
		}
		e := model.Estimate(s.Work(caps, p, x))
		return Estimated{e.Seconds, e.Least, e.Meaning, model.Machine.Name}
	}
	choice.Estimated = estimate(c)
	for x, err := range s.configs(caps, p) {
		if err != nil {
			choice.Refused = append(choice.Refused, RefusedCandidate{asJSON(x), err.Error()})
			continue
		}
		choice.Legal = append(choice.Legal, Candidate{asJSON(x), estimate(x)})
	}
	slices.SortStableFunc(choice.Legal, func(a, b Candidate) int { return cmp.Compare(a.Seconds, b.Seconds) })
	(*f)(choice)
}

// asJSON is a problem or a config as files hold it; null for what is no JSON.
func asJSON(x any) json.RawMessage {
	text, err := json.Marshal(x)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}
