package chart

import (
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/weftgpu/weft/bench/result"
)

// DPI is how many pixels of a PNG are an inch.
const DPI = 160

// picture is a plot with what stands above it: a title, and a legend in lines.
type picture struct {
	name, title string
	legend      []entry
	plot        *plot.Plot
	height      vg.Length // of the plot
}

// entry is one contender in a legend.
type entry struct {
	who   string
	thumb plot.Thumbnailer
}

// Width is that of all pictures; their heights follow from what they hold.
const Width = 8 * vg.Inch

// Write draws all that results tell into a folder, which it makes, and returns the files.
//
// Errors: results without a single time, and those of the file system.
func Write(folder string, results []result.Result) (files []string, err error) {
	if len(contenders(results)) == 0 {
		return nil, errors.New("there is nothing to draw: no measurement succeeded")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	list := overview(results)
	for _, draw := range []func([]result.Result) []picture{ratio, sortedFamilies, sortedRatios, familyBars, rooflines, scaling, cores} {
		list = append(list, draw(results)...)
	}
	for _, p := range list {
		for _, format := range formats {
			path := filepath.Join(folder, p.name+format.suffix)
			if err := save(path, p, format.canvas); err != nil {
				return files, err
			}
			files = append(files, path)
		}
	}
	return files, nil
}

// format is a kind of files.
type format struct {
	suffix string
	canvas func(w, h vg.Length) vg.CanvasWriterTo
}

var formats = []format{
	{".png", func(w, h vg.Length) vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(DPI))}
	}},
	{".svg", func(w, h vg.Length) vg.CanvasWriterTo { return &svg{Canvas: vgsvg.New(w, h)} }},
}

// Measures of what stands above a plot.
const (
	margin    = 4 * vg.Millimeter
	titleLine = 8 * vg.Millimeter
	line      = 5 * vg.Millimeter
	thumb     = 5 * vg.Millimeter
)

func save(path string, p picture, canvas func(w, h vg.Length) vg.CanvasWriterTo) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := canvas(Width, p.height+p.headHeight()+2*margin)
	p.draw(draw.New(out))
	_, err = out.WriteTo(file)
	return err
}

// headHeight is that of title and legend.
func (p picture) headHeight() vg.Length {
	return titleLine + vg.Length(len(p.legendLines()))*line + margin/2
}

// draw draws all of a picture.
func (p picture) draw(c draw.Canvas) {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	p.drawHead(c, p.legendLines())
	p.plot.Draw(draw.Crop(c, 0, 0, 0, -p.headHeight()))
}

// legendLines breaks the legend where it is wider than the picture.
func (p picture) legendLines() (lines [][]entry) {
	style, at := label(p.plot, color.Black), vg.Length(0)
	style.Font = sans(small)
	for _, e := range p.legend {
		width := entryWidth(style, e)
		if at += width; len(lines) == 0 || at > Width-2*margin {
			lines, at = append(lines, nil), width
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
	}
	return lines
}

func entryWidth(style text.Style, e entry) vg.Length { return thumb + style.Width(e.who) + 3*line/2 }

func (p picture) drawHead(c draw.Canvas, lines [][]entry) {
	title := label(p.plot, color.Black)
	title.Font = sans(large)
	y := c.Max.Y - titleLine/2
	c.FillText(title, vg.Point{X: c.Min.X, Y: y}, p.title)
	style := label(p.plot, color.Black)
	style.Font = sans(small)
	y -= titleLine / 2
	for _, entries := range lines {
		x := c.Min.X
		for _, e := range entries {
			box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - line*0.7}, Max: vg.Point{X: x + thumb, Y: y - line*0.2}}}
			e.thumb.Thumbnail(&box)
			c.FillText(style, vg.Point{X: x + thumb + line/4, Y: y - line*0.45}, e.who)
			x += entryWidth(style, e)
		}
		y -= line
	}
}

// fileName is a name without what file systems dislike.
func fileName(parts ...string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, strings.Join(parts, "-"))
}
