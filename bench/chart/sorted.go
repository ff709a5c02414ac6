package chart

import (
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
		devices := slices.DeleteFunc(contenders(f), func(who string) bool {
			return len(timesOf(ratios, who)) < leastSorted
		})
		if len(devices) == 0 {
			continue
		}
		p := newPlot("% of the works", "times as fast as the fastest other library")
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
		grid := plotter.NewGrid()
		grid.Vertical.Color, grid.Horizontal.Color = light, light
		even := plotter.NewFunction(func(float64) float64 { return 1 })
		even.Color = grey
		p.Add(grid, even)
		pic := picture{name: fileName("sorted", family(f[0])), title: family(f[0]) + ": speed compared with the fastest other library, sorted", plot: p, height: 4 * vg.Inch}
		for _, who := range devices {
			times := timesOf(ratios, who)
			at := make(plotter.XYs, len(times))
			for i, x := range times {
				at[i] = plotter.XY{X: 100 * (float64(i) + 0.5) / float64(len(times)), Y: x}
			}
			pic.curve(who, at, 0.8*vg.Millimeter)
		}
		p.X.Min, p.X.Max = 0, 100
		p.Y.Min, p.Y.Max = min(p.Y.Min, 0.5), max(p.Y.Max, 2)
		list = append(list, pic)
	}
	return list
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
