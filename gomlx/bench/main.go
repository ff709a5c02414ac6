// Command bench times training steps of two small models on several backends of GoMLX, alternately, and can write their curves.
//
//	go run ./bench                                   a convolutional network and a transformer on weft:cpu and in pure Go
//	go run ./bench -backends weft:cuda,weft:cuda+replay=off -size large -text ../docs/layouts.md
//	go run ./bench -curves ../docs/images -steps 300 pictures of the losses
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/backends/simplego"

	_ "github.com/weftgpu/weft/gomlx"
	"github.com/weftgpu/weft/gomlx/internal/models"
)

// sizes are those of the models.
var sizes = map[string]struct {
	images int
	text   models.TextSize
}{
	"small":  {32, models.SmallText},
	"medium": {64, models.TextSize{Batch: 16, Length: 64, Width: 128, Heads: 4, Layers: 2}},
	"large":  {512, models.TextSize{Batch: 32, Length: 128, Width: 512, Heads: 8, Layers: 6}},
}

func main() {
	list := flag.String("backends", "weft:cpu,go", "configurations of backends; a + stands for a comma in one")
	size := flag.String("size", "small", "small, medium or large")
	steps := flag.Int("steps", 20, "steps of each turn, or of a curve")
	turns := flag.Int("turns", 3, "turns of each backend")
	text := flag.String("text", "../docs/layouts.md", "the text to learn from")
	tasks := flag.String("tasks", "digits,text", "what to train")
	curves := flag.String("curves", "", "the folder for pictures of the losses, instead of times")
	flag.Parse()
	if err := run(strings.Split(*list, ","), strings.Split(*tasks, ","), *size, *text, *curves, *steps, *turns); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(configs, tasks []string, size, text, curves string, steps, turns int) error {
	s, ok := sizes[size]
	if !ok {
		return fmt.Errorf("there is no size %q", size)
	}
	raw, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	for _, name := range tasks {
		if name != "digits" && name != "text" {
			return fmt.Errorf("there is no task %q", name)
		}
		task := func(config string) (models.Task, error) {
			if name == "text" {
				return models.Text(string(raw), s.text), nil
			}
			// The backend in pure Go has no gradient of convolutions.
			return models.Digits(s.images, config == "go")
		}
		if curves != "" {
			err = draw(configs, task, name, curves, steps)
		} else {
			err = race(configs, task, name, steps, turns)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// race times steps on each backend, alternately.
func race(configs []string, task func(config string) (models.Task, error), name string, steps, turns int) error {
	trainers, times := make([]*models.Trainer, len(configs)), make([][]time.Duration, len(configs))
	for i, config := range configs {
		b, err := backends.NewWithConfig(strings.ReplaceAll(config, "+", ","))
		if err != nil {
			return err
		}
		defer b.Finalize()
		t, err := task(config)
		if err != nil {
			return err
		}
		trainers[i] = models.NewTrainer(b, t)
		for range 5 { // kernels are compiled, steps captured
			if _, err := trainers[i].Step(true); err != nil {
				return fmt.Errorf("%s on %s: %w", name, config, err)
			}
		}
	}
	for range turns {
		for i, t := range trainers {
			start := time.Now()
			for k := range steps {
				if _, err := t.Step(k == steps-1); err != nil { // the last loss waits for all
					return err
				}
			}
			times[i] = append(times[i], time.Since(start)/time.Duration(steps))
		}
	}
	for i, config := range configs {
		slices.Sort(times[i])
		fmt.Printf("%-8s %-24s %v a step (least %v)\n", name, config, times[i][turns/2].Round(time.Microsecond), times[i][0].Round(time.Microsecond))
	}
	return nil
}
