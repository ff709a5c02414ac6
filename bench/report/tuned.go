package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"github.com/weftgpu/weft/bench/result"
)

// Tuning prints how many times as long works take by the rules' choices as with tuned configs: for each family of works, and for all, the
// median, the ratio that a tenth of the works exceed, the largest, and for how many works both choose the same, whose ratios tell how far the times of one
// config are apart; then the works that are furthest from tuned, with both choices. It prints
// nothing where no device did works in both ways.
func Tuning(out io.Writer, results []result.Result) error {
	list := result.Tunings(results)
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b result.Tuned) int { return cmp.Compare(b.Times(), a.Times()) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "by rule over tuned\twho\tworks\tmedian\t90%%\tlargest\tsame config\t\n")
	devices := result.Distinct(results, func(r result.Result) string { return r.Who })
	for _, who := range devices {
		mine := slices.DeleteFunc(slices.Clone(list), func(t result.Tuned) bool { return t.Rule.Who != who })
		byFamily, same := map[string][]float64{}, map[string]int{}
		for _, t := range mine {
			for _, name := range []string{cmp.Or(t.Rule.Family, t.Rule.Op), allWorks} {
				byFamily[name] = append(byFamily[name], t.Times())
				if t.Rule.Config == t.Tuned.Config {
					same[name]++
				}
			}
		}
		for _, name := range familyNames(byFamily) {
			x := slices.Sorted(slices.Values(byFamily[name]))
			fmt.Fprintf(w, "%s\t%s\t%d\t%.2f\t%.2f\t%.2f\t%d\t\n", name, who, len(x),
				stat.Quantile(0.5, stat.Empirical, x, nil), stat.Quantile(0.9, stat.Empirical, x, nil), x[len(x)-1], same[name])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, who := range devices {
		left := mostSlow
		for _, t := range list {
			if t.Rule.Who != who || left == 0 {
				continue
			}
			if left == mostSlow {
				fmt.Fprintf(out, "\nfurthest from tuned of %s\n", who)
			}
			left--
			fmt.Fprintf(out, "%.2f  %s, %s, tuned %s\n", t.Times(), t.Rule.Work, Span(t.Rule.Median()), Span(t.Tuned.Median()))
			fmt.Fprintf(out, "      by rule: %s\n      tuned:   %s\n", t.Rule.Config, t.Tuned.Config)
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// allWorks is the last line of the table.
const allWorks = "all"

// familyNames are the families in order, and all after them.
func familyNames(of map[string][]float64) (names []string) {
	for name := range of {
		if name != allWorks {
			names = append(names, name)
		}
	}
	if slices.Sort(names); len(of) > 0 {
		names = append(names, allWorks)
	}
	return names
}
