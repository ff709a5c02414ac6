package ops_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/internal/testenv/compilers"
)

// Instructions of NVIDIA GPUs since compute capability 7.0 are of 16 bytes and begin with the operation in 9 bits.
const (
	instructionBytes = 16
	operationBits    = 1<<9 - 1
	opWait           = 0x02e // ACQBULK, which is griddepcontrol.wait
)

// globalOps are the operations on global memory, by what nvdisasm calls them.
var globalOps = map[uint64]string{
	0x180: "LD", 0x181: "LDG", 0x185: "ST", 0x186: "STG", 0x18a: "ATOM", 0x18e: "REDG", 0x1a3: "ATOMG", 0x1a6: "REDG", 0x1a8: "ATOMG", 0x1a9: "ATOMG",
	0x1ae: "LDGSTS", 0x1b4: "UTMALDG", 0x1b5: "UTMASTG", 0x1b6: "UTMAREDG", 0x1b8: "UTMAPF", 0x1ba: "UBLKCP", 0x1bb: "UBLKRED", 0x1bc: "UBLKPF",
}

// checkWait sees to it that a kernel that waits by itself for the launches before it reaches no global memory before it does: what the text says, and the
// compiler has to keep.
func checkWait(cubin []byte, entry string) error {
	if len(cubin) < 64 {
		return fmt.Errorf("%d bytes are no cubin", len(cubin))
	}
	cubin = bytes.Clone(cubin)
	cubin[elf.EI_VERSION] = byte(elf.EV_CURRENT) // where a cubin has a version of its own
	binary.LittleEndian.PutUint32(cubin[20:], uint32(elf.EV_CURRENT))
	file, err := elf.NewFile(bytes.NewReader(cubin))
	if err != nil {
		return err
	}
	section := file.Section(".text." + entry)
	if section == nil {
		return fmt.Errorf("the cubin has no code of %s", entry)
	}
	code, err := section.Data()
	if err != nil {
		return err
	}
	for at := 0; at+instructionBytes <= len(code); at += instructionBytes {
		op := binary.LittleEndian.Uint64(code[at:]) & operationBits
		if op == opWait {
			return nil
		}
		if name, ok := globalOps[op]; ok {
			return fmt.Errorf("the instruction at %#x is %s, before the kernel waits for the launches before it", at, name)
		}
	}
	return fmt.Errorf("the kernel does not wait for the launches before it")
}

func TestCheckWait(t *testing.T) {
	compilers.RequireNVRTC(t)
	const wait = `asm volatile("griddepcontrol.wait;" ::: "memory"); `
	for _, c := range []struct{ body, want string }{
		{wait + "*out = *x;", ""},
		{"int v = *x; " + wait + "*out = v;", "is LDG, before"},
		{"*out = 1; " + wait, "is STG, before"},
		{"atomicAdd(out, 1); " + wait, "is REDG, before"},
		{"*out = *x;", "is LDG, before"},
		{"", "does not wait"},
	} {
		cubin, _, log, err := compilers.NVRTC(t, "sm_90a", "k", `extern "C" __global__ void k(const int* x, int* out) { `+c.body+" }")
		if err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		got := checkWait(cubin, "k")
		if c.want == "" && got != nil || c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.body, got, c.want)
		}
	}
	if err := checkWait(nil, "k"); err == nil {
		t.Error("no cubin waits")
	}
}
