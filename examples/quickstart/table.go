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

// job is one line of the table.
type job interface {
	// prepare allocates on a device and fills the inputs.
	prepare(dev *weft.Device) error
	// launch starts the op once.
	launch() error
	// check compares the result with gonum.
	check() (reference.Worst, error)
	// work describes the job and counts what it does.
	work() work
	close()
}

// work is what one launch does.
type work struct {
	op, size string
	elem     weft.DType
	bytes    float64 // read or written once each; 0 if operations count
	flops    float64
}

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
			return fmt.Errorf("%s: %w", j.work().op, err)
		}
		k, verdict := j.work(), "ok"
		if !worst.OK() {
			verdict = "WRONG"
			wrong = errors.Join(wrong, fmt.Errorf("%s of %v: %v", k.op, k.elem, worst))
		}
		fmt.Fprintf(tw, "%-7s\t%s\t%v\t%.1e\t%.1e\t%s\t%s\t%s\t\n", k.op, k.size, k.elem, worst.Err, worst.Bound, duration(took), k.rate(took), verdict)
	}
	tw.Flush()
	return wrong
}

// measure runs a job once, checks it, and times it.
func measure(dev *weft.Device, j job) (worst reference.Worst, took time.Duration, err error) {
	defer j.close()
	if err = j.prepare(dev); err != nil {
		return
	}
	if err = j.launch(); err != nil {
		return
	}
	if worst, err = j.check(); err != nil {
		return
	}
	took, err = median(dev, j.launch)
	return
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

func (k work) rate(d time.Duration) string {
	switch s := d.Seconds(); {
	case s <= 0:
		return "-"
	case k.bytes > 0:
		return significant(k.bytes/s/1e9) + " GB/s"
	default:
		return significant(k.flops/s/1e9) + " GFLOP/s"
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
