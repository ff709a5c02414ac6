package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// deviceReport is a device as it is printed.
type deviceReport struct {
	Device  string       `json:"device"`
	Name    string       `json:"name"`
	Kind    string       `json:"kind,omitempty"`
	Driver  string       `json:"driver,omitempty"`
	Memory  int64        `json:"memory,omitempty"` // bytes
	Refused string       `json:"refused,omitempty"`
	Caps    *target.Caps `json:"caps,omitempty"`
}

func devicesCommand() *cobra.Command {
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the devices found and why others are not",
		Long: `List the devices of all backends, the best first: that is the one which programs open unless WEFT_DEVICE or they
themselves name another. Devices that cannot be used come last, with the reason.`,
		Example: "  weft devices\n  weft devices -v\n  weft devices --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := deviceReports(verbose || asJSON)
			if asJSON {
				return printJSON(cmd.OutOrStdout(), list)
			}
			return printDevices(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "also what each device can do")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// deviceReports lists all devices; those that can be used are opened if their abilities are wanted.
func deviceReports(caps bool) []deviceReport {
	list := []deviceReport{}
	for _, d := range weft.Devices() {
		r := deviceReport{Device: d.Spec(), Name: d.Name, Driver: d.Driver, Memory: d.Memory}
		if d.Refused != nil {
			r.Refused = backend.Reason(d.Refused, d.Backend)
		} else if r.Kind = d.Kind.String(); caps {
			dev, err := weft.Open(d.Spec())
			if err != nil {
				r.Refused = backend.Reason(err, d.Backend)
			} else {
				c := dev.Caps()
				r.Caps = &c
				dev.Close()
			}
		}
		list = append(list, r)
	}
	return list
}

func printDevices(out io.Writer, list []deviceReport) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, d := range list {
		if d.Refused != "" {
			fmt.Fprintf(w, "%s\trefused\t%s\n", d.Device, d.Refused)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s, %s%s\n", d.Device, d.Kind, d.Name, d.Driver, memory(d.Memory))
		if d.Caps != nil {
			for _, line := range capsLines(*d.Caps) {
				fmt.Fprintf(w, "\t\t%s\n", line)
			}
		}
	}
	return w.Flush()
}

func memory(n int64) string {
	if n == 0 {
		return ""
	}
	return ", " + size(n)
}

// capsLines says what a device can do.
func capsLines(c target.Caps) []string {
	limit := func(n int64, unit func(int64) string) string {
		if n == 0 {
			return "unlimited"
		}
		return unit(n)
	}
	count := func(n int64) string { return fmt.Sprint(n) }
	has := func(b bool) string {
		if b {
			return "yes"
		}
		return "no"
	}
	language := c.Language.String()
	if c.Arch != "" {
		language += " for " + c.Arch
	}
	lines := []string{"takes " + language}
	if !c.WholeTiles { // the interpreter has no workgroups, and the host's memory
		lines = append(lines,
			fmt.Sprintf("workgroup: %s threads, %s of shared memory, subgroups of size %s, %s registers a thread", limit(int64(c.MaxThreads), count),
				limit(int64(c.SharedBytes), size), known(c.SubgroupSize), known(c.Registers)),
			fmt.Sprintf("grid: %s × %s × %s workgroups", limit(int64(c.MaxGrid[0]), count), limit(int64(c.MaxGrid[1]), count), limit(int64(c.MaxGrid[2]), count)),
			fmt.Sprintf("memory: %s a buffer, %s a binding, %s bindings", limit(c.MaxBufferBytes, size), limit(c.MaxBindingBytes, size), limit(int64(c.MaxBindings), count)),
			fmt.Sprintf("16-bit floats: %s in memory, rounding by the hardware: %s", has(c.F16), has(c.F16Nearest)))
	}
	for _, m := range c.Cooperative.Rows() {
		lines = append(lines, "cooperative matrices: "+m.String())
	}
	lines = append(lines, machineLine(c.Facts()))
	return append(lines, "64-bit integers: "+has(c.Int64), "64-bit floats: "+has(c.Float64), "fingerprint: "+c.Fingerprint)
}

// machineLine says what a device is made of.
func machineLine(m *target.Machine) string {
	name := m.Name
	if m.Generic {
		name += " (usual figures)"
	}
	return fmt.Sprintf("machine: %s, %s, %s of cache for all, %.4g GB/s of memory, %.3g TFLOP/s of f32", name, fault.Count(m.Units, "compute unit"), size(m.L2), m.Memory/1e9, m.Flops/1e12)
}

// known prints a number that is 0 where it is not known.
func known(n int) string {
	if n == 0 {
		return "unknown"
	}
	return fmt.Sprint(n)
}

// size prints bytes in binary units.
func size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(n), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") + " " + units[i]
}

func printJSON(out io.Writer, x any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(x)
}
