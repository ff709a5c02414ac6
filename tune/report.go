package tune

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/weftgpu/weft/fault"
)

// Distribution says how much slower choices without tuning are than tuned ones, over the
// entries of a table: 1.1 is a choice that takes 1.1 times as long.
type Distribution struct {
	Op     string // all ops if empty
	Rule   Ratios // of the rules' choices, which are what Pick gives where there is a rule
	Model  Ratios // of the model's
	Failed int    // entries whose rule's choice was dropped
}

// Ratios are times of choices over those of the fastest config, in rising order.
type Ratios []float64

// quantile is the ratio below which a part q of all is, from 0 to 1; 0 if there are none.
func (r Ratios) quantile(q float64) float64 {
	if len(r) == 0 {
		return 0
	}
	return r[min(int(q*float64(len(r))), len(r)-1)]
}

// within is the part of the ratios that are at most x.
func (r Ratios) within(x float64) float64 {
	if len(r) == 0 {
		return 0
	}
	at, _ := slices.BinarySearchFunc(r, x, func(a, b float64) int {
		if a <= b {
			return -1
		}
		return 1
	})
	return float64(at) / float64(len(r))
}

// Report finds the distributions over the entries of a table: one of each op, in the order of the entries,
// and one of all after them. Entries of interrupted races do not count.
func Report(entries []Entry) []Distribution {
	all := &Distribution{}
	byOp := map[string]*Distribution{}
	var list []*Distribution
	for _, e := range entries {
		if e.Partial || e.Best() == 0 {
			continue
		}
		d := byOp[e.Op]
		if d == nil {
			d = &Distribution{Op: e.Op}
			byOp[e.Op] = d
			list = append(list, d)
		}
		for _, d := range []*Distribution{d, all} {
			d.add(e)
		}
	}
	list = append(list, all)
	result := make([]Distribution, len(list))
	for i, d := range list {
		slices.Sort(d.Rule)
		slices.Sort(d.Model)
		result[i] = *d
	}
	return result
}

func (d *Distribution) add(e Entry) {
	best := e.Best()
	for _, t := range e.Timings {
		if t.Dropped == "" && t.Median < best {
			best = t.Median
		}
	}
	for _, t := range e.Timings {
		switch {
		case t.Rule && (t.Dropped != "" || t.Median == 0):
			d.Failed++
		case t.Rule:
			d.Rule = append(d.Rule, float64(t.Median)/float64(best))
		}
		if t.Model && t.Dropped == "" && t.Median > 0 {
			d.Model = append(d.Model, float64(t.Median)/float64(best))
		}
	}
}

// WriteReport prints distributions as a table for people.
func WriteReport(w io.Writer, list []Distribution) error {
	if w == nil {
		return fault.New(fault.ErrArgument, "tune: report", "the writer is nil").For("w")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "op\tchoice by\tproblems\tmedian\t90%\tworst\twithin 10%\t")
	for _, d := range list {
		name := d.Op
		if name == "" {
			name = "all"
		}
		for _, c := range []struct {
			by string
			r  Ratios
		}{{"rule", d.Rule}, {"model", d.Model}} {
			if len(c.r) > 0 {
				fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\t%.2f\t%.2f\t%.0f%%\t\n", name, c.by, len(c.r),
					c.r.quantile(0.5), c.r.quantile(0.9), c.r.quantile(1), 100*c.r.within(1.1))
			}
		}
	}
	return t.Flush()
}
