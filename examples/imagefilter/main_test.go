package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The example finds its own results right, and writes them in the picture's size.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	if err := run("cpu", "", folder); err != nil {
		t.Fatal(err)
	}
	want := decode(t, picture)
	for _, f := range filters {
		data, err := os.ReadFile(filepath.Join(folder, f.name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if got := decode(t, data); got.width != want.width || got.height != want.height {
			t.Errorf("%s: %d × %d pixels, want %d × %d", f.name, got.width, got.height, want.width, want.height)
		}
	}
}

func decode(t *testing.T, data []byte) pixels {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return newPixels(m)
}

// What filters are known to do: none changes, or finds anything in, a surface of one colour, up to its edges.
func TestOneColour(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 9, 7))
	for i := range 9 * 7 {
		m.SetNRGBA(i%9, i/9, color.NRGBA{51, 102, 204, 255})
	}
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	in := filepath.Join(folder, "in.png")
	if err := os.WriteFile(in, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run("cpu", in, folder); err != nil {
		t.Fatal(err)
	}
	for _, f := range filters {
		out, err := os.ReadFile(filepath.Join(folder, f.name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range decode(t, out).rgb {
			want := []float64{0.2, 0.4, 0.8}[i%3]
			if f.name == "edges" {
				want = 0
			}
			if math.Abs(float64(v)-want) > 0.6/255 {
				t.Fatalf("%s: element %d is %v, want %v", f.name, i, v, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	if err := run("cpu", "no such file.png", t.TempDir()); err == nil {
		t.Error("a file that is not there is no error")
	}
	if err := run("cpu", "main.go", t.TempDir()); err == nil {
		t.Error("a file that is no picture is no error")
	}
}
