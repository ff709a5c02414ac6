package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/report"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/fault"
)

// flags is what was asked for.
type flags struct {
	op      string
	sets    []string
	devices []string
	size    string
	budget  time.Duration
	warm    bool
	list    bool
	format  string
}

// New makes the command. A program that runs it links the backends that it is to find.
func New() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "bench",
		Short: "Time ops on every backend, side by side",
		Long: `Bench times ops on the layers of well-known models and on sizes that show how they scale, on every GPU found or, where
there is none, on the CPU. Every result is checked before it is timed.`,
		Example: `  bench                                  all GPUs, the default sets
  bench --set llama --op ^linear         some of the work
  bench --device cuda,vulkan             some of the devices`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	o := c.Flags()
	o.StringVar(&f.op, "op", "", "only the work whose name matches a regular `expression`, such as ^matmul")
	o.StringSliceVar(&f.sets, "set", nil, "`sets` of work: "+setNames())
	o.StringSliceVar(&f.devices, "device", nil, "backends or devices such as cuda,vulkan:0; all GPUs if empty, or else all there is")
	o.StringVar(&f.size, "size", "auto", "of the work: full, small, tiny or auto, by the `kind` of device")
	o.DurationVar(&f.budget, "budget", 300*time.Millisecond, "time for the samples of one work on one device")
	o.BoolVar(&f.warm, "warm", false, "let caches hold the operands")
	o.BoolVar(&f.list, "list", false, "print the work there is and do none")
	o.StringVar(&f.format, "format", "table", "of what is printed: table or json")
	return c
}

func setNames() string {
	var names []string
	for _, s := range suite.Sets {
		if s.Default {
			names = append(names, s.Name)
		} else {
			names = append(names, s.Name+" (not by default)")
		}
	}
	return strings.Join(names, ", ")
}

func (f *flags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if !slices.Contains([]string{"table", "json"}, f.format) {
		return fault.New(weft.ErrUnsupported, "bench", "%q, want table or json", f.format).For("format")
	}
	works, err := f.works()
	if err != nil {
		return err
	}
	infos, err := f.found()
	if err != nil {
		return err
	}
	if f.list {
		return f.print(stdout, infos, works)
	}
	contenders, close, err := f.open(infos, stderr)
	defer close()
	if err != nil {
		return err
	}
	var results []result.Result
	err = measure.Run(ctx, contenders, works, func(r result.Result) error {
		results = append(results, r)
		if f.format == "json" { // as soon as it is there
			return result.WriteJSON(stdout, r)
		}
		return nil
	})
	if f.format == "table" {
		err = cmp.Or(err, report.Table(stdout, results))
	}
	return cmp.Or(err, failures(results))
}

// works lists the works of a size that were asked for.
func (f *flags) works() (func(suite.Size) []suite.Work, error) {
	wanted, err := regexp.Compile(f.op)
	if err != nil {
		return nil, fmt.Errorf("--op: %w", err)
	}
	lists, any := map[suite.Size][]suite.Work{}, false
	for _, s := range []suite.Size{suite.Full, suite.Small, suite.Tiny} {
		list, err := suite.List(s, f.sets...)
		if err != nil {
			return nil, err
		}
		lists[s] = slices.DeleteFunc(list, func(w suite.Work) bool { return !wanted.MatchString(w.Name) })
		any = any || len(lists[s]) > 0
	}
	if !any {
		return nil, fault.New(weft.ErrUnsupported, "bench", "no work of these sets matches %q; --list prints their names", f.op).For("op")
	}
	return func(s suite.Size) []suite.Work { return lists[s] }, nil
}

// found lists the devices to use: those that were named, or all GPUs, or all there are.
func (f *flags) found() (list []weft.DeviceInfo, err error) {
	var usable []weft.DeviceInfo
	for _, info := range weft.Devices() {
		if info.Refused == nil {
			usable = append(usable, info)
		}
	}
	if len(f.devices) == 0 {
		isGPU := func(info weft.DeviceInfo) bool { return info.Kind == backend.GPU }
		if slices.ContainsFunc(usable, isGPU) {
			usable = slices.DeleteFunc(usable, func(info weft.DeviceInfo) bool { return !isGPU(info) })
		}
		return usable, nil
	}
	for _, name := range f.devices {
		n := len(list)
		for _, info := range usable {
			if info.Spec() == name || info.Backend == name {
				list = append(list, info)
			}
		}
		if len(list) == n {
			dev, err := weft.Open(name) // which says why not
			if err != nil {
				return nil, err
			}
			dev.Close()
			list = append(list, dev.Info())
		}
	}
	return list, nil
}

// open opens the devices. What close does must be done even beside an error.
func (f *flags) open(infos []weft.DeviceInfo, stderr io.Writer) (list []measure.Contender, close func(), err error) {
	var opened []*weft.Device
	close = func() {
		for _, d := range opened {
			d.Close()
		}
	}
	for _, info := range infos {
		size, err := f.sizeFor(info)
		if err != nil {
			return nil, close, err
		}
		dev, err := weft.Open(info.Spec())
		if err != nil { // the others still have their turn
			fmt.Fprintln(stderr, err)
			continue
		}
		opened = append(opened, dev)
		list = append(list, measure.NewDevice(dev, size, measure.Options{Budget: f.budget, Warm: f.warm}))
	}
	if len(list) == 0 {
		return nil, close, fault.New(weft.ErrDevice, "bench", "no device can be opened").For("device")
	}
	return list, close, nil
}

func (f *flags) sizeFor(info weft.DeviceInfo) (suite.Size, error) {
	if f.size == "auto" {
		return measure.SizeFor(info.Kind), nil
	}
	return suite.SizeNamed(f.size)
}

// print lists the works of the devices' sizes.
func (f *flags) print(out io.Writer, infos []weft.DeviceInfo, works func(suite.Size) []suite.Work) error {
	done := map[suite.Size]bool{}
	for _, info := range infos {
		size, err := f.sizeFor(info)
		if err != nil {
			return err
		}
		if done[size] {
			continue
		}
		done[size] = true
		for _, w := range works(size) {
			if _, err := fmt.Fprintf(out, "%-60s %s\n", w.Name, strings.Join(w.Sets, ",")); err != nil {
				return err
			}
		}
	}
	return nil
}

// failures is an error that counts what did not succeed, nil if all did.
func failures(results []result.Result) error {
	n := 0
	for _, r := range results {
		if !r.OK() {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%d of %d measurements failed", n, len(results))
	}
	return nil
}
