package report

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"

	"github.com/weftgpu/weft/bench/result"
)

// Verdict is what two measurements of one work say.
type Verdict uint8

// The verdicts.
const (
	Same Verdict = iota // no difference that is above the noise
	Faster
	Slower
	Broken // it failed, and did not before
	Fixed  // it failed before
	Gone   // it was measured before only
	New    // it was not measured before
)

// String is how tables show the verdict.
func (v Verdict) String() string {
	return [...]string{"~", "faster", "slower", "BROKEN", "fixed", "gone", "new"}[v]
}

// Noise is the least relative difference of medians that counts. Samples of one run follow one another closely and
// are alike, so that a test alone finds differences between runs that mean nothing.
const Noise = 0.03

// Change is the verdict on one work by one contender.
type Change struct {
	Work, Who string
	Old, New  float64 // medians in seconds, NaN where there are none
	P         float64 // that the samples are of one distribution: Mann-Whitney's test; NaN where there are not two
	Verdict
}

// Compare compares results with older ones of the same work by the same contender. A difference counts if the
// medians differ by more than Noise and Mann-Whitney's U test calls it significant at 0.05.
func Compare(old, now []result.Result) (list []Change) {
	type key struct{ work, who string }
	before, met := map[key]result.Result{}, map[key]bool{}
	for _, r := range old {
		before[key{r.Work, r.Who}] = r
	}
	for _, r := range now {
		k := key{r.Work, r.Who}
		met[k] = true
		o, ok := before[k]
		c := Change{Work: r.Work, Who: r.Who, Old: o.Median(), New: r.Median(), P: math.NaN()}
		switch {
		case !ok:
			c.Verdict = New
		case !r.OK() && o.OK():
			c.Verdict = Broken
		case r.OK() && !o.OK():
			c.Verdict = Fixed
		case r.OK():
			c.P, c.Verdict = judge(o, r)
		}
		list = append(list, c)
	}
	for _, r := range old {
		if !met[key{r.Work, r.Who}] {
			list = append(list, Change{Work: r.Work, Who: r.Who, Old: r.Median(), New: math.NaN(), P: math.NaN(), Verdict: Gone})
		}
	}
	return list
}

func judge(old, now result.Result) (p float64, v Verdict) {
	a, b := benchmath.NewSample(old.Seconds, &benchmath.DefaultThresholds), benchmath.NewSample(now.Seconds, &benchmath.DefaultThresholds)
	c := benchmath.AssumeNothing.Compare(a, b)
	change := now.Median()/old.Median() - 1
	switch {
	case c.P >= c.Alpha || math.Abs(change) <= Noise:
		return c.P, Same
	case change < 0:
		return c.P, Faster
	}
	return c.P, Slower
}

// WriteChanges prints changes, and at the end how many of each verdict there are with the geometric mean of how
// many times as fast it is now, over all that was measured twice.
func WriteChanges(out io.Writer, changes []Change) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "work\twho\told\tnew\tchange\tp\tverdict\t")
	counts, logs, both := map[Verdict]int{}, 0.0, 0
	for _, c := range changes {
		counts[c.Verdict]++
		change, p := "-", "-"
		if !math.IsNaN(c.P) {
			change, p = fmt.Sprintf("%+.1f%%", 100*(c.New/c.Old-1)), fmt.Sprintf("%.3f", c.P)
			logs += math.Log(c.Old / c.New)
			both++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%v\t\n", c.Work, c.Who, Span(c.Old), Span(c.New), change, p, c.Verdict)
	}
	w.Flush()
	for v := Same; v <= New; v++ {
		if counts[v] > 0 {
			fmt.Fprintf(out, "%d %s, ", counts[v], map[bool]string{true: "unchanged", false: v.String()}[v == Same])
		}
	}
	if both == 0 {
		_, err := fmt.Fprintln(out, "nothing measured twice")
		return err
	}
	_, err := fmt.Fprintf(out, "%.3f times as fast in the geometric mean\n", math.Exp(logs/float64(both)))
	return err
}
