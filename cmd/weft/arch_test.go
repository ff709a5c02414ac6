package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// Nothing but an architecture that exists is taken, and nothing else reaches a file that is written.
func TestArchIsStrict(t *testing.T) {
	for _, arch := range []string{
		"sm_80\n#error injected", "sm_80\n", "\nsm_80", "sm_80 ", " sm_80", "sm_90z", "sm_80a", "sm_75f", "sm_90f", "sm_90aa", "sm_100aa",
		"sm_080", "sm_+80", "sm_60", "sm_99", "sm_1", "sm_1000", "sm_", "80", "compute_80", "SM_80", "sm_99999999999999999999", "sm_８0", "sm_90a*/",
	} {
		_, err := hardwareFlags{on: "a100", arch: arch}.find("")
		if !errors.Is(err, fault.ErrArgument) || !errors.As(err, &usage{}) || !strings.Contains(err.Error(), "sm_90[a]") {
			t.Errorf("%q: %v", arch, err)
		}
		code, stdout, stderr := line(context.Background(), "emit", "add", "100", "--target", "cuda", "--standalone", "--arch", arch)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 2 {
			t.Errorf("%q: exit code %d, %q, %q", arch, code, stdout, stderr)
		}
	}
	for _, arch := range []string{"sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_120a"} {
		if h, err := (hardwareFlags{on: "h200", arch: arch}).find(""); err != nil || h.Caps.Arch != arch {
			t.Errorf("%q: %q, %v", arch, h.Caps.Arch, err)
		}
	}
}

// An architecture stands for the same as the preset that has it, whatever preset it is said of.
func TestArchIsPreset(t *testing.T) {
	for _, p := range target.Presets() {
		if p.Caps.Language != target.CUDA {
			continue
		}
		for _, other := range []string{"h200", "a100", "t4"} {
			h, err := hardwareFlags{on: other, arch: p.Caps.Arch}.find("")
			got := h.Caps
			got.Fingerprint, got.MaxBufferBytes = p.Caps.Fingerprint, p.Caps.MaxBufferBytes
			// But for the number of multiprocessors and the clocks, which are those of the other.
			base, _ := target.PresetNamed(other)
			if m, of := got.Facts(), p.Caps.Facts(); m.Units != base.Caps.Facts().Units || m.Threads != of.Threads || m.Shared != of.Shared || (m.Matrix.F16 > 0) != (of.Matrix.F16 > 0) {
				t.Errorf("%s of %s: %+v", p.Caps.Arch, other, *m)
			}
			got.Machine = p.Caps.Machine
			if err != nil || got != p.Caps {
				t.Errorf("%s of %s: %+v, want %+v, %v", p.Caps.Arch, other, got, p.Caps, err)
			}
		}
	}
}

// Architectures without matrix instructions, with them, and with instructions of their own give the ops with matrix
// products as one file, and kernel by kernel.
func TestArchEmits(t *testing.T) {
	for _, arch := range []string{"sm_75", "sm_89", "sm_90", "sm_90a", "sm_100"} {
		for _, call := range []string{"matmul 512x512x512 --dtype f16", "conv2d 2x8x16x16,8x8x3x3", "attention 1x2x64x64 --dtype f16"} {
			for _, form := range []string{"", " --standalone"} {
				args := "emit " + call + " --target cuda --arch " + arch + form
				t.Run(args, func(t *testing.T) {
					testenv.Sample(t)
					code, stdout, stderr := line(context.Background(), strings.Fields(args)...)
					if code != 0 || !strings.Contains(stdout, "__global__") || form != "" && !strings.Contains(stdout, "-arch="+arch+"\n") {
						t.Errorf("exit code %d, %s", code, stderr)
					}
				})
			}
		}
	}
}
