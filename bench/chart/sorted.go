package chart

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/weftgpu/weft/bench/result"
)

// leastSorted is the least number of ratios that make a curve.
const leastSorted = 8

// sortedRatios is, for each family, how many times as fast as the fastest other library each device is at its works, in ascending order.
func sortedRatios(results []result.Result) (list []picture) {
	for _, f := range byFamily(results) {
		ratios := result.Ratios(f)
		pic := newSorted(fileName("sorted", family(f[0])), family(f[0])+": speed compared with the fastest other library, sorted")
		for _, who := range contenders(f) {
			pic.sorted(who, lookOf(who), timesOf(ratios, who))
		}
		list = append(list, pic.drawn(1)...)
	}
	return list
}

// sortedFamilies is the same for each device, with a curve for each family.
func sortedFamilies(results []result.Result) (list []picture) {
	for _, who := range contenders(results) {
		pic := newSorted(fileName("families", who), who+": speed compared with the fastest other library, sorted")
		for _, f := range byFamily(results) {
			times := timesOf(result.Ratios(f), who)
			pic.sorted(fmt.Sprintf("%s (%d)", family(f[0]), len(times)), looks[len(pic.legend)%len(looks)], times)
		}
		list = append(list, pic.drawn(2)...)
	}
	return list
}

// newSorted is a picture of ratios in ascending order.
func newSorted(name, title string) picture {
	p := newPlot("% of the works", "times as fast as the fastest other library")
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = light, light
	even := plotter.NewFunction(func(float64) float64 { return 1 })
	even.Color = grey
	p.Add(grid, even)
	return picture{name: name, title: title, plot: p, height: 4 * vg.Inch}
}

// sorted adds the curve of some ratios, unless they are too few.
func (pic *picture) sorted(label string, l look, times []float64) {
	if len(times) < leastSorted {
		return
	}
	at := make(plotter.XYs, len(times))
	for i, x := range times {
		at[i] = plotter.XY{X: 100 * (float64(i) + 0.5) / float64(len(times)), Y: x}
	}
	pic.line(label, l, at, 0.8*vg.Millimeter)
}

// drawn is the picture, if it has so many curves at least.
func (pic picture) drawn(least int) []picture {
	if len(pic.legend) < least {
		return nil
	}
	p := pic.plot
	p.X.Min, p.X.Max = 0, 100
	p.Y.Min, p.Y.Max = min(p.Y.Min, 0.5), max(p.Y.Max, 2)
	return []picture{pic}
}

// timesOf are the ratios of a device in ascending order.
func timesOf(ratios []result.Ratio, who string) (times []float64) {
	for _, r := range ratios {
		if r.Who == who {
			times = append(times, r.Times)
		}
	}
	slices.Sort(times)
	return times
}
