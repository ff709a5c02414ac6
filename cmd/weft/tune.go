package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/tune"
	"github.com/weftgpu/weft/tune/progress"
)

// tuneFlags are what may be said of races.
type tuneFlags struct {
	device               string
	trials, shown        int
	try                  []string
	again, exact, asJSON bool
	timeout              time.Duration
}

func tuneCommand() *cobra.Command {
	var options catalog.Options
	var f tuneFlags
	var s setFlags
	cmd := &cobra.Command{
		Use:   "tune OP SHAPE | --set NAME",
		Short: "Find the fastest configs of ops on a device by measuring, and remember them",
		Long: `Race the configs of the kernels that an op launches for a shape, on a device of this machine: alternately, so that noise
meets all of them, dropping the slower half in each round. Each config's result is checked before it is timed and after that, the winner's
once more at the end, and a time beyond the roofline is not believed. What is found is kept in the
cache folder and used from then on by every program of this user, for this and like shapes.

With --set the works of the benchmark's sets are tuned, one after the other: layers of models, say. One that fails is reported and
skipped. The end shows how far from the fastest the choices without tuning are, as "weft cache report" does for all that is kept.

Configs that fail are dropped and listed. An interrupted race keeps what it learned. WEFT_TUNE=1 does the same within
any program, at its first launch for each shape.`,
		Example: `  weft tune matmul 4096x4096x4096 --dtype f16
  weft tune softmax 65536x4096 --device cuda --trials 100
  weft tune matmul 8192x8192x8192 --dtype f16 --try '{"InFlight":2}' --try '{"Stages":3}' --trials 1
  weft tune attention 4x32x4096x128 --causal --again --json
  weft tune --set llama,square --device cuda --trials 16 --show 1`,
		Args:              s.args,
		ValidArgsFunction: completeOp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(s.sets) > 0 {
				return f.runSet(cmd, s)
			}
			c, err := parseCall(cmd, args, options)
			if err != nil {
				return err
			}
			return f.run(cmd, c)
		},
	}
	opFlags(cmd, &options)
	cmd.Flags().StringSliceVar(&s.sets, "set", nil, "tune the works of the benchmark's sets: "+strings.Join(setNames(), ", "))
	complete(cmd, "set", setNames()...)
	cmd.Flags().StringVar(&s.op, "op", "", "of the sets: only works whose names match a regular expression, such as ^matmul")
	cmd.Flags().StringVar(&s.size, "size", "auto", "of the sets' works: full, small, tiny or auto, by the kind of device")
	cmd.Flags().StringVar(&f.device, "device", "", "device to tune on, such as cuda or vulkan:1 (default: the best one)")
	completeDevice(cmd)
	cmd.Flags().IntVar(&f.trials, "trials", 0, "how many configs take part, those that the model ranks first; -1 for all (default 32)")
	cmd.Flags().StringArrayVar(&f.try, "try", nil, `a further config, as JSON of the fields in which it differs from the choice without tuning: {"Stages":3}`)
	cmd.Flags().IntVar(&f.shown, "show", 5, "how many configs of each race are printed")
	cmd.Flags().BoolVar(&f.again, "again", false, "race what is known already, too")
	cmd.Flags().BoolVar(&f.exact, "exact", false, "keep the result for this very shape, not for like ones")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 0, "time for one config to be compiled, checked and run once (default 1m)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the entries as they are kept")
	return cmd
}

// run races what a call launches.
func (f tuneFlags) run(cmd *cobra.Command, c *catalog.Call) error {
	ctx := cmd.Context()
	if err := ctx.Err(); err != nil {
		return err
	}
	dev, err := weft.Open(f.device)
	if err != nil {
		return err
	}
	defer dev.Close()
	p := c.Problem(c.Values())
	t, err := p.Tensors(dev)
	if err != nil {
		return err
	}
	defer t.Close()
	entries, err := f.races(cmd, func() error { return errors.Join(p.Run(t.Out, t.In), dev.Synchronize()) })
	if len(entries) == 0 && err == nil && !f.asJSON {
		fmt.Fprintf(cmd.ErrOrStderr(), "nothing to race for %s on %v: what it launches has no choices or is known already (--again)\n", c, dev)
	}
	return err
}

// races asks for races while something runs that launches ops, and prints what came of them.
func (f tuneFlags) races(cmd *cobra.Command, run func() error) (entries []tune.Entry, err error) {
	ctx := cmd.Context()
	switch {
	case f.trials < -1 || f.timeout < 0:
		return nil, usage{fmt.Errorf("--trials %d --timeout %v: want at least -1, and no negative time", f.trials, f.timeout)}
	case f.shown < 0:
		return nil, usage{fmt.Errorf("--show %d: want 0 or more", f.shown)}
	}
	entries = []tune.Entry{}
	var try []json.RawMessage
	for _, text := range f.try {
		if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return nil, usage{fmt.Errorf("--try: %s is not a JSON object", text)}
		}
		try = append(try, json.RawMessage(text))
	}
	if err := keeps(); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "what is measured is not kept: %s\n", strings.TrimPrefix(err.Error(), "weft: "))
	}
	var failed []error
	stop := tune.Auto(ctx, tune.Options{Trials: f.trials, Try: try, Again: f.again, Exact: f.exact, Timeout: f.timeout, Progress: progress.Terminal(),
		Failed: func(err error) { failed = append(failed, err) },
		Done: func(e tune.Entry) {
			entries = append(entries, e)
			if !f.asJSON {
				printEntry(cmd.OutOrStdout(), e, f.shown)
			}
		}})
	defer stop()
	err = errors.Join(run(), errors.Join(failed...))
	if ctx.Err() != nil { // what was measured until then is kept, and printed
		err = context.Cause(ctx)
	}
	if f.asJSON {
		err = errors.Join(err, printJSON(cmd.OutOrStdout(), entries))
	}
	tried := func(e tune.Entry) bool {
		return slices.ContainsFunc(e.Timings, func(t tune.Timing) bool { return t.Tried })
	}
	if len(try) > 0 && len(entries) > 0 && !slices.ContainsFunc(entries, tried) {
		fmt.Fprintf(cmd.ErrOrStderr(), "--try: no config of what was raced has these fields: %s\n", strings.Join(f.try, ", "))
	}
	return entries, err
}

// keeps tries whether what will be measured can be kept, since nobody wants to know it afterwards.
func keeps() error {
	if _, err := cachedir.Root(); err != nil {
		return err
	}
	store := cachedir.Tuned.Open()
	return cmp.Or(store.Put("try", nil), store.Delete("try"))
}

// printEntry prints a race: the fastest configs, the rule's, those that were asked for, and what was dropped.
func printEntry(out io.Writer, e tune.Entry, shown int) {
	state := ""
	if e.Partial {
		state = ", interrupted"
	}
	fmt.Fprintf(out, "%s %s: %s%s\n", e.Op, e.Measured, fault.Count(len(e.Timings), "config"), state)
	dropped := 0
	for i, t := range e.Timings {
		mark := ""
		if t.Rule {
			mark += "  (without tuning)"
		}
		if t.Tried {
			mark += "  (asked for)"
		}
		switch {
		case t.Dropped != "":
			dropped++
			if t.Rule || t.Tried || dropped <= shown {
				fmt.Fprintf(out, "  dropped   %s%s: %s\n", tune.Words(t.Config), mark, t.Dropped)
			}
		case i < shown || t.Rule || t.Tried:
			why := ""
			if t.Why != "" {
				why = ": " + t.Why
			}
			fmt.Fprintf(out, "  %9v  %.2f  %s%s%s\n", t.Median.Round(10*time.Nanosecond), ratio(t.Median, e.Best()), tune.Words(t.Config), mark, why)
		}
	}
}

func ratio(x, best time.Duration) float64 { return float64(x) / float64(max(best, 1)) }
