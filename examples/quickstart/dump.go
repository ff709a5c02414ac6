package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// dumpTargets are devices to compile for, by the suffix of their files. WGSL is
// for any WebGPU implementation, within the limits that all grant.
var dumpTargets = []struct {
	suffix string
	caps   target.Caps
}{
	{"wgsl", target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10, MaxBindings: 8, MaxGrid: [3]int{65535, 65535, 65535}}},
	{"cu", target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, MaxGrid: [3]int{1<<31 - 1, 65535, 65535}}},
}

const dumpSide = 4096 // the kernels are compiled for square operands of this side

// dump writes the stages of every kernel for every target.
func dump(w io.Writer, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	square, err := layout.Contiguous(dumpSide, dumpSide)
	if err != nil {
		return err
	}
	for _, t := range dumpTargets {
		funcs, err := dumpKernels(t.caps, square)
		if err != nil {
			return err
		}
		for _, k := range funcs {
			if err := dumpOne(w, dir, t.suffix, k, t.caps, square); err != nil {
				return fmt.Errorf("%s for %s: %w", k.Name, t.suffix, err)
			}
		}
	}
	return nil
}

// dumpKernels are the kernels that ops would launch for square operands.
func dumpKernels(caps target.Caps, square layout.Layout) (funcs []*tile.Func, err error) {
	build := func(k *tile.Func, buildErr error) {
		if err == nil {
			err = buildErr
		}
		funcs = append(funcs, k)
	}
	flat := square.Coalesce()
	build(ops.AddMap.Kernel.Build(elementwise.ConfigFor(caps, weft.F32, weft.F32, flat, flat, flat)))
	build(kernels.MatMul.Build(kernels.MatMulConfigFor(caps, weft.F32, dumpSide, dumpSide, dumpSide)))
	rows, _ := kernels.SoftmaxConfigFor(caps, weft.F32, square)
	build(kernels.Softmax.Build(rows))
	build(kernels.SoftmaxOnline.Build(rows))
	return funcs, err
}

// dumpOne writes the tile IR, the thread-level IR and the source of a kernel, and
// prints the compiler's notes.
func dumpOne(w io.Writer, dir, suffix string, k *tile.Func, caps target.Caps, square layout.Layout) error {
	args := make([]compile.Arg, len(k.Views))
	for i, v := range k.Views {
		l := square
		if v.Rank == 1 {
			l = square.Coalesce()
		}
		args[i] = compile.Arg{Buffer: &standIn{bytes: int64(l.Len() * v.Elem.Size())}, Elem: v.Elem, Layout: l}
	}
	facts, err := compile.FactsOf(k, args)
	if err != nil {
		return err
	}
	a, err := compile.Emit(k, facts, caps)
	if err != nil {
		return err
	}
	base := filepath.Join(dir, k.Name+"."+suffix)
	for _, file := range []struct{ name, text string }{
		{base + ".tile", a.TileIR}, {base + ".simt", a.SimtIR()}, {base, a.Source.Text},
	} {
		if err := os.WriteFile(file.name, []byte(file.text), 0o666); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s  and its stages .tile and .simt; %d threads, %d bytes of shared memory\n", base, a.Source.Threads, a.Source.Shared)
	for _, note := range a.Notes {
		fmt.Fprintln(w, "    "+strings.TrimSpace(note))
	}
	return nil
}

// standIn is a buffer that nobody will touch: compiling looks at its size alone.
type standIn struct{ bytes int64 }

func (b *standIn) Bytes() int64               { return b.bytes }
func (*standIn) Upload(int64, []byte) error   { return weft.ErrUnsupported }
func (*standIn) Download(int64, []byte) error { return weft.ErrUnsupported }
func (*standIn) Close() error                 { return nil }

var _ backend.Buffer = (*standIn)(nil)
