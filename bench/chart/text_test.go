package chart

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/weftgpu/weft/bench/result"
)

// witness is a canvas that notes where text is, in the widest font.
type witness struct {
	recorder.Canvas
	angles []float64
	texts  []seen
}

type seen struct {
	line string
	box  vg.Rectangle
}

func (w *witness) Push()                { w.angles = append(w.angles, 0) }
func (w *witness) Rotate(angle float64) { w.angles[len(w.angles)-1] += angle }
func (w *witness) Pop()                 { w.angles = w.angles[:len(w.angles)-1] }

func (w *witness) FillAligned(face font.Face, pt vg.Point, align text.XAlignment, line string) {
	angle := 0.0
	for _, a := range w.angles {
		angle += a
	}
	sin, cos := math.Sincos(angle)
	at := vg.Point{X: pt.X*vg.Length(cos) - pt.Y*vg.Length(sin), Y: pt.X*vg.Length(sin) + pt.Y*vg.Length(cos)}
	style := text.Style{Font: face.Font, Rotation: angle, XAlign: align, YAlign: draw.YBottom, Handler: inAnyFont}
	// A style's box has room for accents that no text here has.
	box := style.Rectangle(line).Add(at)
	w.texts = append(w.texts, seen{line, box})
}

// area notes where the data of a plot is.
type area struct{ at *vg.Rectangle }

func (a area) Plot(c draw.Canvas, _ *plot.Plot) { *a.at = c.Rectangle }

// lookAt draws a picture, and returns its texts, its size and where its axes are.
func lookAt(p picture) (texts []seen, whole, axes vg.Rectangle) {
	w := &witness{}
	p.plot.Add(area{&axes})
	whole = vg.Rectangle{Max: vg.Point{X: Width, Y: p.height + p.headHeight() + 2*margin}}
	p.draw(draw.Canvas{Canvas: w, Rectangle: whole})
	return w.texts, whole, axes
}

// somewhere makes results of random machines: memory and arithmetic of any speed, works of any intensity.
func somewhere(rng *rand.Rand) (list []result.Result) {
	anywhere := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
	bandwidth, low, high := anywhere(1e9, 1e13), anywhere(0.01, 100), anywhere(1, 1e4)
	units := []string{"f32", "f16", "bf16", "i8", "tf32", "tf32x3"}[:1+rng.IntN(6)]
	peaks := map[string]float64{}
	level := anywhere(1e8, 1e15)
	for _, u := range units {
		peaks[u] = level * anywhere(0.3, 3)
	}
	for range 1 + rng.IntN(20) {
		u := units[rng.IntN(len(units))]
		intensity := anywhere(low, low*high)
		seconds := max(1e9/bandwidth, 1e9*intensity/peaks[u]) * anywhere(1, 1000)
		list = append(list, result.Result{Work: "work", Who: "cpu:0", Kind: "cpu", Bytes: 1e9, Flop: math.Round(1e9 * intensity), Unit: u,
			Bandwidth: bandwidth, Peak: peaks[u], Seconds: []float64{seconds}})
	}
	return list
}

// The labels of a roof are inside of its axes, and so is the slope, wherever the results are.
func TestRooflineInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	cases := [][]result.Result{{ // all to the right of the slope
		{Work: "a", Who: "cpu:0", Kind: "cpu", Bytes: 1e6, Flop: 2e6, Unit: "f32", Bandwidth: 62.7e9, Peak: 18.9e9, Seconds: []float64{0.02}},
		{Work: "b", Who: "cpu:0", Kind: "cpu", Bytes: 1e6, Flop: 6e7, Unit: "f32", Bandwidth: 62.7e9, Peak: 18.9e9, Seconds: []float64{0.02}},
	}}
	for range 300 {
		cases = append(cases, somewhere(rng))
	}
	for i, results := range cases {
		p := rooflines(results)[0]
		texts, whole, axes := lookAt(p)
		labels := 0
		for _, s := range texts {
			roof := strings.Contains(s.line, "memory: ") || strings.Contains(s.line, "LOP/s") && strings.Contains(s.line, ": ")
			if roof {
				labels++
			}
			if outer := map[bool]vg.Rectangle{true: axes, false: whole}[roof]; !within(s.box, outer) {
				t.Errorf("case %d: %q is at %v, outside of %v", i, s.line, s.box, outer)
			}
		}
		if labels < 2 {
			t.Errorf("case %d: %d labels of the roof", i, labels)
		}
		bandwidth := results[0].Bandwidth
		unit, _ := rateUnit(ceilingsOf(results)[0].peak)
		r := roof{bandwidth: bandwidth / unit, ceilings: []ceiling{{peak: ceilingsOf(results)[0].peak / unit}}}
		low, high := r.slope(p.plot)
		if !(low >= p.plot.X.Min && high <= p.plot.X.Max && low*r.bandwidth >= 0.999*p.plot.Y.Min && high*r.bandwidth <= p.plot.Y.Max && 2*low < high) {
			t.Errorf("case %d: the slope is from %v to %v, the axes %v to %v and %v to %v", i, low, high, p.plot.X.Min, p.plot.X.Max, p.plot.Y.Min, p.plot.Y.Max)
		}
	}
}

// Text is inside of every picture, labels of rows end before the bars begin and notes end before the axis does,
// whatever font they are drawn in.
func TestTextInside(t *testing.T) {
	results := simulated(t)
	list := append(append(overview(results), ratio(results)...), sortedRatios(results)...)
	list = append(append(append(list, familyBars(results)...), scaling(results)...), rooflines(results)...)
	for _, p := range list {
		labels, notes := map[string]bool{}, map[string]bool{}
		if r, ok := p.plot.Y.Tick.Marker.(rows); ok {
			for _, row := range r.list {
				labels[row.label] = true
				for _, b := range row.bars {
					notes[b.note] = true
				}
			}
		}
		texts, whole, axes := lookAt(p)
		for _, s := range texts {
			switch {
			case !within(s.box, whole):
				t.Errorf("%s: %q is at %v, outside of %v", p.name, s.line, s.box, whole)
			case labels[s.line] && s.box.Max.X > axes.Min.X:
				t.Errorf("%s: %q ends at %v, the axis begins at %v", p.name, s.line, s.box.Max.X, axes.Min.X)
			case notes[s.line] && (s.box.Min.X < axes.Min.X || s.box.Max.X > axes.Max.X+0.01):
				t.Errorf("%s: %q is at %v, the axes at %v", p.name, s.line, s.box, axes)
			}
		}
		if len(texts) < 5 {
			t.Errorf("%s: %d texts", p.name, len(texts))
		}
	}
}

// asSVG draws a picture into a file.
func asSVG(t *testing.T, p picture) []byte {
	t.Helper()
	format := formats[slices.IndexFunc(formats, func(f format) bool { return f.suffix == ".svg" })]
	path := filepath.Join(t.TempDir(), "picture.svg")
	if err := save(path, p, format.canvas); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Each text of an SVG has a list of fonts that ends in one that every viewer has, and is aligned by the viewer.
func TestFonts(t *testing.T) {
	results := simulated(t)
	for _, p := range []picture{overview(results)[0], ratio(results)[0], rooflines(results)[0], scaling(results)[0]} {
		found := map[string]int{}
		for _, part := range strings.Split(string(asSVG(t, p)), "<text ")[1:] {
			element, _, _ := strings.Cut(part, "</text>")
			if !strings.Contains(element, "font-family:"+families+";") || !strings.HasSuffix(families, ", sans-serif") {
				t.Errorf("%s: no list of fonts in %s", p.name, element)
			}
			anchor, _, _ := strings.Cut(element, " ")
			found[anchor]++
		}
		for _, anchor := range anchors {
			if found[`text-anchor="`+anchor+`"`] == 0 {
				t.Errorf("%s: no text is aligned by its %s: %v", p.name, anchor, found)
			}
		}
	}
}

// The pictures of README are drawn from the results in docs/results.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		results, image string
		draw           func([]result.Result) []picture
	}{
		{"nvidia-h100.json", "bench.svg", overview}, {"nvidia-h100-sampled.json", "sampled.svg", sortedFamilies},
	} {
		results, err := result.ReadFile(filepath.Join("..", "..", "docs", "results", c.results))
		if err != nil {
			t.Fatal(err)
		}
		result.Raise(results)
		published, err := os.ReadFile(filepath.Join("..", "..", "docs", "images", c.image))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(asSVG(t, c.draw(results)[0]), published) {
			t.Errorf("docs/images/%s is not what is drawn from docs/results/%[2]s: go run ./bench --from docs/results/%[2]s --charts DIR", c.image, c.results)
		}
	}
}
