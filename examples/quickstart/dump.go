package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
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

// dump writes the stages of every kernel for every target.
func dump(w io.Writer, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, t := range dumpTargets {
		launches, err := dumpLaunches(t.caps)
		if err != nil {
			return fmt.Errorf("for %s: %w", t.suffix, err)
		}
		for _, l := range launches {
			if err := dumpOne(w, filepath.Join(dir, l.Kernel.Name+"."+t.suffix), l); err != nil {
				return err
			}
		}
	}
	return nil
}

// dumpLaunches are what ops launch for square operands, and softmax for rows that no program holds at once, on a device
// that is not there.
func dumpLaunches(caps target.Caps) ([]offline.Launch, error) {
	dev, record := offline.Open("dump", caps)
	defer dev.Close()
	var s tensors
	x, long := s.keep(weft.Empty(dev, weft.F32, 4096, 4096)), s.keep(weft.Empty(dev, weft.F32, 256, 65536))
	if s.err == nil {
		s.keep(ops.Add(x, x))
		s.keep(ops.MatMul(x, x))
		s.keep(ops.Softmax(x))
		s.keep(ops.Softmax(long))
	}
	return record.Take(), s.err
}

// dumpOne writes the tile IR, the thread-level IR and the source of a kernel, and
// prints the compiler's notes.
func dumpOne(w io.Writer, base string, l offline.Launch) error {
	a := l.Artifact
	for suffix, text := range map[string]string{".tile": a.TileIR, ".simt": a.SimtIR(), "": a.Source.Text} {
		if err := os.WriteFile(base+suffix, []byte(text), 0o666); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s  and its stages .tile and .simt; %d threads, %d bytes of shared memory\n", base, a.Source.Threads, a.Source.Shared)
	for _, note := range a.Notes {
		fmt.Fprintln(w, "    "+strings.TrimSpace(note))
	}
	return nil
}
