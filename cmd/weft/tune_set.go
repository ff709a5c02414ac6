package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/tune"
)

// setFlags say which of the benchmark's works are tuned.
type setFlags struct {
	sets     []string
	op, size string
}

func setNames() (names []string) {
	for _, s := range suite.Sets {
		names = append(names, s.Name)
	}
	return names
}

// args takes an op and a shape, or nothing where sets are named.
func (s *setFlags) args(cmd *cobra.Command, args []string) error {
	if len(s.sets) == 0 {
		for _, name := range []string{"op", "size"} {
			if cmd.Flags().Changed(name) {
				return usage{fmt.Errorf("--%s needs --set", name)}
			}
		}
		return exactly("OP", "SHAPE")(cmd, args)
	}
	for _, f := range catalog.Flags() {
		if cmd.Flags().Changed(f.Name) {
			return usage{fmt.Errorf("--%s is for an op, not for --set", f.Name)}
		}
	}
	return exactly()(cmd, args)
}

// works are those that were asked for, in the size for a device.
func (s *setFlags) works(dev *weft.Device) (list []suite.Work, err error) {
	wanted, err := regexp.Compile(s.op)
	if err != nil {
		return nil, usage{fmt.Errorf("--op: %w", err)}
	}
	size := measure.SizeFor(dev.Info().Kind)
	if s.size != "auto" {
		if size, err = suite.SizeNamed(s.size); err != nil {
			return nil, usage{err}
		}
	}
	if list, err = suite.List(size, s.sets...); err != nil {
		return nil, usage{err}
	}
	list = slices.DeleteFunc(list, func(w suite.Work) bool { return !wanted.MatchString(w.Name) })
	if len(list) == 0 {
		return nil, usage{fmt.Errorf("no work of these sets matches %q", s.op)}
	}
	return list, nil
}

// runSet races what the works of sets launch, one after the other. A work that fails is reported and left out.
func (f tuneFlags) runSet(cmd *cobra.Command, s setFlags) error {
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	dev, err := weft.Open(f.device)
	if err != nil {
		return err
	}
	defer dev.Close()
	works, err := s.works(dev)
	if err != nil {
		return err
	}
	return f.raceWorks(cmd, dev, works)
}

func (f tuneFlags) raceWorks(cmd *cobra.Command, dev *weft.Device, works []suite.Work) error {
	failed := 0
	entries, err := f.races(cmd, func() error {
		for i, w := range works {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d: %s\n", i+1, len(works), w.Name)
			err := runWork(dev, w)
			if cmd.Context().Err() != nil {
				return nil // races tells
			}
			if err != nil {
				failed++
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", w.Name, err)
			}
		}
		return nil
	})
	if !f.asJSON && len(entries) > 0 {
		err = errors.Join(err, tune.WriteReport(cmd.OutOrStdout(), tune.Report(entries)))
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %s failed", failed, fault.Count(len(works), "work")))
	}
	return err
}

// runWork runs a work once, on zeros: races have numbers of their own.
func runWork(dev *weft.Device, w suite.Work) (err error) {
	var tensors []*weft.Tensor
	defer func() {
		for _, t := range tensors {
			err = errors.Join(err, t.Close())
		}
	}()
	for _, o := range append(w.Inputs[:len(w.Inputs):len(w.Inputs)], w.Output) {
		t, err := weft.Zeros(dev, o.Elem, o.Shape...)
		if err != nil {
			return err
		}
		tensors = append(tensors, t)
	}
	last := len(tensors) - 1
	return errors.Join(w.Run(tensors[last], tensors[:last]), dev.Synchronize())
}
