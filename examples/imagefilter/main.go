package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
)

//go:embed picture.png
var picture []byte

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	in := flag.String("in", "", "`file` of a PNG; the picture of the example if empty")
	out := flag.String("out", ".", "`folder` for the results")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *in, *out); err != nil {
		log.Fatal(err)
	}
}

func run(device, in, out string) error {
	data := picture
	if in != "" {
		var err error
		if data, err = os.ReadFile(in); err != nil {
			return err
		}
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	p := newPixels(decoded)
	for _, f := range filters {
		y, worst, err := f.apply(dev, p)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		path := filepath.Join(out, f.name+".png")
		if err := y.write(path); err != nil {
			return err
		}
		fmt.Printf("%v: %s of %d × %d pixels; largest error %.1e; %s\n", dev, f.name, p.width, p.height, worst, path)
	}
	return nil
}

// pixels are rows of pixels of red, green and blue from 0 to 1, as they are in a PNG file: not linear in light.
type pixels struct {
	width, height int
	rgb           []float32
}

func newPixels(m image.Image) pixels {
	b := m.Bounds()
	p := pixels{width: b.Dx(), height: b.Dy()}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			p.rgb = append(p.rgb, float32(r)/0xffff, float32(g)/0xffff, float32(b)/0xffff)
		}
	}
	return p
}

// at is a pixel's channel; beyond the edges the picture goes on as it ends.
func (p pixels) at(x, y, channel int) float32 {
	x, y = min(max(x, 0), p.width-1), min(max(y, 0), p.height-1)
	return p.rgb[(y*p.width+x)*3+channel]
}

// extended is the picture with so many pixels more on each side.
func (p pixels) extended(n int) pixels {
	q := pixels{width: p.width + 2*n, height: p.height + 2*n}
	for y := range q.height {
		for x := range q.width {
			for c := range 3 {
				q.rgb = append(q.rgb, p.at(x-n, y-n, c))
			}
		}
	}
	return q
}

func (p pixels) write(path string) error {
	m := image.NewNRGBA(image.Rect(0, 0, p.width, p.height))
	level := func(v float32) uint8 { return uint8(math.Round(255 * float64(min(max(v, 0), 1)))) }
	for i := range p.width * p.height {
		v := p.rgb[3*i : 3*i+3]
		m.SetNRGBA(i%p.width, i/p.width, color.NRGBA{level(v[0]), level(v[1]), level(v[2]), 255})
	}
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		return err
	}
	return os.WriteFile(path, data.Bytes(), 0o666)
}
