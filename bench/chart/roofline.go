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
	peak  float64
}

// rateUnit is the unit in which the largest of rates, in operations a second, is not below 1, and its name.
func rateUnit(largest float64) (unit float64, name string) {
	if largest >= 1e12 {
		return 1e12, "TFLOP/s"
	}
	return 1e9, "GFLOP/s"
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
	ceilings := ceilingsOf(results)
	unit, name := rateUnit(ceilings[0].peak)
	p := newPlot("operations per byte moved", name)
	p.X.Scale, p.Y.Scale, p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogScale{}, plot.LogScale{}, decades{}, decades{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = light, light
	p.Add(grid)

	rate := func(r result.Result) float64 { return r.TFLOPps() * 1e12 / unit }
	bandwidth := results[0].Bandwidth / unit
	for i := range ceilings {
		ceilings[i].peak /= unit
	}
	xmin, xmax, ymin, ymax := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, r := range results {
		xmin, xmax = min(xmin, r.Flop/r.Bytes), max(xmax, r.Flop/r.Bytes)
		ymin, ymax = min(ymin, rate(r)), max(ymax, rate(r))
	}
	for _, c := range ceilings {
		xmax, ymax = max(xmax, 4*c.peak/bandwidth), max(ymax, c.peak)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xmin/1.5, xmax*7, ymin/1.5, ymax*2 // labels stand on the right
	p.Add(roof{bandwidth, ceilings, name, number(results[0].Bandwidth/1e9) + " GB/s"})
	pic := picture{name: fileName("roofline", machine), title: title, plot: p, height: 5 * vg.Inch}
	for _, who := range contenders(results) {
		s := points{style: draw.GlyphStyle{Color: fade(lookOf(who).color), Radius: 1.1 * vg.Millimeter, Shape: lookOf(who).glyph}}
		for _, r := range results {
			if r.Who == who {
				s.at = append(s.at, plotter.XY{X: r.Flop / r.Bytes, Y: rate(r)})
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
		peaks[r.Unit] = r.Peak
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
	bandwidth    float64 // in units of peaks by bytes
	ceilings     []ceiling
	unit, memory string // texts
}

// Plot draws the lines and what they are.
func (r roof) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: grey, Width: vg.Points(1.2)}
	top := r.ceilings[0].peak / r.bandwidth // where the slope meets the highest level
	low := max(p.X.Min, p.Y.Min/r.bandwidth)
	c.StrokeLine2(line, x(low), y(low*r.bandwidth), x(top), y(top*r.bandwidth))
	for _, level := range r.ceilings {
		c.StrokeLine2(line, x(max(p.X.Min, level.peak/r.bandwidth)), y(level.peak), x(p.X.Max), y(level.peak))
	}
	style := label(p, color.Gray{60})
	style.XAlign, style.YAlign = draw.XRight, draw.YBottom
	// Levels that are closer than a line of text have one text, above the highest.
	for i := 0; i < len(r.ceilings); {
		first, texts := r.ceilings[i], []string(nil)
		for ; i < len(r.ceilings) && y(first.peak)-y(r.ceilings[i].peak) < style.Font.Size*1.4; i++ {
			texts = append(texts, fmt.Sprintf("%s: %s %s", strings.Join(r.ceilings[i].units, ", "), number(r.ceilings[i].peak), r.unit))
		}
		c.FillText(style, vg.Point{X: x(p.X.Max) - vg.Millimeter, Y: y(first.peak) + 0.6*vg.Millimeter}, strings.Join(texts, ", "))
	}
	// Along the slope, a third of its way up.
	at := math.Exp(math.Log(low) + (math.Log(top)-math.Log(low))*0.3)
	dx, dy := x(top)-x(low), y(top*r.bandwidth)-y(low*r.bandwidth)
	style.Rotation, style.XAlign = math.Atan2(float64(dy), float64(dx)), draw.XLeft
	c.FillText(style, vg.Point{X: x(at) - vg.Millimeter, Y: y(at*r.bandwidth) + vg.Millimeter}, "memory: "+r.memory)
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
