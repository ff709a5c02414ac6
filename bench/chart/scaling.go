package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/weftgpu/weft/bench/result"
)

// scaling has a picture of each series.
func scaling(results []result.Result) (list []picture) {
	done := result.Where(results, func(r result.Result) bool { return r.OK() && r.Series != "" })
	for _, name := range result.Distinct(done, func(r result.Result) string { return r.Series }) {
		list = append(list, series(name, result.Where(done, func(r result.Result) bool { return r.Series == name })))
	}
	return list
}

// cores has a picture of each work that was done with several numbers of cores.
func cores(results []result.Result) (list []picture) {
	done := result.Where(results, func(r result.Result) bool { return r.OK() && r.Cores > 0 })
	for _, name := range result.Distinct(done, func(r result.Result) string { return r.Work }) {
		of := result.Where(done, func(r result.Result) bool { return r.Work == name })
		if slices.ContainsFunc(of, func(r result.Result) bool { return r.Cores != of[0].Cores }) {
			list = append(list, curves("cores", name, "cores", "milliseconds", of,
				func(r result.Result) float64 { return float64(r.Cores) }, func(r result.Result) float64 { return 1e3 * r.Median() }))
		}
	}
	return list
}

// series is the rate of each contender over the size: TFLOP/s of products, GB/s of what counts no operations.
func series(name string, results []result.Result) picture {
	rate, unit := result.Result.GBps, "GB/s"
	if results[0].Flop > 0 {
		largest := 0.0
		for _, r := range results {
			largest = max(largest, r.TFLOPps()*1e12)
		}
		var one float64
		one, unit = rateUnit(largest)
		rate = func(r result.Result) float64 { return r.TFLOPps() * 1e12 / one }
	}
	return curves("scaling", name, "size", unit, results, func(r result.Result) float64 { return r.X }, rate)
}

// curves is a line for each contender on logarithmic axes.
func curves(kind, name, xLabel, yLabel string, results []result.Result, x, y func(result.Result) float64) picture {
	p := newPlot(xLabel, yLabel)
	p.X.Scale, p.Y.Scale, p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogScale{}, plot.LogScale{}, powers{}, decades{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = light, light
	p.Add(grid)
	pic := picture{name: fileName(kind, name), title: name, plot: p, height: 4 * vg.Inch}
	for _, who := range contenders(results) {
		var at plotter.XYs
		for _, r := range results {
			if r.Who == who {
				at = append(at, plotter.XY{X: x(r), Y: y(r)})
			}
		}
		slices.SortFunc(at, func(a, b plotter.XY) int { return int(a.X - b.X) })
		pic.curve(who, at, 1.1*vg.Millimeter)
	}
	p.Y.Min, p.Y.Max = p.Y.Min/1.3, p.Y.Max*1.3
	p.X.Min, p.X.Max = p.X.Min/1.1, p.X.Max*1.1
	return pic
}

// curve adds the line of a contender, with dots of a radius.
func (pic *picture) curve(who string, at plotter.XYs, radius vg.Length) {
	pic.line(who, lookOf(who), at, radius)
}

// line adds a line with a name and a look of its own.
func (pic *picture) line(name string, look look, at plotter.XYs, radius vg.Length) {
	line, dots := &plotter.Line{XYs: at, LineStyle: draw.LineStyle{Color: look.color, Width: vg.Points(1.6)}}, &plotter.Scatter{XYs: at}
	dots.GlyphStyle = draw.GlyphStyle{Color: look.color, Radius: radius, Shape: look.glyph}
	pic.plot.Add(line, dots)
	pic.legend = append(pic.legend, entry{name, dots})
}
