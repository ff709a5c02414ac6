package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/bench/command"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/setting"
)

func main() { os.Exit(run()) }

// run runs the command line of the process and returns its exit code.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// usage is an error of the command line itself.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// execute runs a command line and returns its exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	// One line, whatever a compiler's log holds.
	text := strings.TrimPrefix(err.Error(), "weft: ")
	first, _, more := strings.Cut(text, "\n")
	if more {
		first += " …"
	}
	fmt.Fprintf(stderr, "weft: %s\n", first)
	if isUsage(cmd, err) {
		fmt.Fprintf(stderr, "see '%s --help'\n", cmd.CommandPath())
		return 2
	}
	return 1
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "weft",
		Short: "Show what weft finds, compiles and chooses, and write its kernels out",
		Long: `weft compiles kernels described once, in Go, for every GPU. This command shows what it finds on a machine, what it
would launch for an op on any hardware and why, and writes the kernels out. Most of it needs no GPU.`,
		Example: `  weft devices
  weft explain matmul 4096x4096x4096 --dtype f16 --on h200
  weft emit softmax 4096x4096 --target wgsl
  weft emit matmul 1024x1024x1024 --target cuda --standalone -o matmul.cu`,
		SilenceErrors: true,
		SilenceUsage:  true,

		// Before anything runs: a wrong setting would be ignored where no device is opened.
		PersistentPreRunE: func(*cobra.Command, []string) error { return setting.Check() },

		SuggestionsMinimumDistance: 2,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage{fmt.Errorf("unknown command %q%s", args[0], nearest(cmd, args[0]))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage{err} })
	bench := command.New()
	bench.Example = strings.ReplaceAll(bench.Example, "  bench", "  weft bench")
	root.AddCommand(devicesCommand(), opsCommand(), hardwareCommand(), explainCommand(), emitCommand(), tuneCommand(), bench, cacheCommand(), versionCommand())
	return root
}

// nearest suggests a command.
func nearest(cmd *cobra.Command, name string) string {
	if list := cmd.SuggestionsFor(name); len(list) > 0 {
		return fmt.Sprintf("; did you mean %q?", list[0])
	}
	return ""
}

// exactly takes as many arguments as there are names.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != len(names) {
			want := strings.Join(names, " and ")
			if len(names) == 0 {
				want = "none"
			}
			return usage{fmt.Errorf("%s given, want %s", fault.Count(len(args), "argument"), want)}
		}
		return nil
	}
}

// isUsage reports an error of the command line: one of ours, or one that the command's parser found
// before anything ran.
func isUsage(cmd *cobra.Command, err error) bool {
	return errors.As(err, &usage{}) || command.ExitCode(err) == 2 || strings.HasPrefix(err.Error(), "unknown command")
}
