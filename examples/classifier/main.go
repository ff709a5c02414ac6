package main

import (
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
)

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	steps := flag.Int("steps", 200, "steps of training")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if *steps < 0 {
		log.Fatalf("-steps %d, want 0 or more", *steps)
	}
	if err := run(*device, *steps); err != nil {
		log.Fatal(err)
	}
}

// run trains on all pictures but the last 500, which it then reads.
func run(device string, steps int) error {
	const held, hidden = 500, 48
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	all, err := readDigits()
	if err != nil {
		return err
	}
	train, test := all[:len(all)-held], all[len(all)-held:]

	net, err := newNetwork(dev, hidden)
	if err != nil {
		return err
	}
	x, wanted, err := train.tensors(dev)
	if err != nil {
		return err
	}
	took, err := dev.Time(func() error {
		for range steps {
			if err := net.step(x, wanted, 0.5); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("%v: %d steps on %d pictures in %v\n", dev, steps, len(train), took.Round(time.Millisecond))
	for _, part := range []struct {
		name  string
		set   digits
		least float64
	}{{"seen in training", train, 0.95}, {"not seen before", test, 0.88}} {
		right, err := net.right(dev, part.set)
		if err != nil {
			return err
		}
		share := float64(right) / float64(len(part.set))
		fmt.Printf("%s: %d of %d read right, %.1f %%\n", part.name, right, len(part.set), 100*share)
		if share < part.least {
			return fmt.Errorf("%s: fewer than %.0f %% are right", part.name, 100*part.least)
		}
	}
	return nil
}
