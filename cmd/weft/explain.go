package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
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

	config string // in the order of its fields
}

// explanation is what explain prints.
type explanation struct {
	Call     string         `json:"call"`
	Target   string         `json:"target"`
	About    string         `json:"about"`
	Launches []launchReport `json:"launches"`
	Refused  string         `json:"refused,omitempty"`
}

func explainCommand() *cobra.Command {
	var options catalog.Options
	var hw hardwareFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain OP SHAPE",
		Short: "Show what an op would launch on some hardware, and why",
		Long: `Show the kernels that an op launches for a shape: the config that was chosen, the grid, how the operands lie in memory,
and for each load, store, product and loop which instructions were chosen and what stood against better ones.

Nothing runs. The hardware is a preset (see 'weft targets') or a device of this machine, by default the best one.
'weft ops' lists the ops and how their shapes are written.`,
		Example: `  weft explain matmul 4096x4096x4096 --dtype f16 --layout nt --target h200
  weft explain softmax 65536x4096 --target webgpu
  weft explain conv2d 32x64x56x56,64x64x3x3 --pad 1 --device cuda --json`,
		Args:              exactly("OP", "SHAPE"),
		ValidArgsFunction: completeOp,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := parseCall(cmd, args, options)
			if err != nil {
				return err
			}
			preset := hw.target
			if name, ok := languages[preset]; ok {
				preset = name
			}
			h, err := hw.find(preset)
			if err != nil {
				return err
			}
			list, refused := launches(c, h)
			if len(list) == 0 && refused != nil && !asJSON {
				return refused
			}
			e := explain(c, h, list, refused)
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), e)
			} else {
				err = e.print(cmd.OutOrStdout())
			}
			if err == nil {
				err = refused
			}
			return err
		},
	}
	opFlags(cmd, &options)
	hw.add(cmd, "hardware to compile for: a preset of 'weft targets', or cuda, wgsl, spirv for a usual one")
	complete(cmd, "target", append(presetNames(), "cuda", "wgsl", "spirv")...)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func explain(c *catalog.Call, h hardware, list []offline.Launch, refused error) explanation {
	e := explanation{Call: c.String(), Target: h.Name, About: h.About, Launches: []launchReport{}}
	if refused != nil {
		e.Refused = strings.TrimPrefix(refused.Error(), "weft: ")
	}
	for _, l := range list {
		r := launchReport{Kernel: l.Kernel.Name, Config: map[string]any{}, Programs: l.Programs, Workgroups: l.Grid,
			Threads: l.Artifact.Source.Threads, Shared: l.Artifact.Source.Shared, Choices: l.Artifact.Notes}
		var fields []string
		for name, value := range offline.Fields(l.Kernel.Config) {
			r.Config[name] = fmt.Sprint(value)
			fields = append(fields, fmt.Sprintf("%s=%v", name, value))
		}
		r.config = strings.Join(fields, " ")
		for i, a := range l.Args {
			r.Views = append(r.Views, fmt.Sprintf("%s %v %v, strides %v", l.Kernel.Views[i].Name, a.Elem, a.Layout.Shape(), a.Layout.Strides()))
		}
		e.Launches = append(e.Launches, r)
	}
	return e
}

func (e explanation) print(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s (%s)\n", e.Call, e.Target, e.About)
	for i, l := range e.Launches {
		fmt.Fprintf(&b, "\nlaunch %d of %d: %s\n", i+1, len(e.Launches), l.Kernel)
		if l.config != "" {
			fmt.Fprintf(&b, "  config   %s\n", l.config)
		}
		fmt.Fprintf(&b, "  grid     %s programs as %s workgroups of %d threads, %s of shared memory\n",
			times(l.Programs), times(l.Workgroups), l.Threads, size(int64(l.Shared)))
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
	if e.Refused != "" {
		fmt.Fprintf(&b, "\nrefused: %s\n", e.Refused)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// times prints a grid without the dimensions of 1 behind it.
func times(grid [3]int) string {
	n := 3
	for n > 1 && grid[n-1] == 1 {
		n--
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprint(grid[i])
	}
	return strings.Join(parts, "×")
}
