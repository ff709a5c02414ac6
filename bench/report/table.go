package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weftgpu/weft/bench/result"
)

// Table prints results in groups of one op, each line with the median and the half width of the quartiles around it,
// the rate that it means, the share of the machine's roofline, and the time of the fastest contender at the same
// work over its own: 1.00 is the fastest.
func Table(out io.Writer, results []result.Result) error {
	best := result.Fastest(results)
	for _, op := range result.Distinct(results, func(r result.Result) string { return r.Op }) {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "%s\twho\ttime\t±\trate\troofline\tto best\t\n", op)
		last := ""
		for _, r := range results {
			if r.Op != op {
				continue
			}
			label := strings.TrimPrefix(r.Work, op+" ")
			if r.Work == last {
				label = ""
			}
			last = r.Work
			if !r.OK() {
				fmt.Fprintf(w, "%s\t%s\t-\t-\t-\t-\t-\tfailed: %s\n", label, r.Who, firstLine(r.Error))
				continue
			}
			lower, upper := r.Quartiles()
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t\n", label, r.Who, Span(r.Median()),
				percent((upper-lower)/2/r.Median()), Rate(r), percent(r.Attained()), best[r.Work]/r.Median())
		}
		w.Flush()
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return nil
}

// Span prints seconds with three or four digits, - for none.
func Span(seconds float64) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	return time.Duration(seconds * 1e9).Round(unit(seconds)).String()
}

func unit(seconds float64) time.Duration {
	for u := time.Second; u > 10; u /= 10 {
		if seconds*1e9 >= float64(u) {
			return u / 1000
		}
	}
	return 1
}

// Rate is what limits the work by its roofline: bytes, or operations where they limit it or where the roofline
// is not known.
func Rate(r result.Result) string {
	_, memory := r.Ideal()
	if r.Bandwidth == 0 {
		memory = r.Flop == 0
	}
	if memory {
		return Number(r.GBps()) + " GB/s"
	}
	operations := "FLOP/s"
	if r.Unit == "i8" {
		operations = "OP/s" // of integers
	}
	if rate := r.TFLOPps(); rate >= 1 {
		return Number(rate) + " T" + operations
	}
	return Number(1e3*r.TFLOPps()) + " G" + operations
}

// Number prints three significant digits.
func Number(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func percent(x float64) string {
	if x == 0 {
		return "-"
	}
	if x < 0.0995 {
		return fmt.Sprintf("%.1f%%", 100*x)
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
