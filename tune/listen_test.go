package tune

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/weftgpu/weft/target"
)

type listenConfig struct{ N int }

// A listener hears of a choice once, with what was legal, in the model's order, and what was refused; also of one
// that was made before it listened. After stop it hears nothing.
func TestListen(t *testing.T) {
	s := &Space[struct{ Size int }, listenConfig]{
		Op: "listen",
		List: func(target.Caps, struct{ Size int }) iter.Seq[listenConfig] {
			return slices.Values([]listenConfig{{1}, {2}, {3}, {3}, {4}})
		},
		Legal: func(_ target.Caps, _ struct{ Size int }, c listenConfig) error {
			if c.N == 4 {
				return errors.New("too large")
			}
			return nil
		},
		Rule: func(target.Caps, struct{ Size int }) listenConfig { return listenConfig{2} },
	}
	problem := struct{ Size int }{7}
	s.Pick(target.Caps{}, problem)
	var heard []Choice
	stop := Listen(func(c Choice) { heard = append(heard, c) })
	s.Pick(target.Caps{}, problem)
	s.Pick(target.Caps{}, problem)
	stop()
	s.Pick(target.Caps{}, problem)
	if len(heard) != 1 {
		t.Fatalf("heard %d times", len(heard))
	}
	c := heard[0]
	if c.Op != "listen" || string(c.Problem) != `{"Size":7}` || string(c.Config) != `{"N":2}` || c.Source != "rule" ||
		len(c.Legal) != 3 || len(c.Refused) != 1 || c.Refused[0].Reason != "too large" {
		text, _ := json.Marshal(c)
		t.Errorf("heard %s", text)
	}
}
