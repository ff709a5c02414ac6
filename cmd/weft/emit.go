package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/target"
)

// forms are the values of --target: the languages and intermediate forms of kernels.
var forms = []string{"tile", "simt", "wgsl", "cuda", "spirv", "wgsl-spirv"}

func emitCommand() *cobra.Command {
	var options catalog.Options
	var hw hardwareFlags
	var out string
	var alone standaloneFlags
	cmd := &cobra.Command{
		Use:   "emit OP SHAPE --target wgsl|cuda|spirv|wgsl-spirv|tile|simt",
		Short: "Write the kernels of an op: source, SPIR-V or an intermediate form",
		Long: `Write the kernels that an op launches for a shape:

  tile        tile IR: what is computed
  simt        simt IR: how one workgroup computes it
  wgsl        WebGPU's shading language
  cuda        CUDA C++
  spirv       SPIR-V for Vulkan: assembly, or with -o as a binary
  wgsl-spirv  SPIR-V that is compiled from WGSL, in the same way

Kernels are compiled for hardware (--on, see 'weft hardware'; by default a usual one of the language), or for a device
of this machine (--device). An op of several kernels gives all of them; -o writes each to a file of its own,
numbered from the second on.

With --standalone the whole op becomes one .cu file with the function

  extern "C" void solve(inputs, outputs, sizes)

on device pointers to dense row-major tensors: grids, workspace and checks included, right for any sizes, for a
judge site or any C++ program. The head of the file says what its arguments are. It is compiled for compute
capability 8.0 and up, unless --arch or --on say otherwise. --with-main adds a program that tests it.`,
		Example: `  weft emit softmax 4096x4096 --target wgsl
  weft emit matmul 4096x4096x4096 --dtype f16 --target cuda --arch sm_80 -o matmul.cu
  weft emit add 1048576 --target spirv -o add.spv
  weft emit attention 4x32x4096x128 --causal --target simt --on a100
  weft emit matmul 1024x1024x1024 --target cuda --standalone --with-main -o matmul.cu`,
		Args:              exactly("OP", "SHAPE"),
		ValidArgsFunction: completeOp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := hw.checkTarget(); err != nil {
				return err
			}
			c, err := parseCall(cmd, args, options)
			if err != nil {
				return err
			}
			if err := alone.check(hw.target); err != nil {
				return err
			}
			usual := languages[hw.target]
			if alone.on {
				usual = "a100" // whose code runs on all that is newer
			}
			h, err := hw.find(usual)
			if err != nil {
				return err
			}
			if alone.on {
				return alone.write(cmd, c, h, out)
			}
			list, err := launches(c, h)
			if err != nil {
				return err
			}
			return write(cmd, distinct(list), hw.target, out)
		},
	}
	opFlags(cmd, &options)
	hw.add(cmd, "language to write: tile, simt, wgsl, cuda, spirv or wgsl-spirv")
	cmd.Flags().BoolVar(&alone.on, "standalone", false, "with --target cuda: one file with a function solve")
	cmd.Flags().BoolVar(&alone.main, "with-main", false, "with --standalone: a test program, too, compiled by -DWEFT_MAIN")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write to, instead of the terminal")
	return cmd
}

// fits reports hardware that does not take a form.
func fits(form string, h hardware) error {
	takes := h.Caps.Language
	want := map[string]target.Language{"wgsl": target.WGSL, "wgsl-spirv": target.WGSL, "spirv": target.SPIRV, "cuda": target.CUDA, "cpu": target.TileIR}
	if l, ok := want[form]; ok && l != takes {
		return usage{fmt.Errorf("--target %s: %s takes %v", form, h.Name, takes)}
	}
	if form == "simt" && takes == target.TileIR {
		return usage{fmt.Errorf("--target simt: %s interprets tile IR", h.Name)}
	}
	return nil
}

// distinct leaves out launches of a kernel that is there already.
func distinct(list []offline.Launch) (kept []offline.Launch) {
	for _, l := range list {
		if !slices.ContainsFunc(kept, func(k offline.Launch) bool { return k.Artifact.Source.Text == l.Artifact.Source.Text }) {
			kept = append(kept, l)
		}
	}
	return kept
}

// write writes the kernels to the terminal or to files.
func write(cmd *cobra.Command, list []offline.Launch, form, out string) error {
	for i, l := range list {
		text, err := emit(cmd.Context(), l, form, out != "")
		if err != nil {
			return err
		}
		if out == "" {
			if len(list) > 1 {
				mark := "//"
				if strings.HasSuffix(form, "spirv") {
					mark = ";"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s kernel %d of %d: %s\n", mark, i+1, len(list), l.Kernel.Name)
			}
			if _, err := cmd.OutOrStdout().Write(text); err != nil {
				return err
			}
			continue
		}
		name := out
		if i > 0 {
			ext := filepath.Ext(out)
			name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(out, ext), i+1, ext)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s, %s\n", name, l.Kernel.Name, size(int64(len(text))))
	}
	return nil
}

// emit is a kernel in a form; binary asks for SPIR-V itself, not its text.
func emit(ctx context.Context, l offline.Launch, form string, binary bool) ([]byte, error) {
	switch form {
	case "tile":
		return []byte(l.Artifact.TileIR), nil
	case "simt":
		return []byte(l.Artifact.SimtIR()), nil
	case "spirv":
		if binary {
			return assembly.Assemble(l.Artifact.Source.Text)
		}
	case "wgsl-spirv":
		spv, err := spirv.Compile(l.Artifact.Source.Text)
		if err != nil || binary {
			return spv, err
		}
		return disassemble(ctx, spv)
	}
	return []byte(l.Artifact.Source.Text), nil
}

// disassemble makes text of SPIR-V by Khronos's tool.
func disassemble(ctx context.Context, spv []byte) ([]byte, error) {
	tool, err := exec.LookPath("spirv-dis")
	if err != nil {
		return nil, errors.New("to print SPIR-V as text, spirv-dis of the package spirv-tools is needed, which was not found; -o FILE writes the binary")
	}
	cmd := exec.CommandContext(ctx, tool, "--no-color", "-")
	cmd.Stdin = bytes.NewReader(spv)
	var text, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &log
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("spirv-dis: %w: %s", err, strings.TrimSpace(log.String()))
	}
	return text.Bytes(), nil
}
