package measure

import (
	"context"
	"errors"
	"fmt"

	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
)

// Ceilings is what a machine was measured to do at most, by kernels of weft that do nothing else.
type Ceilings struct {
	Bandwidth float64            // bytes a second: the faster of a copy and a sum of a vector that no cache holds
	Peaks     map[string]float64 // operations a second in each unit: the fastest of its probes
}

// ceilings measures the roofline of a device for arithmetic in units. What fails leaves its ceiling
// unknown and is among the errors.
func (d *Device) ceilings(ctx context.Context, units []string) (c Ceilings, err error) {
	c.Peaks = map[string]float64{}
	var errs []error
	for _, w := range probes(d.size, d.dev.Caps(), units) {
		t, err := d.Measure(ctx, w)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", d.dev, w.Name, err))
			continue
		}
		median := result.Result{Seconds: t.Seconds}.Median()
		if w.Flop > 0 {
			c.Peaks[w.Unit] = max(c.Peaks[w.Unit], w.Flop/median)
		} else {
			c.Bandwidth = max(c.Bandwidth, w.Bytes/median)
		}
	}
	return c, errors.Join(errs...)
}

// roofline measures the ceilings of each machine: the best of what its devices reach, whatever their backends.
func roofline(ctx context.Context, contenders []Contender, works func(suite.Size) []suite.Work) (map[string]Ceilings, error) {
	all := map[string]Ceilings{}
	var errs []error
	for _, c := range contenders {
		d, ok := c.(*Device)
		if !ok || d.choice == Tuned {
			continue // it is measured without tuning
		}
		got, err := d.ceilings(ctx, unitsOf(works(d.size)))
		errs = append(errs, err)
		key := c.Describe().Machine()
		best, ok := all[key]
		if !ok {
			best.Peaks = map[string]float64{}
		}
		best.Bandwidth = max(best.Bandwidth, got.Bandwidth)
		for unit, peak := range got.Peaks {
			best.Peaks[unit] = max(best.Peaks[unit], peak)
		}
		all[key] = best
	}
	return all, errors.Join(errs...)
}

// unitsOf lists the arithmetic that works need.
func unitsOf(works []suite.Work) (list []string) {
	seen := map[string]bool{"": true}
	for _, w := range works {
		if !seen[w.Unit] {
			seen[w.Unit] = true
			list = append(list, w.Unit)
		}
	}
	return list
}
