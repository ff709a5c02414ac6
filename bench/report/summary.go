package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"github.com/weftgpu/weft/bench/result"
)

// mostSlow is how many works are listed in which a device is slow.
const mostSlow = 10

// Summary prints how many times as fast as the fastest other library the devices are, for works drawn at random, since of those that somebody chose a mean says little: the geometric mean of each group of works, the
// ratio that nine tenths of them exceed, and the least; how many kernels were compiled for them, or came from the disk, and the mean time of first launches; then the works in which each device is the slowest, with what 'weft explain' says of
// them in short. It prints nothing without such works.
func Summary(out io.Writer, results []result.Result) error {
	ratios := result.Ratios(results)
	if len(ratios) == 0 {
		return nil
	}
	slices.SortStableFunc(ratios, func(a, b result.Ratio) int { return cmp.Compare(a.Times, b.Times) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "sampled\twho\tworks\tmean\t10%%\tleast\tkernels\tfirst launch\t\n")
	type of struct{ group, who string }
	times, first, kernels := map[of][]float64{}, map[of][]float64{}, map[of]int{}
	var groups []of
	for _, r := range ratios {
		k := of{group(r.Result), r.Who}
		if times[k] == nil {
			groups = append(groups, k)
		}
		times[k] = append(times[k], r.Times)
		first[k] = append(first[k], r.First)
		kernels[k] += r.Kernels
	}
	slices.SortFunc(groups, func(a, b of) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.who, b.who)) })
	for _, k := range groups {
		x := times[k]
		fmt.Fprintf(w, "%s\t%s\t%d\t%.2f\t%.2f\t%.2f\t%d\t%s\t\n", k.group, k.who, len(x), stat.GeometricMean(x, nil), stat.Quantile(0.1, stat.Empirical, x, nil), x[0],
			kernels[k], Span(stat.Mean(first[k], nil)))
	}
	w.Flush()
	for _, who := range result.Distinct(results, func(r result.Result) string { return r.Who }) {
		slow := slices.DeleteFunc(slices.Clone(ratios), func(r result.Ratio) bool { return r.Who != who })
		if len(slow) == 0 {
			continue
		}
		fmt.Fprintf(out, "\nslowest of %s\n", who)
		for _, r := range slow[:min(len(slow), mostSlow)] {
			explain(out, r)
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// mostChoices is how many choices of the compiler are printed of a launch.
const mostChoices = 4

// explain prints a work with its launches, or the configs alone of results that have no launches.
func explain(out io.Writer, r result.Ratio) {
	fmt.Fprintf(out, "%.2f  %s, %s\n", r.Times, r.Work, Span(r.Median()))
	if len(r.Launches) == 0 && r.Config != "" {
		fmt.Fprintf(out, "      %s\n", r.Config)
	}
	for i, l := range r.Launches {
		fmt.Fprintf(out, "      %d of %d, %s: %s\n", i+1, len(r.Launches), l.Kernel, l.Config)
		fmt.Fprintf(out, "        %d workgroups", l.Workgroups)
		if l.Waves > 0 {
			fmt.Fprintf(out, " in %.1f waves", l.Waves)
		}
		if l.Shared > 0 {
			fmt.Fprintf(out, ", %d bytes of shared memory each", l.Shared)
		}
		fmt.Fprintln(out)
		left := mostChoices
		for _, c := range l.Choices {
			if left > 0 && !strings.Contains(c, ": schedule: ") && !strings.Contains(c, ": distributed as ") {
				fmt.Fprintf(out, "        %s\n", c)
				left--
			}
		}
	}
}

// smallWork is below how many operations a launch is most of the time.
const smallWork = 1e9

// group is what a work is summarised with: its family, and the arithmetic if there is much of it.
func group(r result.Result) string {
	name := cmp.Or(r.Family, r.Op)
	if r.Flop == 0 {
		return name
	}
	name += " " + r.Unit
	if r.Flop < smallWork {
		name += ", less than 1 GFLOP"
	}
	return name
}
