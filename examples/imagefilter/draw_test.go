package main

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "draw picture.png again")

// draw paints the picture of the example: a house under the sun.
func draw() image.Image {
	const width, height = 320, 240
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, colourAt(float64(x), float64(y)))
		}
	}
	return m
}

// colourAt is what is seen at a point: what is in front comes first.
func colourAt(x, y float64) color.NRGBA {
	shade := func(r, g, b, light float64) color.NRGBA {
		level := func(v float64) uint8 { return uint8(math.Round(min(max(v*light, 0), 255))) }
		return color.NRGBA{level(r), level(g), level(b), 255}
	}
	inside := func(left, top, right, bottom float64) bool { return x >= left && x < right && y >= top && y < bottom }
	hill := 150 + 18*math.Sin(x/37) + 6*math.Sin(x/11)
	sun := math.Hypot(x-250, y-55)
	switch {
	case inside(85, 130, 101, 150) || inside(129, 130, 145, 150): // windows, with bars
		if math.Mod(x-85, 44) == 7 || y == 140 {
			return shade(90, 60, 40, 1)
		}
		return shade(150, 210, 240, 1-(y-130)/40)
	case inside(107, 150, 123, 185):
		return shade(110, 60, 30, 1)
	case inside(70, 115, 160, 185): // bricks
		row := math.Floor((y - 115) / 7)
		if math.Mod(y-115, 7) < 1 || math.Mod(x+8*math.Mod(row, 2), 16) < 1 {
			return shade(215, 205, 195, 1)
		}
		return shade(190, 85, 60, 0.85+0.15*math.Sin(7*row+math.Floor((x+8*math.Mod(row, 2))/16)))
	case y >= 70 && y < 115 && math.Abs(x-115) < (y-68)*1.2: // the roof
		return shade(80, 60, 70, 0.8+0.2*math.Cos(y*math.Pi/4))
	case y >= 185+4*math.Sin(x/23): // a meadow
		return shade(60, 140, 50, 0.75+0.25*math.Sin(x*1.3+3*math.Sin(y*0.7))*math.Sin(y*0.9))
	case y >= hill:
		return shade(70, 120, 90, 1.2-(y-hill)/80)
	case sun < 26:
		return shade(255, 225, 90, 1)
	case sun < 60 && math.Mod(math.Atan2(y-55, x-250)*8/math.Pi+16, 2) < 0.5: // rays
		return shade(255, 235, 150, 1)
	}
	return shade(110+y/2, 170+y/4, 235, 1)
}

// The picture is the one that is drawn, up to how machines round.
func TestPictureIsDrawn(t *testing.T) {
	want := draw()
	if *update {
		var data bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&data, want); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("picture.png", data.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		picture = data.Bytes()
	}
	got, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	p, q := newPixels(got), newPixels(want)
	if p.width != q.width || p.height != q.height {
		t.Fatalf("%d × %d pixels, want %d × %d", p.width, p.height, q.width, q.height)
	}
	for i, v := range p.rgb {
		if math.Abs(float64(v-q.rgb[i])) > 1.5/255 {
			t.Fatalf("element %d is %v, want %v", i, v, q.rgb[i])
		}
	}
}
