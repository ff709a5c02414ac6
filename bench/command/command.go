package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/bench/chart"
	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/peers"
	"github.com/weftgpu/weft/bench/report"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/fault"
)

// flags is what was asked for.
type flags struct {
	op      string
	sets    []string
	sample  suite.Sample
	devices []string
	size    string
	budget  time.Duration
	rounds  int
	warm    bool
	tuned   bool
	trials  int
	peers   []string
	from    string
	compare string
	save    string
	charts  string
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
  bench --device cuda,vulkan             some of the devices
  bench --set sampled --seed 7 --count 50 --family products
  bench --set sampled --count 20 --tuned --trials 16 --peers none
  bench --save new.json --compare old.json
  bench --from new.json --charts charts
  bench --from new.json --format bench | benchstat -col /who -`,
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c.Flags().Changed); err != nil {
				return &UsageError{err}
			}
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &UsageError{err} })
	o := c.Flags()
	o.StringVar(&f.op, "op", "", "only the work whose name matches a regular `expression`, such as ^matmul")
	o.StringSliceVar(&f.sets, "set", nil, "`sets` of work: "+setNames())
	o.Uint64Var(&f.sample.Seed, "seed", suite.DefaultSample.Seed, "of the set sampled: each has other shapes")
	o.IntVar(&f.sample.Count, "count", suite.DefaultSample.Count, "works of each family of the set sampled")
	o.StringVar(&f.sample.Family, "family", "", "the only `family` of the set sampled: "+strings.Join(suite.SampledFamilies(), ", "))
	o.StringSliceVar(&f.devices, "device", nil, "backends or devices such as cuda,vulkan:0; all GPUs if empty, or else all there is")
	o.StringVar(&f.size, "size", "auto", "of the work: full, small, tiny or auto, by the `kind` of device")
	o.DurationVar(&f.budget, "budget", 200*time.Millisecond, "time for the samples of one work on one device")
	o.IntVar(&f.rounds, "rounds", 1, "how many times all measure one work, alternately, with a part of the budget each: the heat of the work before is then the same for all")
	o.BoolVar(&f.warm, "warm", false, "let caches hold the operands")
	o.BoolVar(&f.tuned, "tuned", false, "measure each device twice: with the rules' choices, and tuned for each work first")
	o.IntVar(&f.trials, "trials", 0, "configs in each race of --tuned, those that the model ranks first; -1 for all (default 32)")
	o.BoolVar(&f.list, "list", false, "print the work there is and do none")
	o.StringSliceVar(&f.peers, "peers", []string{"auto"}, "other libraries: auto for those found, none, or some of "+strings.Join(peers.Names(), ", "))
	o.StringVar(&f.format, "format", "table", "of what is printed: table, json (a line each, as soon as it is there) or bench (of Go's benchmarks, for benchstat)")
	o.StringVar(&f.save, "save", "", "`file` for the results as JSON besides, line by line")
	o.StringVar(&f.charts, "charts", "", "draw the results into a `folder`, as PNG and SVG")
	o.StringVar(&f.from, "from", "", "show the results in a `file`, json or bench, and measure nothing")
	o.StringVar(&f.compare, "compare", "", "print the changes since the results in a `file`, json or bench, instead of a table")
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

// The flags that say what is measured and how, and those that say so of the set sampled alone.
var (
	measuring = append([]string{"device", "size", "budget", "rounds", "warm", "tuned", "trials", "peers", "save", "list"}, sampling...)
	sampling  = []string{"seed", "count", "family"}
)

// check refuses flags with values that they cannot have, or that another one has mean nothing.
func (f *flags) check(given func(string) bool) error {
	if !slices.Contains([]string{"table", "json", "bench"}, f.format) {
		return fault.New(weft.ErrArgument, "bench", "%q, want table, json or bench", f.format).For("format")
	}
	for _, x := range []struct {
		flag  string
		wrong bool
		want  string
	}{
		{"budget", f.budget <= 0, fmt.Sprintf("%v, want more than 0", f.budget)}, {"rounds", f.rounds < 1, fmt.Sprintf("%d, want at least 1", f.rounds)},
		{"trials", f.trials < -1, fmt.Sprintf("%d, want at least 1, or -1 for all", f.trials)},
	} {
		if x.wrong {
			return fault.New(weft.ErrArgument, "bench", "%s", x.want).For(x.flag)
		}
	}
	if f.trials != 0 && !f.tuned {
		return fault.New(weft.ErrArgument, "bench", "it is for --tuned").For("trials")
	}
	for _, name := range measuring {
		if given(name) && f.from != "" {
			return fault.New(weft.ErrArgument, "bench", "it is for what is measured, --from measures nothing").For(name)
		}
	}
	for _, name := range sampling {
		if given(name) && !slices.Contains(f.sets, suite.Sampled) {
			return fault.New(weft.ErrArgument, "bench", "it is for --set %s", suite.Sampled).For(name)
		}
	}
	return nil
}

func (f *flags) run(ctx context.Context, stdout, stderr io.Writer) error {
	var old []result.Result
	if f.compare != "" { // first, since measuring takes long
		var err error
		if old, err = result.ReadFile(f.compare); err != nil {
			return err
		}
	}
	if f.charts != "" && !f.list { // for the same reason
		if err := os.MkdirAll(f.charts, 0o777); err != nil {
			return err
		}
	}
	results, err := f.results(ctx, stdout, stderr)
	if f.list || len(results) == 0 {
		return err
	}
	result.Raise(results)
	err = errors.Join(err, f.show(stdout, results, old))
	if f.charts != "" {
		files, failed := chart.Write(f.charts, results)
		fmt.Fprintf(stderr, "%s in %s\n", fault.Count(len(files), "file"), f.charts)
		err = errors.Join(err, failed)
	}
	return errors.Join(err, failures(results))
}

// show prints the results, or their changes since older ones.
func (f *flags) show(out io.Writer, results, old []result.Result) error {
	switch {
	case f.compare != "":
		return report.WriteChanges(out, report.Compare(f.comparable(old, results), results))
	case f.format == "bench":
		return result.WriteBench(out, results)
	case f.format == "table":
		drawn := result.Where(results, func(r result.Result) bool { return slices.Contains(r.Sets, suite.Sampled) })
		return errors.Join(report.Table(out, results), report.Summary(out, drawn), report.Tuning(out, results))
	case f.from != "":
		for _, r := range results {
			if err := result.WriteJSON(out, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparable are the old results that this run, which may have left out much, could have met.
func (f *flags) comparable(old, results []result.Result) (list []result.Result) {
	wanted := regexp.MustCompile(f.op)
	for _, o := range old {
		isSame := func(r result.Result) bool { return r.Who == o.Who }
		if wanted.MatchString(o.Work) && slices.ContainsFunc(results, isSame) && f.inSets(o) {
			list = append(list, o)
		}
	}
	return list
}

// inSets says whether a result is of a work of the sets that are named, if any is.
func (f *flags) inSets(r result.Result) bool {
	return len(f.sets) == 0 || slices.ContainsFunc(r.Sets, func(set string) bool { return slices.Contains(f.sets, set) })
}

// results are those of the file, or measured. An interruption is an error in addition to the results that there are.
func (f *flags) results(ctx context.Context, stdout, stderr io.Writer) ([]result.Result, error) {
	wanted, err := regexp.Compile(f.op)
	if err != nil {
		return nil, &UsageError{fmt.Errorf("--op: %w", err)}
	}
	if f.from != "" {
		list, err := result.ReadFile(f.from)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(r result.Result) bool { return !wanted.MatchString(r.Work) || !f.inSets(r) })
		if len(list) == 0 {
			return nil, &UsageError{fault.New(weft.ErrArgument, "bench", "%s has no result of these works", f.from).For("from")}
		}
		return list, nil
	}
	works, err := f.works(wanted)
	if err != nil {
		return nil, err
	}
	infos, err := f.found()
	if err != nil {
		return nil, err
	}
	if f.list {
		return nil, f.print(stdout, infos, works)
	}
	return f.measure(ctx, infos, works, stdout, stderr)
}

// measure opens the devices, starts the peers and does the works.
func (f *flags) measure(ctx context.Context, infos []weft.DeviceInfo, works func(suite.Size) []suite.Work, stdout, stderr io.Writer) (list []result.Result, err error) {
	warn := func(err error) { fmt.Fprintln(stderr, err) }
	least := slog.LevelInfo
	if f.tuned { // races log each config that they drop
		least = slog.LevelWarn
	}
	measure.CountKernels(least)
	isCUDA := func(info weft.DeviceInfo) bool { return info.Backend == "cuda" }
	options := measure.Options{Budget: f.budget / time.Duration(f.rounds), Warm: f.warm, ClockHeld: slices.ContainsFunc(infos, isCUDA)}
	contenders, sides, close, err := f.open(infos, options, warn)
	defer close()
	if err != nil {
		return nil, err
	}
	others, err := peers.Start(ctx, f.peers, sides, options, warn)
	if errors.Is(err, weft.ErrArgument) { // a name that is none
		err = &UsageError{err}
	}
	if err != nil {
		return nil, err
	}
	for _, p := range others {
		defer p.Close()
		contenders = append(contenders, p)
	}
	outs := []io.Writer(nil)
	if f.format == "json" && f.compare == "" {
		outs = append(outs, stdout)
	}
	if f.save != "" {
		file, err := os.Create(f.save)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		outs = append(outs, file)
	}
	bar := newProgress(stderr)
	defer bar.close()
	err = measure.Run{
		Contenders: contenders, Works: works, Version: version(), Rounds: f.rounds, Progress: bar.next, Warn: warn,
		Emit: func(r result.Result) error {
			list = append(list, r)
			return result.WriteJSON(io.MultiWriter(outs...), r)
		},
	}.Do(ctx)
	return list, err
}

// works lists the works of a size that were asked for.
func (f *flags) works(wanted *regexp.Regexp) (func(suite.Size) []suite.Work, error) {
	lists, any := map[suite.Size][]suite.Work{}, false
	for _, s := range []suite.Size{suite.Full, suite.Small, suite.Tiny} {
		list, err := suite.ListSampled(s, f.sample, f.sets...)
		if err != nil {
			return nil, &UsageError{err}
		}
		lists[s] = slices.DeleteFunc(list, func(w suite.Work) bool { return !wanted.MatchString(w.Name) })
		any = any || len(lists[s]) > 0
	}
	if !any {
		return nil, &UsageError{fault.New(weft.ErrArgument, "bench", "no work of these sets matches %q; --list prints the names", f.op).For("op")}
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

// open opens the devices and says what sides there are for peers. The caller calls close even with an error.
func (f *flags) open(infos []weft.DeviceInfo, o measure.Options, warn func(error)) (list []measure.Contender, sides []peers.Side, close func(), err error) {
	var opened []*weft.Device
	var devices []*measure.Device
	close = func() {
		for _, d := range opened {
			d.Close()
		}
	}
	for _, info := range infos {
		size, err := f.sizeFor(info)
		if err != nil {
			return nil, nil, close, err
		}
		dev, err := weft.Open(info.Spec())
		if err != nil { // the others still run
			warn(err)
			continue
		}
		opened = append(opened, dev)
		devices = append(devices, measure.NewDevice(dev, size, o))
		if side := (peers.Side{GPU: info.Kind == backend.GPU, Size: size}); !slices.Contains(sides, side) {
			sides = append(sides, side)
		}
	}
	if len(devices) == 0 {
		return nil, nil, close, fault.New(weft.ErrDevice, "bench", "no device can be opened").For("device")
	}
	return f.contenders(devices), sides, close, nil
}

// contenders are the devices, or each of them by rule and tuned.
func (f *flags) contenders(devices []*measure.Device) (list []measure.Contender) {
	if f.tuned {
		return measure.BothChoices(devices, f.trials)
	}
	for _, d := range devices {
		list = append(list, d)
	}
	return list
}

func (f *flags) sizeFor(info weft.DeviceInfo) (suite.Size, error) {
	if f.size == "auto" {
		return measure.SizeFor(info.Kind), nil
	}
	size, err := suite.SizeNamed(f.size)
	if err != nil {
		return size, &UsageError{err}
	}
	return size, nil
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
		return fmt.Errorf("%d of %s failed", n, fault.Count(len(results), "measurement"))
	}
	return nil
}
