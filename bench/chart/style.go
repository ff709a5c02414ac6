package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/weftgpu/weft/bench/result"
)

// look is how a contender is drawn.
type look struct {
	prefix string // of its name
	color  color.RGBA
	glyph  draw.GlyphDrawer
}

// looks are in the order in which contenders are drawn: devices, then other libraries.
var looks = []look{
	{"cuda", color.RGBA{0, 114, 178, 255}, draw.CircleGlyph{}},
	{"vulkan", color.RGBA{213, 94, 0, 255}, draw.PyramidGlyph{}},
	{"webgpu", color.RGBA{0, 158, 115, 255}, draw.BoxGlyph{}},
	{"cpu", color.RGBA{86, 180, 233, 255}, wedge{}},
	{"pytorch", color.RGBA{70, 70, 70, 255}, diamond{}},
	{"torch.compile", color.RGBA{150, 150, 150, 255}, draw.CrossGlyph{}},
	{"triton", color.RGBA{204, 121, 167, 255}, draw.RingGlyph{}},
	{"gonum", color.RGBA{230, 159, 0, 255}, draw.SquareGlyph{}},
}

// place is a contender's place in looks; those that are not known are after all others.
func place(who string) int {
	for i, l := range looks {
		if strings.HasPrefix(who, l.prefix) {
			return i
		}
	}
	return len(looks)
}

// lookOf is how a contender is drawn: with tuned configs darker than with those of the rules.
func lookOf(who string) look {
	l := look{who, color.RGBA{240, 228, 66, 255}, draw.SquareGlyph{}}
	if i := place(who); i < len(looks) {
		l = looks[i]
	}
	if strings.HasSuffix(who, result.TunedSuffix) {
		dark := func(x uint8) uint8 { return x / 2 }
		l.color = color.RGBA{dark(l.color.R), dark(l.color.G), dark(l.color.B), 255}
	}
	return l
}

// contenders lists who has results, in the order of looks.
func contenders(results []result.Result) (list []string) {
	list = result.Distinct(result.Where(results, result.Result.OK), func(r result.Result) string { return r.Who })
	slices.SortStableFunc(list, func(a, b string) int { return place(a) - place(b) })
	return list
}

var (
	grey  = color.Gray{120}
	light = color.Gray{225}
)

const (
	small = vg.Length(9)
	large = vg.Length(13)
)

// diamond is a filled square on its tip.
type diamond struct{}

// DrawGlyph draws it.
func (diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	r := 1.25 * s.Radius
	c.FillPolygon(s.Color, []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y - r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y + r}})
}

// wedge is a filled triangle on its tip.
type wedge struct{}

// DrawGlyph draws it.
func (wedge) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	r := 1.2 * s.Radius
	c.FillPolygon(s.Color, []vg.Point{{X: at.X - r, Y: at.Y + 0.7*r}, {X: at.X + r, Y: at.Y + 0.7*r}, {X: at.X, Y: at.Y - r}})
}

// label is the style of text within a plot.
func label(p *plot.Plot, c color.Color) text.Style {
	s := p.X.Tick.Label
	s.Font, s.Color = sans(small-1), c
	s.XAlign, s.YAlign = text.XLeft, -0.42 // figures have no descenders
	return s
}

// decades are ticks at 1, 2 and 5 times the powers of ten.
type decades struct{}

func (decades) Ticks(lo, hi float64) (list []plot.Tick) {
	wide := math.Log10(hi/lo) > 3.5
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for m := 1.0; m < 10; m++ {
			t := plot.Tick{Value: m * math.Pow(10, e)}
			if m == 1 || !wide && (m == 2 || m == 5) {
				t.Label = strconv.FormatFloat(t.Value, 'f', -1, 64)
			}
			if t.Value >= lo*0.999 && t.Value <= hi*1.001 {
				list = append(list, t)
			}
		}
	}
	return list
}

// powers are ticks at powers of two.
type powers struct{}

func (powers) Ticks(lo, hi float64) (list []plot.Tick) {
	first, last := int(math.Ceil(math.Log2(lo)-0.01)), int(math.Floor(math.Log2(hi)+0.01))
	step := max(1, (last-first+1)/10)
	for e := first; e <= last; e += step {
		t := plot.Tick{Value: math.Exp2(float64(e)), Label: fmt.Sprint(1 << e)}
		if last > 14 {
			t.Label = "2^" + strconv.Itoa(e)
		}
		list = append(list, t)
	}
	return list
}
