package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/weftgpu/weft/bench/result"
)

// ceiling is the least upper bound that arithmetic in some units has.
type ceiling struct {
	units []string
	peak  float64 // TFLOP/s
}

// rooflines has a picture of each machine.
func rooflines(results []result.Result) (list []picture) {
	machines := map[string][]result.Result{}
	var order []string
	for _, r := range results {
		if !r.OK() || r.Flop == 0 || r.Bandwidth == 0 || r.Peak == 0 {
			continue
		}
		m := r.Machine()
		if machines[m] == nil {
			order = append(order, m)
		}
		machines[m] = append(machines[m], r)
	}
	for _, m := range order {
		list = append(list, roofline(m, machines[m]))
	}
	return list
}

func roofline(machine string, results []result.Result) picture {
	title := "Roofline of " + machine
	if machine == "host" {
		title = "Roofline of the host"
	}
	p := newPlot("operations per byte moved", "TFLOP/s")
	p.X.Scale, p.Y.Scale, p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogScale{}, plot.LogScale{}, decades{}, decades{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = light, light
	p.Add(grid)

	bandwidth, ceilings := results[0].Bandwidth/1e12, ceilingsOf(results) // TB/s
	xmin, xmax, ymin, ymax := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, r := range results {
		xmin, xmax = min(xmin, r.Flop/r.Bytes), max(xmax, r.Flop/r.Bytes)
		ymin, ymax = min(ymin, r.TFLOPps()), max(ymax, r.TFLOPps())
	}
	for _, c := range ceilings {
		xmax, ymax = max(xmax, 4*c.peak/bandwidth), max(ymax, c.peak)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xmin/1.5, xmax*7, ymin/1.5, ymax*2 // labels stand on the right
	p.Add(roof{bandwidth, ceilings})
	pic := picture{name: fileName("roofline", machine), title: title, plot: p, height: 5 * vg.Inch}
	for _, who := range contenders(results) {
		s := points{style: draw.GlyphStyle{Color: fade(lookOf(who).color), Radius: 1.1 * vg.Millimeter, Shape: lookOf(who).glyph}}
		for _, r := range results {
			if r.Who == who {
				s.at = append(s.at, plotter.XY{X: r.Flop / r.Bytes, Y: r.TFLOPps()})
			}
		}
		p.Add(s)
		pic.legend = append(pic.legend, entry{who, s})
	}
	return pic
}

// ceilingsOf are those of each arithmetic, with those that differ by less than a tenth as one.
func ceilingsOf(results []result.Result) (list []ceiling) {
	peaks := map[string]float64{}
	for _, r := range results {
		peaks[r.Unit] = r.Peak / 1e12
	}
	for unit, peak := range peaks {
		list = append(list, ceiling{[]string{unit}, peak})
	}
	slices.SortFunc(list, func(a, b ceiling) int {
		if a.peak != b.peak {
			return int(math.Copysign(1, b.peak-a.peak))
		}
		return strings.Compare(a.units[0], b.units[0])
	})
	merged := list[:1]
	for _, c := range list[1:] {
		if last := &merged[len(merged)-1]; last.peak < 1.15*c.peak {
			last.units = append(last.units, c.units...)
		} else {
			merged = append(merged, c)
		}
	}
	return merged
}

// roof draws the ceilings: one slope for memory, and a level for each arithmetic.
type roof struct {
	bandwidth float64 // TB/s
	ceilings  []ceiling
}

// Plot draws the lines and what they are.
func (r roof) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: grey, Width: vg.Points(1.2)}
	top := r.ceilings[0].peak / r.bandwidth // where the slope meets the highest level
	low := max(p.X.Min, p.Y.Min/r.bandwidth)
	c.StrokeLine2(line, x(low), y(low*r.bandwidth), x(top), y(top*r.bandwidth))
	style := label(p, color.Gray{60})
	for _, level := range r.ceilings {
		c.StrokeLine2(line, x(max(p.X.Min, level.peak/r.bandwidth)), y(level.peak), x(p.X.Max), y(level.peak))
		right := style
		right.XAlign, right.YAlign = draw.XRight, draw.YBottom
		c.FillText(right, vg.Point{X: x(p.X.Max) - vg.Millimeter, Y: y(level.peak) + 0.6*vg.Millimeter},
			fmt.Sprintf("%s: %s TFLOP/s", strings.Join(level.units, ", "), number(level.peak)))
	}
	// Along the slope, a third of its way up.
	at := math.Exp(math.Log(low) + (math.Log(top)-math.Log(low))*0.3)
	dx, dy := x(top)-x(low), y(top*r.bandwidth)-y(low*r.bandwidth)
	style.Rotation, style.YAlign = math.Atan2(float64(dy), float64(dx)), draw.YBottom
	c.FillText(style, vg.Point{X: x(at) - vg.Millimeter, Y: y(at*r.bandwidth) + vg.Millimeter}, "memory: "+number(1e3*r.bandwidth)+" GB/s")
}

// points are results of one contender.
type points struct {
	at    plotter.XYs
	style draw.GlyphStyle
}

// Plot draws them.
func (s points) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, at := range s.at {
		c.DrawGlyph(s.style, vg.Point{X: x(at.X), Y: y(at.Y)})
	}
}

// Thumbnail draws one.
func (s points) Thumbnail(c *draw.Canvas) { c.DrawGlyph(s.style, c.Center()) }

// fade makes a colour let others through.
func fade(c color.RGBA) color.Color { return color.NRGBA{c.R, c.G, c.B, 200} }
