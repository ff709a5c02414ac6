package models_test

import (
	"os"
	"testing"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft/gomlx/internal/models"
)

// BenchmarkText is a training step of the small transformer.
func BenchmarkText(b *testing.B) {
	config := os.Getenv(backends.ConfigEnvVar)
	if config == "" {
		config = "weft:cpu"
	}
	back, err := backends.NewWithConfig(config)
	if err != nil {
		b.Fatal(err)
	}
	defer back.Finalize()
	t := models.NewTrainer(back, models.Text(text(b), models.SmallText))
	for b.Loop() {
		if _, err := t.Step(true); err != nil {
			b.Fatal(err)
		}
	}
}
