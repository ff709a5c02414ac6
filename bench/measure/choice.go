package measure

import (
	"context"
	"errors"
	"slices"

	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/tune"
)

// Choice says how a device chooses the configs of kernels.
type Choice uint8

const (
	// Known is what programs do: what was measured before, or else the rules' choice.
	Known Choice = iota
	// ByRule uses nothing that was measured.
	ByRule
	// Tuned races configs for each work before it is measured, where that was not done.
	Tuned
)

// Choosing is the device as a contender that chooses in a way. Trials are how many configs take part in a race of Tuned: see tune.Options.
func (d *Device) Choosing(c Choice, trials int) *Device {
	other := *d
	other.choice, other.trials = c, trials
	return &other
}

// tune races what a work launches, for its very sizes. A race that fails leaves the rule's choice.
func (d *Device) tune(ctx context.Context, w suite.Work) error {
	p, err := prepare(d.dev, w)
	defer p.close()
	if err != nil {
		return err
	}
	defer tune.Auto(ctx, tune.Options{Exact: true, Trials: d.trials})()
	return errors.Join(p.run(1), d.dev.Synchronize())
}

// BothChoices are the contenders for each device of a list: by rule, and tuned.
func BothChoices(devices []*Device, trials int) (list []Contender) {
	for _, d := range devices {
		list = append(list, d.Choosing(ByRule, 0), d.Choosing(Tuned, trials))
	}
	return slices.Clip(list)
}
