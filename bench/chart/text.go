package chart

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// families are the fonts of an SVG, best first. The file does not contain them: a viewer takes the first one that it
// has. The first three have the same widths.
const families = "Liberation Sans, Arial, Helvetica, sans-serif"

// wider is how many times as wide as in Liberation Sans a text may be in the font that a viewer has for sans-serif. It
// is 1.17 for labels in DejaVu Sans, one of the widest.
const wider = 1.2

// words handles plain text, and keeps it aligned in every font.
type words struct {
	text.Plain
	room vg.Length // that a line asks for, in its width
}

// Box returns the room for a line of text.
func (h words) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	width, height, depth = h.Plain.Box(txt, f)
	return h.room * width, height, depth
}

// aligner is a canvas that aligns text at a point itself.
type aligner interface {
	// FillAligned draws a line that begins at pt, has its middle there, or ends there.
	FillAligned(face font.Face, pt vg.Point, align text.XAlignment, line string)
}

// Draw draws one line of text.
func (h words) Draw(c vg.Canvas, line string, style text.Style, pt vg.Point) {
	if out, ok := bottom(c).(aligner); ok {
		c = aligned{c, out, style.XAlign}
		style.XAlign = text.XLeft
	}
	h.Plain.Draw(c, line, style, pt)
}

// bottom is what all parts of a canvas draw on.
func bottom(c vg.Canvas) vg.Canvas {
	for {
		switch part := c.(type) {
		case *draw.Canvas:
			c = part.Canvas
		case draw.Canvas:
			c = part.Canvas
		default:
			return c
		}
	}
}

// aligned passes an alignment on to a canvas.
type aligned struct {
	vg.Canvas
	out   aligner
	align text.XAlignment
}

// FillString draws a line at a point.
func (a aligned) FillString(face font.Face, pt vg.Point, line string) {
	a.out.FillAligned(face, pt, a.align, line)
}

// svg is a canvas whose text has a list of fonts, and is aligned by the viewer, which knows the widths in its font.
type svg struct {
	*vgsvg.Canvas
	anchors []string // of the texts, in order
}

// anchors are SVG's names of alignments.
var anchors = map[text.XAlignment]string{text.XLeft: "start", text.XCenter: "middle", text.XRight: "end"}

// FillAligned draws a line of text.
func (s *svg) FillAligned(face font.Face, pt vg.Point, align text.XAlignment, line string) {
	anchor, ok := anchors[align]
	if !ok {
		pt.X += vg.Length(align) * face.Width(line)
		anchor = anchors[text.XLeft]
	}
	s.anchors = append(s.anchors, anchor)
	s.Canvas.FillString(face, pt, line)
}

// FillString draws a line that begins at a point.
func (s *svg) FillString(face font.Face, pt vg.Point, line string) {
	s.FillAligned(face, pt, text.XLeft, line)
}

// WriteTo writes the file.
func (s *svg) WriteTo(w io.Writer) (int64, error) {
	var plain bytes.Buffer
	if _, err := s.Canvas.WriteTo(&plain); err != nil {
		return 0, err
	}
	parts := strings.Split(plain.String(), "<text ") // what is drawn is escaped: this is never part of it
	if len(parts) != len(s.anchors)+1 {
		return 0, fmt.Errorf("charts: %d texts were drawn, and the file has %d", len(s.anchors), len(parts)-1)
	}
	var out strings.Builder
	out.WriteString(parts[0])
	for i, part := range parts[1:] {
		fmt.Fprintf(&out, `<text text-anchor="%s" %s`, s.anchors[i], strings.Replace(part, "font-family:Liberation Sans;", "font-family:"+families+";", 1))
	}
	n, err := io.WriteString(w, out.String())
	return int64(n), err
}

func sans(size vg.Length) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

var (
	// inAnyFont asks for enough room in the widest font.
	inAnyFont = words{text.Plain{Fonts: font.DefaultCache}, wider}
	// inTheMiddle asks for none: an axis is longer than its label. The plot would reserve room at an end of the axis,
	// where it takes the middle of a logarithmic one to be.
	inTheMiddle = words{text.Plain{Fonts: font.DefaultCache}, 0}
)

// newPlot is an empty plot in the style of all.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label.Font, a.Tick.Label.Handler = sans(small), inAnyFont
		a.Label.TextStyle.Font, a.Label.TextStyle.Handler = sans(small), inTheMiddle
		a.Color, a.Tick.Color = grey, grey
		a.Label.Padding = 2 * vg.Millimeter
	}
	return p
}
