package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/tune"
)

// launchReport is a launch as it is printed.
type launchReport struct {
	Kernel     string         `json:"kernel"`
	Config     map[string]any `json:"config"`
	Programs   [3]int         `json:"programs"`
	Workgroups [3]int         `json:"workgroups"`
	Threads    int            `json:"threads"`
	Shared     int            `json:"sharedBytes"`
	Views      []string       `json:"views"`
	Choices    []string       `json:"choices"`

	config string // in words
}

// explanation is what explain prints.
type explanation struct {
	Call     string         `json:"call"`
	Target   string         `json:"hardware"`
	About    string         `json:"about"`
	Launches []launchReport `json:"launches"`
	Configs  []tune.Choice  `json:"configs"`
	Refused  string         `json:"refused,omitempty"`
}

func explainCommand() *cobra.Command {
	var options catalog.Options
	var hw hardwareFlags
	var asJSON bool
	var alternatives int
	cmd := &cobra.Command{
		Use:   "explain OP SHAPE",
		Short: "Show what an op would launch on some hardware, and why",
		Long: `Show the kernels that an op launches for a shape: the config that was chosen, the grid, how the operands are stored in memory,
and for each load, store, product and loop which instructions were chosen and what stood against better ones. Then which
other configs there were, with the times that the model of the machine expects, and why others are not legal. On an H200
by CUDA these are within a factor of 1.5 of nearly all measured ones. Of other GPUs that are known, and where launching takes longest, they
are what the GPU needs at least; where only the kind of device is known, on the CPU and on software drivers there are none.

Nothing runs. Kernels are compiled for hardware that need not be there (--on, see 'weft hardware'), for a usual GPU of a language
or the CPU (--target), or for a device of this machine (--device), by default the best one.
'weft ops' lists the ops and how their shapes are written.`,
		Example: `  weft explain matmul 4096x4096x4096 --dtype f16 --layout nt --on h200
  weft explain softmax 4096x4096 --on webgpu
  weft explain softmax 4096x4096 --target cpu
  weft explain conv2d 32x64x56x56,64x64x3x3 --pad 1 --device cuda --json`,
		Args:              exactly("OP", "SHAPE"),
		ValidArgsFunction: completeOp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if alternatives < 0 {
				return usage{fmt.Errorf("--alternatives %d: want 0 or more", alternatives)}
			}
			c, err := parseCall(cmd, args, options)
			if err != nil {
				return err
			}
			h, err := hw.explained()
			if err != nil {
				return err
			}
			list, choices, refused := launchesAndChoices(c, h)
			if len(list) == 0 && refused != nil && !asJSON {
				return refused
			}
			e := explain(c, h, list, refused)
			e.Configs = append(e.Configs, choices...)
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), e)
			} else {
				err = e.print(cmd.OutOrStdout(), alternatives)
			}
			if err == nil {
				err = refused
			}
			return err
		},
	}
	opFlags(cmd, &options)
	hw.add(cmd, "language to compile to, for a usual GPU of it: cuda, wgsl or spirv")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all configs that were legal or refused")
	cmd.Flags().IntVar(&alternatives, "alternatives", 3, "how many other configs are printed")
	return cmd
}

// explained is the hardware that is asked for; that of --target cpu, which runs no language, is the cores of this machine.
func (h hardwareFlags) explained() (hardware, error) {
	switch {
	case h.target == "cpu" && h.on == "" && h.device == "":
		h.target, h.on = "", "cpu"
	case h.target != "" && h.target != "cpu": // which fits finds on --on and --device
		if err := h.checkTarget(); err != nil {
			return hardware{}, err
		}
	}
	return h.find(languages[h.target])
}

func explain(c *catalog.Call, h hardware, list []offline.Launch, refused error) explanation {
	e := explanation{Call: c.String(), Target: h.Name, About: h.About, Launches: []launchReport{}, Configs: []tune.Choice{}}
	if refused != nil {
		e.Refused = strings.TrimPrefix(refused.Error(), "weft: ")
	}
	for _, l := range list {
		r := launchReport{Kernel: l.Kernel.Name, Config: map[string]any{}, Programs: l.Programs, Workgroups: l.Grid,
			Threads: l.Artifact.Source.Threads, Shared: l.Artifact.Source.Shared, Choices: offline.Fold(l.Artifact.Notes)}
		for name, value := range offline.Fields(l.Kernel.Config) {
			r.Config[name] = fmt.Sprint(value)
		}
		r.config = tune.WordsOf(l.Kernel.Config)
		for i, a := range l.Args {
			r.Views = append(r.Views, fmt.Sprintf("%s %v %v, strides %v", l.Kernel.Views[i].Name, a.Elem, a.Layout.Shape(), a.Layout.Strides()))
		}
		e.Launches = append(e.Launches, r)
	}
	return e
}

func (e explanation) print(out io.Writer, alternatives int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s (%s)\n", e.Call, e.Target, e.About)
	for i, l := range e.Launches {
		fmt.Fprintf(&b, "\nlaunch %d of %d: %s\n", i+1, len(e.Launches), l.Kernel)
		if l.config != "" {
			fmt.Fprintf(&b, "  config   %s\n", l.config)
		}
		fmt.Fprintf(&b, "  grid     %s as %s of %s, %s of shared memory\n",
			times(l.Programs, "program"), times(l.Workgroups, "workgroup"), fault.Count(l.Threads, "thread"), size(int64(l.Shared)))
		for i, v := range l.Views {
			head := "views"
			if i > 0 {
				head = ""
			}
			fmt.Fprintf(&b, "  %-8s %s\n", head, v)
		}
		for i, c := range l.Choices {
			head := "choices"
			if i > 0 {
				head = ""
			}
			fmt.Fprintf(&b, "  %-8s %s\n", head, c)
		}
	}
	for _, c := range e.Configs {
		printChoice(&b, c, alternatives)
	}
	if e.Refused != "" {
		fmt.Fprintf(&b, "\nrefused: %s\n", e.Refused)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// sources says where choices come from that neither a rule nor the model made.
var sources = map[string]string{"measured": "as measured", "interrupted race": "as measured by an interrupted race", "imported": "as measured elsewhere"}

// printChoice prints which config was chosen for a problem, what else there was, and what is not legal.
func printChoice(b *strings.Builder, c tune.Choice, alternatives int) {
	fmt.Fprintf(b, "\nconfig of %s for %s\n  %-8s %s, %s%s\n", c.Op, c.Problem, "chosen", tune.Words(c.Config), cmp.Or(sources[c.Source], "by the "+c.Source), timeOf(c.Estimated))
	head := fmt.Sprintf("of %d", len(c.Legal))
	for i, x := range c.Legal {
		if i >= alternatives {
			break
		}
		fmt.Fprintf(b, "  %-8s %s%s\n", head, tune.Words(x.Config), timeOf(x.Estimated))
		head = ""
	}
	for i, r := range reasons(c.Refused) {
		head := ""
		if i == 0 {
			head = "illegal"
		}
		fmt.Fprintf(b, "  %-8s %s, such as %s: %s\n", head, fault.Count(r.count, "config"), tune.Words(r.first.Config), r.first.Reason)
	}
}

// timeOf says what the model estimates, in words that tell what it knows: nothing for numbers by which it ranks.
func timeOf(e tune.Estimated) string {
	switch {
	case e.Seconds == 0 || e.Meaning == tune.Ranking:
		return ""
	case e.Meaning == tune.Bound:
		return fmt.Sprintf(": at least %v on %s", span(e.Least), e.Machine)
	}
	return fmt.Sprintf(": %v expected", span(e.Seconds))
}

// span is a time in three digits or so.
func span(seconds float64) time.Duration {
	d := time.Duration(1e9 * seconds)
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// reason is why some configs are refused, in the words of the first.
type reason struct {
	first tune.RefusedCandidate
	count int
}

// reasons puts together what differs in numbers alone.
func reasons(refused []tune.RefusedCandidate) (list []reason) {
	index := map[string]int{}
	for _, r := range refused {
		key := numbers.ReplaceAllString(r.Reason, "0")
		at, known := index[key]
		if !known {
			at = len(list)
			index[key] = at
			list = append(list, reason{first: r})
		}
		list[at].count++
	}
	return list
}

var numbers = regexp.MustCompile(`[0-9]+`)

// times prints a grid of things of a name, without the dimensions of 1 after it.
func times(grid [3]int, noun string) string {
	n := 3
	for n > 1 && grid[n-1] == 1 {
		n--
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprint(grid[i])
	}
	if n == 1 {
		return fault.Count(grid[0], noun)
	}
	return strings.Join(parts, "×") + " " + noun + "s"
}
