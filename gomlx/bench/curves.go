package main

import (
	"fmt"
	"image/color"
	"path/filepath"
	"strings"

	"github.com/gomlx/gomlx/backends"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/weftgpu/weft/gomlx/internal/models"
)

// draw trains on each backend and draws the losses.
func draw(configs []string, task func(config string) (models.Task, error), name, folder string, steps int) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "step", "loss"
	p.Legend.Top = true
	colours := []color.Color{color.RGBA{0, 90, 181, 255}, color.RGBA{220, 50, 32, 255}, color.RGBA{0, 0, 0, 255}}
	for i, config := range configs {
		b, err := backends.NewWithConfig(strings.ReplaceAll(config, "+", ","))
		if err != nil {
			return err
		}
		t, err := task(config)
		if err != nil {
			return err
		}
		losses, err := models.Losses(b, t, steps)
		b.Finalize()
		if err != nil {
			return err
		}
		points := make(plotter.XYs, steps)
		for k, loss := range losses {
			points[k] = plotter.XY{X: float64(k), Y: loss}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = colours[i%len(colours)], vg.Points(2.5-1.2*float64(i))
		p.Add(line)
		p.Legend.Add(config, line)
		fmt.Printf("%s on %s: loss from %.4f to %.4f\n", name, config, losses[0], losses[steps-1])
	}
	return p.Save(12*vg.Centimeter, 8*vg.Centimeter, filepath.Join(folder, "gomlx-"+name+".svg"))
}
