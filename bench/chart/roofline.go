package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/weftgpu/weft/bench/report"
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
	known := result.Where(results, func(r result.Result) bool { return r.OK() && r.Flop > 0 && r.Bandwidth > 0 && r.Peak > 0 })
	for _, m := range result.Distinct(known, result.Result.Machine) {
		list = append(list, roofline(m, result.Where(known, func(r result.Result) bool { return r.Machine() == m })))
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
		// A part of the slope is in the picture even where all results are on one side of it.
		xmin, xmax = min(xmin, c.peak/bandwidth/8), max(xmax, 4*c.peak/bandwidth)
		ymin, ymax = min(ymin, c.peak/8), max(ymax, c.peak)
	}
	p.X.Min, p.X.Max, p.Y.Min = xmin/1.5, xmax*7, ymin/1.5 // labels are on the right
	p.Y.Max = ymax * max(2, math.Pow(ymax/p.Y.Min, 0.08))  // and a line of them is above the highest level
	p.Add(roof{bandwidth, ceilings, name, report.Number(results[0].Bandwidth/1e9) + " GB/s"})
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
	if low, high := r.slope(p); low < high {
		c.StrokeLine2(line, x(low), y(low*r.bandwidth), x(high), y(high*r.bandwidth))
	}
	for _, level := range r.ceilings {
		c.StrokeLine2(line, x(max(p.X.Min, level.peak/r.bandwidth)), y(level.peak), x(p.X.Max), y(level.peak))
	}
	for _, l := range append(r.levelLabels(c, p), r.slopeLabel(c, p)) {
		c.FillText(l.style, l.at, l.text)
	}
}

// slope is the part of memory's slope that is inside of the axes and below the highest level, in operations per byte.
func (r roof) slope(p *plot.Plot) (low, high float64) {
	return max(p.X.Min, p.Y.Min/r.bandwidth), min(p.X.Max, p.Y.Max/r.bandwidth, r.ceilings[0].peak/r.bandwidth)
}

// lineLabel is the text of a line of the roof.
type lineLabel struct {
	text  string
	style text.Style
	at    vg.Point
}

// box is what the text may take up, in any font.
func (l lineLabel) box() vg.Rectangle { return l.style.Rectangle(l.text).Add(l.at) }

// within reports whether a rectangle is inside of another one.
func within(r, outer vg.Rectangle) bool {
	return r.Min.X >= outer.Min.X && r.Min.Y >= outer.Min.Y && r.Max.X <= outer.Max.X && r.Max.Y <= outer.Max.Y
}

// levelLabels are above the right ends of the levels. Levels that are closer than a line of text have one label, above
// the highest of them, in as many lines as it needs.
func (r roof) levelLabels(c draw.Canvas, p *plot.Plot) (list []lineLabel) {
	x, y := p.Transforms(&c)
	style := label(p, color.Gray{60})
	style.XAlign, style.YAlign = draw.XRight, draw.YBottom
	height := style.Font.Size * 1.4
	for i := 0; i < len(r.ceilings); {
		top, line := r.ceilings[i].peak, ""
		at := vg.Point{X: x(p.X.Max) - vg.Millimeter, Y: y(top) + vg.Millimeter}
		for ; i < len(r.ceilings) && y(top)-y(r.ceilings[i].peak) < height; i++ {
			next := fmt.Sprintf("%s: %s %s", strings.Join(r.ceilings[i].units, ", "), report.Number(r.ceilings[i].peak), r.unit)
			if joined := line + ", " + next; line == "" {
				line = next
			} else if style.Width(joined) < c.Size().X-2*vg.Millimeter {
				line = joined
			} else {
				list = append(list, lineLabel{line, style, at})
				line, at.Y = next, at.Y+height
			}
		}
		list = append(list, lineLabel{line, style, at})
	}
	return list
}

// slopeLabel is written along the slope where that is long enough, and otherwise next to it.
func (r roof) slopeLabel(c draw.Canvas, p *plot.Plot) lineLabel {
	x, y := p.Transforms(&c)
	low, high := r.slope(p)
	from, to := vg.Point{X: x(low), Y: y(low * r.bandwidth)}, vg.Point{X: x(high), Y: y(high * r.bandwidth)}
	along := to.Sub(from)
	style := label(p, color.Gray{60})
	style.YAlign, style.Rotation = draw.YBottom, math.Atan2(float64(along.Y), float64(along.X))
	l := lineLabel{"memory: " + r.memory, style, from}
	length := vg.Length(math.Hypot(float64(along.X), float64(along.Y)))
	for _, part := range []vg.Length{0.3, 0.2, 0.4, 0.1, 0.5, 0} {
		l.at = from.Add(along.Scale(part)).Add(vg.Point{X: -0.6 * vg.Millimeter, Y: vg.Millimeter})
		if part*length+style.Width(l.text) < length && within(l.box(), c.Rectangle) {
			return l
		}
	}
	l.style.Rotation, l.style.YAlign = 0, draw.YTop
	l.at = from.Add(along.Scale(0.5)).Add(vg.Point{X: 1.5 * vg.Millimeter, Y: -vg.Millimeter})
	over := l.box().Max.X - c.Max.X
	l.at.X -= max(0, over)
	return l
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
