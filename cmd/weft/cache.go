package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/tune"
)

func cacheCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show, clear, export and import what weft keeps on disk",
		Long: `Compiled kernels and configs that were measured to be the fastest are kept in the user's cache
folder, or in the folder that WEFT_CACHE names; WEFT_CACHE=off keeps nothing. Without a command it is shown.`,
		Example: `  weft cache
  weft cache show --tuned
  weft cache clear programs
  weft cache export -o tuned.json --op matmul
  weft cache import tuned.json`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return showCache(cmd.OutOrStdout(), false) },
	}
	cmd.AddCommand(cacheShowCommand(), cacheClearCommand(), cacheExportCommand(), cacheImportCommand(), cacheReportCommand())
	return cmd
}

func cacheShowCommand() *cobra.Command {
	var tuned, asJSON bool
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Show what is kept, and how much of it",
		Example: "  weft cache show\n  weft cache show --tuned",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if tuned {
				return showTuned(cmd.OutOrStdout(), asJSON)
			}
			return showCache(cmd.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&tuned, "tuned", false, "list the configs that were measured")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// kindReport is a kind of entries as it is printed.
type kindReport struct {
	Kind    string    `json:"kind"`
	Purpose string    `json:"purpose"`
	Folder  string    `json:"folder"`
	Entries int       `json:"entries"`
	Bytes   int64     `json:"bytes"`
	Budget  int64     `json:"budget"`
	Used    time.Time `json:"used,omitzero"`     // the latest use
	Refused string    `json:"refused,omitempty"` // why the folder is not used
}

func showCache(out io.Writer, asJSON bool) error {
	root, err := cachedir.Root()
	if err != nil { // there is none, which is no fault of this command
		root = "nothing is kept: " + strings.TrimPrefix(err.Error(), "weft: ")
	}
	list := []kindReport{}
	for _, k := range cachedir.Kinds {
		store := k.Open()
		r := kindReport{Kind: k.Name, Purpose: k.Purpose, Folder: store.Dir(), Budget: k.Budget}
		if err := store.Check(); err != nil { // which is no fault of this command either
			r.Refused = strings.TrimPrefix(err.Error(), "weft: cache: ")
			list = append(list, r)
			continue
		}
		entries, err := store.Entries()
		if err != nil {
			return err
		}
		r.Entries = len(entries)
		for _, e := range entries {
			r.Bytes += e.Bytes
			if e.Used.After(r.Used) {
				r.Used = e.Used
			}
		}
		list = append(list, r)
	}
	if asJSON {
		return printJSON(out, list)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n", root)
	for _, r := range list {
		if r.Refused != "" {
			fmt.Fprintf(w, "%s\t%s\n", r.Kind, r.Refused)
			continue
		}
		used := ""
		if !r.Used.IsZero() {
			used = "used " + r.Used.Format(time.DateTime)
		}
		fmt.Fprintf(w, "%s\t%s\t%s of %s\t%s\t%s\n", r.Kind, fault.Count(r.Entries, "entry"), size(r.Bytes), size(r.Budget), r.Purpose, used)
	}
	return w.Flush()
}

func showTuned(out io.Writer, asJSON bool) error {
	entries, err := tune.Entries()
	if asJSON {
		return errors.Join(err, printJSON(out, entries))
	}
	for _, e := range entries {
		fmt.Fprintf(out, "%s %s  %v  %s  %s\n", e.Op, e.Problem, e.Best().Round(10*time.Nanosecond), tune.Words(e.Config), e.Device)
	}
	return err
}

func cacheClearCommand() *cobra.Command {
	var names []string
	for _, k := range cachedir.Kinds {
		names = append(names, k.Name)
	}
	return &cobra.Command{
		Use:       "clear [" + strings.Join(names, "|") + "]...",
		Short:     "Delete what is kept, or kinds of it",
		Example:   "  weft cache clear\n  weft cache clear programs tuned",
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			for _, a := range args {
				if !slices.Contains(names, a) {
					return usage{fmt.Errorf("the cache has nothing of the kind %q, want one of %s", a, strings.Join(names, ", "))}
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var all error
			for _, k := range cachedir.Kinds {
				if len(args) > 0 && !slices.Contains(args, k.Name) {
					continue
				}
				bytes, err := k.Open().Clear()
				all = errors.Join(all, err)
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s deleted\n", k.Name, size(bytes))
			}
			return all
		},
	}
}

func cacheExportCommand() *cobra.Command {
	var out, op, device string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the measured configs as a table to ship with a program",
		Long: `Write the configs that were measured as a table. A program that ships it (//go:embed) and calls tune.Import has them on
devices of the same kind without measuring.`,
		Example: "  weft cache export -o tuned.json\n  weft cache export --op matmul --device H200 -o tuned.json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			kept := 0
			keep := func(e tune.Entry) bool {
				if op != "" && e.Op != op || !strings.Contains(e.Device, device) {
					return false
				}
				kept++
				return true
			}
			var table bytes.Buffer // whole, before anything is written over what the file holds
			if err := tune.Export(&table, keep); err != nil {
				return err
			}
			if kept == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "the table is empty: nothing of this kind was measured")
			}
			if out == "" {
				_, err := cmd.OutOrStdout().Write(table.Bytes())
				return err
			}
			return os.WriteFile(out, table.Bytes(), 0o666)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write to, instead of the terminal")
	cmd.Flags().StringVar(&op, "op", "", "only what was measured for an op")
	cmd.Flags().StringVar(&device, "device", "", "only devices whose fingerprint contains this")
	return cmd
}

func cacheImportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Take measured configs over from a table that export wrote",
		Long: `Take the entries of a table into the cache folder, for all programs of this user: on the device that they were measured on,
and on those with the same capabilities where nothing was measured. The whole table is checked before anything is written. An entry
that is there stays if it is later than the table's. - reads the table from the standard input.`,
		Example: "  weft cache import tuned.json\n  weft cache import -",
		Args:    exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			table, err := readInput(cmd, args[0])
			if err != nil {
				return err
			}
			m, err := tune.Merge(table)
			if err != nil && m == (tune.Merged{}) {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s stored, %d known already, %d of other versions of weft left out\n", fault.Count(m.Stored, "entry"), m.Known, m.Foreign)
			return err
		},
	}
}

// readInput reads a file, or the standard input for "-".
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(cmd.InOrStdin())
	}
	return os.ReadFile(name)
}

func cacheReportCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "report",
		Short:   "Compare what is chosen without tuning with what was measured",
		Example: "  weft cache report",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			entries, err := tune.Entries()
			return errors.Join(err, tune.WriteReport(cmd.OutOrStdout(), tune.Report(entries)))
		},
	}
}
