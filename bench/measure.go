package main

import (
	"slices"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
)

// prepared is work on a device, ready to be run again.
type prepared struct {
	work
	in  []*weft.Tensor
	out *weft.Tensor
}

// prepare makes the inputs, runs the work once and checks its output. The caller
// closes what it returns, even beside an error.
func prepare(dev *weft.Device, w work) (p prepared, err error) {
	p = prepared{work: w, in: make([]*weft.Tensor, len(w.inputs))}
	host := make([]values, len(w.inputs))
	for i, o := range w.inputs {
		if p.in[i], host[i], err = o.tensor(dev, uint64(i)); err != nil {
			return p, err
		}
	}
	if p.out, err = weft.Empty(dev, w.output.elem, w.output.shape...); err != nil {
		return p, err
	}
	if err := p.again(); err != nil {
		return p, err
	}
	got, err := read(p.out)
	if err != nil {
		return p, err
	}
	return p, w.check(got, host)
}

func (p prepared) again() error { return p.run(p.out, p.in) }

func (p prepared) close() {
	for _, t := range append(p.in, p.out) {
		t.Close()
	}
}

// warmUp is how long a GPU works before it is timed. One that was idle, while the host checked results or drew
// numbers, runs at a fifth of its clock and needs a few tenths of a second to rise from that. CUDA keeps the
// clock up as long as a context exists, Vulkan and WebGPU do not.
const warmUp = 700 * time.Millisecond

// measure times a piece of work, once the device is warm: batches of launches between two timestamps, as
// many as fill a millisecond or so, 21 times or until two seconds are spent. It
// returns the sorted seconds of one launch.
func measure(dev *weft.Device, w work) ([]float64, error) {
	p, err := prepare(dev, w)
	defer p.close()
	if err != nil {
		return nil, err
	}
	once, err := dev.Time(p.again)
	for start := time.Now(); err == nil && dev.Info().Kind == backend.GPU && time.Since(start) < warmUp; {
		once, err = dev.Time(p.again)
	}
	if err != nil {
		return nil, err
	}
	n := int(min(max(1, 2*time.Millisecond/max(once, time.Microsecond)), 50))
	var times []float64
	for start := time.Now(); len(times) < 21 && (len(times) < 3 || time.Since(start) < 2*time.Second); {
		t, err := dev.Time(func() error {
			for range n {
				if err := p.again(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		times = append(times, t.Seconds()/float64(n))
	}
	slices.Sort(times)
	return times, nil
}
