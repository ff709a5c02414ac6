package chart

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/weftgpu/weft/bench/report"
	"github.com/weftgpu/weft/bench/result"
)

// bar is one bar of a row.
type bar struct {
	who   string
	value float64
	note  string // after its end
}

// row is a group of bars, one below the other.
type row struct {
	label string
	bars  []bar
}

// Heights of what bars are made of.
const (
	barHeight = 2.8 * vg.Millimeter
	rowGap    = 1.8 * vg.Millimeter
	noteGap   = 0.8 * vg.Millimeter // between a bar and its note
)

// rows draws rows from the top down. It is a plot.Plotter in which y counts bars and gaps.
type rows struct {
	list []row
	base float64 // where bars begin
}

// gap is that between rows in units of bars.
const gap = float64(rowGap / barHeight)

// height is that of all rows in bars.
func (r rows) height() float64 {
	h := gap
	for _, row := range r.list {
		h += float64(len(row.bars)) + gap
	}
	return h
}

// Plot draws the bars.
func (r rows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := r.height() - gap
	for _, row := range r.list {
		for _, b := range row.bars {
			left, right := min(r.base, b.value), max(r.base, b.value)
			top, bottom := y(at-0.06), y(at-0.94)
			c.FillPolygon(lookOf(b.who).color, []vg.Point{{X: x(left), Y: bottom}, {X: x(right), Y: bottom}, {X: x(right), Y: top}, {X: x(left), Y: top}})
			style, away := label(p, color.Gray{60}), noteGap
			if b.value < r.base {
				style.XAlign, away = draw.XRight, -noteGap
			}
			c.FillText(style, vg.Point{X: x(b.value) + away, Y: (top + bottom) / 2}, b.note)
			at--
		}
		at -= gap
	}
}

// DataRange is that of the bars.
func (r rows) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = r.base, r.base
	for _, row := range r.list {
		for _, b := range row.bars {
			xmin, xmax = min(xmin, b.value), max(xmax, b.value)
		}
	}
	return xmin, xmax, 0, r.height()
}

// Ticks are the rows' labels, in their middle.
func (r rows) Ticks(_, _ float64) (list []plot.Tick) {
	at := r.height() - gap
	for _, row := range r.list {
		n := float64(len(row.bars))
		list = append(list, plot.Tick{Value: at - n/2, Label: row.label})
		at -= n + gap
	}
	return list
}

// picture makes the plot of rows, with a legend of those that are in it.
func (r rows) picture(name, title, x string) picture {
	p := newPlot(x, "")
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = light, nil
	p.Add(grid, r)
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = r, 0, 0
	p.Y.Min, p.Y.Max = 0, r.height()
	var all []string
	for _, row := range r.list {
		for _, b := range row.bars {
			if !slices.Contains(all, b.who) {
				all = append(all, b.who)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return place(a) - place(b) })
	pic := picture{name: name, title: title, plot: p, height: vg.Length(r.height())*barHeight + 14*vg.Millimeter}
	for _, who := range all {
		pic.legend = append(pic.legend, entry{who, swatch{lookOf(who).color}})
	}
	return pic
}

// swatch is a legend's picture of a colour.
type swatch struct{ color color.Color }

// Thumbnail fills it.
func (s swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.color, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}

// family is that of a work's op, or the op where that is not known.
func family(r result.Result) string {
	if r.Family == "" {
		return r.Op
	}
	return r.Family
}

// kind is the row of the overviews that a work belongs to: its family, and the arithmetic if there is much of it.
func kind(r result.Result) string {
	if r.Unit == "" {
		return family(r)
	}
	return family(r) + " " + r.Unit
}

// byFamily are the results with times, those of each family of their own.
func byFamily(results []result.Result) (list [][]result.Result) {
	done := result.Where(results, result.Result.OK)
	for _, f := range result.Distinct(done, family) {
		list = append(list, result.Where(done, func(r result.Result) bool { return family(r) == f }))
	}
	return list
}

// kinds lists them, those of one family together.
func kinds(results []result.Result) (list []string) {
	for _, f := range byFamily(results) {
		list = append(list, result.Distinct(f, kind)...)
	}
	return list
}

// means makes a row for each kind of work, with a bar for each contender: the geometric mean of value, where it is above 0.
// It is over the works that all contenders of a row have done, or it would compare different things; one that has done
// less than half of what another has is left out of the row.
func means(results []result.Result, value func(result.Result) float64, note func(float64) string) (list []row) {
	for _, k := range kinds(results) {
		values := map[string]map[string]float64{} // by contender and work
		most := 0
		for _, r := range results {
			if v := value(r); r.OK() && kind(r) == k && v > 0 {
				if values[r.Who] == nil {
					values[r.Who] = map[string]float64{}
				}
				values[r.Who][r.Work] = v
				most = max(most, len(values[r.Who]))
			}
		}
		for who, works := range values {
			if 2*len(works) < most {
				delete(values, who)
			}
		}
		line := row{label: k}
		for _, who := range contenders(results) {
			if mean := geometricMean(values[who], values); mean > 0 {
				line.bars = append(line.bars, bar{who, mean, note(mean)})
			}
		}
		if len(line.bars) > 0 {
			list = append(list, line)
		}
	}
	return list
}

// geometricMean is over the works that all have, 0 for none.
func geometricMean(works map[string]float64, all map[string]map[string]float64) float64 {
	logs, n := 0.0, 0.0
	for work, v := range works {
		common := true
		for _, others := range all {
			common = common && others[work] > 0
		}
		if common {
			logs += math.Log(v)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(logs / n)
}

// fit widens the axis of a plot of rows until the notes are inside of it, whatever font they are drawn in.
func (r rows) fit(p *plot.Plot) {
	scale, back := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if _, ok := p.X.Scale.(plot.LogScale); ok {
		scale, back = math.Log, math.Exp
	}
	style := label(p, color.Black)
	for range 4 { // the width for the axis depends on its ticks a little
		width := p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: Width - 2*margin, Y: vg.Inch}}}).Size().X
		for _, row := range r.list {
			for _, b := range row.bars {
				lo, hi, at := scale(p.X.Min), scale(p.X.Max), scale(b.value)
				room := float64(width / max(width/4, width-style.Width(b.note)-2*noteGap))
				if b.value < r.base {
					p.X.Min = back(min(lo, hi-(hi-at)*room))
				} else {
					p.X.Max = back(max(hi, lo+(at-lo)*room))
				}
			}
		}
	}
}

// overview is the share of the roofline, op by op.
func overview(results []result.Result) []picture {
	list := means(results, func(r result.Result) float64 { return 100 * r.Attained() }, func(v float64) string { return report.Number(v) + "%" })
	if len(list) == 0 {
		return nil
	}
	r := rows{list: list}
	p := r.picture("ops", "Share of the measured roofline", "% of the roofline, geometric mean over the sizes measured")
	p.plot.X.Min, p.plot.X.Max, p.plot.X.Tick.Marker = 0, 100, percents
	r.fit(p.plot)
	return []picture{p}
}

// ratio is how many times as fast as the fastest other library each device is.
func ratio(results []result.Result) []picture {
	best := result.Fastest(result.Where(results, func(r result.Result) bool { return !r.IsDevice() }))
	devices := result.Where(results, func(r result.Result) bool { return r.OK() && r.IsDevice() })
	list := means(devices, func(r result.Result) float64 { return best[r.Work] / r.Median() }, func(v float64) string { return report.Number(v) + "×" })
	if len(list) == 0 {
		return nil
	}
	r := rows{list: list, base: 1}
	p := r.picture("ratio", "Speed compared with the fastest other library", "times as fast, geometric mean over the sizes measured")
	lo, hi, _, _ := r.DataRange()
	p.plot.X.Scale, p.plot.X.Tick.Marker = plot.LogScale{}, decades{}
	p.plot.X.Min, p.plot.X.Max = min(lo, 0.5), max(hi, 2)
	r.fit(p.plot)
	return []picture{p}
}

// familyBars are the rates of each work, a picture for each family of ops.
func familyBars(results []result.Result) (list []picture) {
	for _, f := range byFamily(results) {
		list = append(list, barsOf(family(f[0]), f))
	}
	return list
}

// barsOf is one family. Works differ in what limits them, so that the axis is the share of the roofline where that is
// known, with the rates as notes, or else the speed compared with the fastest.
func barsOf(name string, results []result.Result) picture {
	fastest := result.Fastest(results)
	known := !slices.ContainsFunc(results, func(r result.Result) bool { return r.Bandwidth <= 0 })
	axis, value := "% of the roofline", func(r result.Result) float64 { return 100 * r.Attained() }
	if !known {
		axis, value = "% of the speed of the fastest", func(r result.Result) float64 { return 100 * fastest[r.Work] / r.Median() }
	}
	var list []row
	for _, who := range contenders(results) {
		for _, r := range results {
			if r.Who != who {
				continue
			}
			work := strings.TrimPrefix(r.Work, name+" ")
			at := slices.IndexFunc(list, func(row row) bool { return row.label == work })
			if at < 0 {
				at = len(list)
				list = append(list, row{label: work})
			}
			list[at].bars = append(list[at].bars, bar{who, value(r), report.Rate(r) + ", " + report.Span(r.Median())})
		}
	}
	r := rows{list: list}
	p := r.picture(fileName("bars", name), name, axis)
	p.plot.X.Min, p.plot.X.Max, p.plot.X.Tick.Marker = 0, 100, percents
	r.fit(p.plot)
	return p
}

// percents are the ticks of shares.
var percents = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 25, Label: "25"}, {Value: 50, Label: "50"}, {Value: 75, Label: "75"}, {Value: 100, Label: "100"}}
