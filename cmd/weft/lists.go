package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/target"
)

func opsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "ops",
		Short:   "List the ops that other commands take, and how their shapes are written",
		Example: "  weft ops",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, op := range catalog.Ops() {
				fmt.Fprintf(w, "%s\t%s\t%s\te.g. %s %s\n", op.Name, op.Shape, op.About, op.Name, op.Example)
			}
			return w.Flush()
		},
	}
}

func hardwareCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "hardware",
		Short:   "List the hardware that kernels can be compiled for without being there",
		Example: "  weft hardware",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, p := range target.Presets() {
				fmt.Fprintf(w, "%s\t%v\t%s\n", p.Name, p.Caps.Language, p.About)
			}
			return w.Flush()
		},
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of weft, of Go and of what is linked in",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			version, revision := "(devel)", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				if v := info.Main.Version; v != "" {
					version = v
				}
				for _, s := range info.Settings {
					switch {
					case s.Key == "vcs.revision":
						revision = " " + s.Value[:min(12, len(s.Value))] + revision
					case s.Key == "vcs.modified" && s.Value == "true":
						revision += " (modified)"
					}
				}
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "weft %s%s\n%s %s/%s\nbackends %s\n", version, revision,
				runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(backends(), ", "))
			return err
		},
	}
}

// backends are the names of those that are linked in, found or not.
func backends() (names []string) {
	seen := map[string]bool{}
	for _, d := range deviceReports(false) {
		name, _, _ := strings.Cut(d.Device, ":")
		if !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names
}
