package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
)

// job is one line of the table, and what one launch of it does.
type job struct {
	op, size string
	elem     weft.DType
	bytes    float64 // read or written once each; 0 if operations count
	flops    float64
	// prepare allocates on a device, fills the inputs and says how to start the op once.
	prepare func(*weft.Device, *tensors) (launch func() error, check checker)
}

// checker compares a result with gonum.
type checker func() (reference.Worst, error)

// legend explains the columns.
const legend = `
error  difference from gonum in float64, at the element that comes closest to its bound
bound  the most that rounding may cause there, given the type and the length of the sums
time   median by the device's clock; data on the device, kernel compiled
rate   GB/s: each byte read or written counted once; GFLOP/s: 2·M·N·K operations
`

// table runs the jobs and prints a line for each. Its error says that a result is wrong.
func table(w io.Writer, dev *weft.Device, jobs []job) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "op     \tsize\ttype\terror\tbound\ttime\trate\t\t")
	var wrong error
	for _, j := range jobs {
		worst, took, err := measure(dev, j)
		if err != nil {
			return fmt.Errorf("%s: %w", j.op, err)
		}
		verdict := "ok"
		if !worst.OK() {
			verdict = "WRONG"
			wrong = errors.Join(wrong, fmt.Errorf("%s of %v: %v", j.op, j.elem, worst))
		}
		fmt.Fprintf(tw, "%-7s\t%s\t%v\t%.1e\t%.1e\t%s\t%s\t%s\t\n", j.op, j.size, j.elem, worst.Err, worst.Bound, duration(took), j.rate(took), verdict)
	}
	tw.Flush()
	return wrong
}

// measure runs a job once, checks it, and times it.
func measure(dev *weft.Device, j job) (worst reference.Worst, took time.Duration, err error) {
	var t tensors
	defer t.close()
	launch, check := j.prepare(dev, &t)
	if t.err != nil {
		return worst, 0, t.err
	}
	if err := launch(); err != nil {
		return worst, 0, err
	}
	if worst, err = check(); err != nil {
		return worst, 0, err
	}
	took, err = median(dev, launch)
	return worst, took, err
}

// median times launches: at least 3 samples and about half a second of them, each
// of as many launches as take 2 ms, so that a clock with coarse ticks will do.
func median(dev *weft.Device, launch func() error) (time.Duration, error) {
	sample := func(n int) (time.Duration, error) {
		return dev.Time(func() error {
			for range n {
				if err := launch(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	once, err := sample(1)
	if err != nil {
		return 0, err
	}
	inner := int(min(max(2*time.Millisecond/max(once, time.Microsecond), 1), 100))
	var samples []time.Duration
	for start := time.Now(); len(samples) < 3 || len(samples) < 25 && time.Since(start) < 500*time.Millisecond; {
		d, err := sample(inner)
		if err != nil {
			return 0, err
		}
		samples = append(samples, d/time.Duration(inner))
	}
	slices.Sort(samples)
	return samples[len(samples)/2], nil
}

func (j job) rate(d time.Duration) string {
	switch s := d.Seconds(); {
	case s <= 0:
		return "-"
	case j.bytes > 0:
		return significant(j.bytes/s/1e9) + " GB/s"
	default:
		return significant(j.flops/s/1e9) + " GFLOP/s"
	}
}

// duration prints three digits in a fitting unit.
func duration(d time.Duration) string {
	switch us := float64(d) / 1e3; {
	case us < 1000:
		return significant(us) + " µs"
	case us < 1e6:
		return significant(us/1e3) + " ms"
	default:
		return significant(us/1e6) + " s"
	}
}

// significant prints at least three digits and no exponent.
func significant(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
