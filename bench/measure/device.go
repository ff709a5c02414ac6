package measure

import (
	"context"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/tune"
)

// Device is a device of weft as a contender.
type Device struct {
	dev  *weft.Device
	size suite.Size
	Options
	choice Choice
	trials int // of races
}

// NewDevice measures on an open device, which stays the caller's. The size is that of its works.
func NewDevice(dev *weft.Device, size suite.Size, o Options) *Device {
	return &Device{dev: dev, size: size, Options: o}
}

// SizeFor is what fills a device of a kind.
func SizeFor(kind backend.Kind) suite.Size {
	if kind == backend.GPU {
		return suite.Full
	}
	return suite.Small
}

// Describe names the device.
func (d *Device) Describe() result.Result {
	info := d.dev.Info()
	r := result.Result{Who: info.Spec(), Device: info.Name, Driver: info.Driver, Kind: info.Kind.String()}
	if d.choice == Tuned {
		r.Who += result.TunedSuffix
	}
	return r
}

// Size is that of its works.
func (d *Device) Size() suite.Size { return d.size }

// Measure checks a work and times it.
func (d *Device) Measure(ctx context.Context, w suite.Work) (t Timing, err error) {
	switch d.choice {
	case ByRule:
		defer tune.Off()()
	case Tuned:
		if err := d.tune(ctx, w); err != nil {
			return t, err
		}
	}
	t, err = d.measure(ctx, w)
	if d.choice == Tuned { // the races loaded the kernels
		t.First, t.Kernels = 0, 0
	}
	return t, err
}

// measure is Measure with the choices that are in force.
func (d *Device) measure(ctx context.Context, w suite.Work) (t Timing, err error) {
	p, err := prepare(d.dev, w)
	defer p.close()
	if err != nil {
		return t, err
	}
	first, count, err := p.first()
	if err != nil {
		return t, err
	}
	if err := p.verify(); err != nil {
		return t, err
	}
	if err := p.copies(d.CopiesOf(w.Bytes, d.dev.Info().Kind == backend.GPU)); err != nil {
		return t, err
	}
	t, err = Sample(ctx, len(p.sets), d.warmUp(), d.Budget, func(n int) (time.Duration, error) { return d.dev.Time(func() error { return p.run(n) }) })
	t.Copies, t.First, t.Kernels = len(p.sets), first.Seconds(), count
	t.Config, t.Launches = explained(d.dev.Caps(), w)
	return t, err
}

// warmUp is how long the device works before it is timed. A GPU that was idle, while the host checked results or drew
// numbers, runs at a fifth of its clock and needs a few tenths of a second to rise from that.
func (d *Device) warmUp() time.Duration {
	switch {
	case d.dev.Info().Kind != backend.GPU:
		return 0
	case d.ClockHeld:
		return 50 * time.Millisecond
	}
	return 700 * time.Millisecond
}

// prepared is a work on a device, ready to be run.
type prepared struct {
	suite.Work
	dev  *weft.Device
	sets []operands // copies of the operands
	next int
}

type operands struct {
	in      []*weft.Tensor
	out     *weft.Tensor
	release func() error // of what was prepared, or nil
}

// prepare does what the work does once with its operands.
func (o *operands) prepare(w suite.Work) (err error) {
	if w.Prepare != nil {
		o.release, err = w.Prepare(o.in)
	}
	return err
}

// prepare makes the operands. The caller closes what it returns, even with an error.
func prepare(dev *weft.Device, w suite.Work) (*prepared, error) {
	p := &prepared{Work: w, dev: dev, sets: make([]operands, 1)}
	first := &p.sets[0]
	for i, o := range w.Inputs {
		t, err := o.Tensor(dev, uint64(i))
		if err != nil {
			return p, err
		}
		first.in = append(first.in, t)
	}
	var err error
	if first.out, err = weft.Empty(dev, w.Output.Elem, w.Output.Shape...); err != nil {
		return p, err
	}
	return p, first.prepare(w)
}

// first runs the work once on a poisoned output, and returns how long that took and how many kernels it loaded.
func (p *prepared) first() (took time.Duration, kernels int, err error) {
	if err := p.Output.Poison(p.sets[0].out); err != nil {
		return 0, 0, err
	}
	if err := p.dev.Synchronize(); err != nil {
		return 0, 0, err
	}
	start, before := time.Now(), loaded.Load()
	if err := p.run(1); err != nil {
		return 0, 0, err
	}
	err = p.dev.Synchronize()
	return time.Since(start), int(loaded.Load() - before), err
}

// verify checks the result.
func (p *prepared) verify() error {
	got, err := p.Read(p.sets[0].out)
	if err != nil {
		return err
	}
	return p.Check(got)
}

// copies makes the operands that often.
func (p *prepared) copies(n int) error {
	for len(p.sets) < n {
		p.sets = append(p.sets, operands{})
		last := &p.sets[len(p.sets)-1]
		for _, t := range p.sets[0].in {
			c, err := weft.Empty(p.dev, t.DType(), t.Shape()...)
			if err != nil {
				return err
			}
			last.in = append(last.in, c)
			if err := c.CopyFrom(t); err != nil {
				return err
			}
		}
		var err error
		if last.out, err = weft.Empty(p.dev, p.Output.Elem, p.Output.Shape...); err != nil {
			return err
		}
		if err := last.prepare(p.Work); err != nil {
			return err
		}
	}
	return nil
}

// run launches the work n times, with one copy after another.
func (p *prepared) run(n int) error {
	for range n {
		o := p.sets[p.next%len(p.sets)]
		p.next++
		if err := p.Run(o.out, o.in); err != nil {
			return err
		}
	}
	return nil
}

func (p *prepared) close() {
	for _, o := range p.sets {
		if o.release != nil {
			o.release()
		}
		for _, t := range append(o.in, o.out) {
			if t != nil {
				t.Close()
			}
		}
	}
}
