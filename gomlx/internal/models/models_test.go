package models_test

import (
	"math"
	"os"
	"testing"

	"github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/backends/simplego"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/gomlx"
	"github.com/weftgpu/weft/gomlx/internal/models"
)

// text is a guide of the repository.
func text(t testing.TB) string {
	raw, err := os.ReadFile("../../../docs/layouts.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func losses(t *testing.T, config string, task models.Task, steps int) []float64 {
	t.Helper()
	b, err := backends.NewWithConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	list, err := models.Losses(b, task, steps)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// isSoftware reports whether a device of weft is a driver of GPUs in software.
func isSoftware(t *testing.T, config string) bool {
	t.Helper()
	b, err := backends.NewWithConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	w, ok := b.(*gomlx.Backend)
	return ok && w.Device().Info().Kind == backend.Software
}

// Losses of the first steps are those of the backend in pure Go, and later ones are lower. The curves diverge slowly, since each rounding
// changes all that comes after it.
func TestTraining(t *testing.T) {
	device := "weft:cpu"
	if s := os.Getenv(backends.ConfigEnvVar); s != "" {
		device = s
	}
	convolve, err := models.Digits(32, false)
	if err != nil {
		t.Fatal(err)
	}
	patches, err := models.Digits(32, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got, want models.Task
		below     [2]float64 // the last loss, of the first one, after few steps and after all
	}{
		{convolve, patches, [2]float64{0.97, 0.6}},
		{models.Text(text(t), models.SmallText), models.Text(text(t), models.SmallText), [2]float64{0.9, 0.8}},
	} {
		t.Run(c.got.Name, func(t *testing.T) {
			steps, below := 25, c.below[1]
			if isSoftware(t, device) {
				steps, below = 6, c.below[0]
			}
			got, want := losses(t, device, c.got, steps), losses(t, "go", c.want, steps)
			for i := range got {
				if tolerance := 1e-4 * math.Pow(1.2, float64(i)); math.Abs(got[i]-want[i]) > tolerance*want[i] {
					t.Errorf("step %d: loss %v, in pure Go %v", i, got[i], want[i])
				}
			}
			if last := got[len(got)-1]; last > below*got[0] {
				t.Errorf("loss from %v to %v", got[0], last)
			}
			t.Log(got[0], got[len(got)-1], want[len(want)-1])
		})
	}
}
