package target

import (
	"math"
	"testing"
)

// Machines are found by what drivers call them, and those of another number or with another suffix are not taken for them.
func TestMachineOf(t *testing.T) {
	for device, want := range map[string]string{
		"NVIDIA H200":                          "NVIDIA H200",
		"NVIDIA H100 80GB HBM3":                "NVIDIA H100 80GB HBM3",
		"NVIDIA H100 PCIe":                     "NVIDIA H100 PCIe",
		"NVIDIA A100-SXM4-80GB":                "NVIDIA A100 80GB",
		"NVIDIA A100 80GB PCIe":                "NVIDIA A100 80GB",
		"NVIDIA A100-SXM4-40GB":                "",
		"NVIDIA GeForce RTX 4090":              "NVIDIA GeForce RTX 4090",
		"NVIDIA GeForce RTX 4090 Laptop GPU":   "",
		"NVIDIA GeForce RTX 4090 D":            "",
		"NVIDIA L4":                            "NVIDIA L4",
		"NVIDIA L40S":                          "",
		"Tesla T4":                             "NVIDIA T4",
		"AMD Radeon RX 7900 XTX (RADV NAVI31)": "AMD Radeon RX 7900 XTX",
		"AMD Radeon RX 7900 XT (RADV NAVI31)":  "",
		"Intel(R) Arc(TM) A770 Graphics (DG2)": "Intel Arc A770",
		"Apple M2":                             "Apple M2",
		"Apple M2 Max":                         "",
		"llvmpipe (LLVM 19.1.7, 256 bits)":     "",
		"NVIDIA H200 NVL":                      "",
		"":                                     "",
	} {
		m := MachineOf(device, Discrete)
		if want == "" && m != kinds[Discrete] || want != "" && m.Name != want {
			t.Errorf("%q is %s, want %q", device, m.Name, want)
		}
	}
	if m := MachineOf("NVIDIA H200", Software); m != kinds[Software] {
		t.Errorf("a driver on the host is %s", m.Name)
	}
}

// Rates of data sheets follow from units, clock and what a unit of the architecture does in one, within what vendors round and boost: a row that is
// wrong by a factor of two is found.
func TestMachinesAddUp(t *testing.T) {
	within := func(what string, got, want, by float64) {
		t.Helper()
		if ratio := got / want; want > 0 && (ratio > by || ratio < 1/by) {
			t.Errorf("%s: %.3g, from units and clock %.3g", what, got, want)
		}
	}
	for capability, names := range map[int][]string{
		90: {"NVIDIA H200", "NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe"}, 80: {"NVIDIA A100 80GB"}, 89: {"NVIDIA GeForce RTX 4090", "NVIDIA L4"}, 75: {"NVIDIA T4"},
	} {
		for _, name := range names {
			m := named(name)
			derived := NVIDIA("another", capability, Machine{Units: m.Units, Clock: m.Clock, Memory: m.Memory})
			within(name+", F32", m.Flops, derived.Flops, 1.05)
			within(name+", I8", m.Matrix.I8, derived.Matrix.I8, 1.15)
			within(name+", F16", m.Matrix.F16, derived.Matrix.F16, 2.05) // with sums of F32, gaming GPUs do half
			within(name+", cache", m.Cache, derived.Cache, 2.5)
			within(name+", shared memory", m.Staged, derived.Staged, 1.2)
			if m.Threads != derived.Threads || m.Registers != derived.Registers || m.Shared != derived.Shared || derived.Name != "another" || derived.Generic {
				t.Errorf("%s: %+v, of its architecture %+v", name, *m, *derived)
			}
		}
	}
	for _, m := range Machines() {
		if m.Generic || m.Units == 0 || m.Threads < 1024 || m.Workgroups == 0 || m.Registers == 0 || m.Shared == 0 || m.L2 == 0 || m.Memory <= 0 ||
			m.Cache < m.Memory || m.Staged < m.Memory || m.Flops <= 0 || m.Matrix.F16 != 0 && m.Matrix.F16 < m.Flops || m.Latency <= 0 || m.Launch <= 0 || m.Program <= 0 {
			t.Errorf("%+v", m)
		}
	}
}

// What a driver tells replaces what is in the table, and a part of a GPU has a part of its arithmetic.
func TestPartOfAGPU(t *testing.T) {
	whole := named("NVIDIA H200")
	m := NVIDIA("NVIDIA H200", 90, Machine{Units: 66, L2: 30 << 20, Threads: 2048})
	if m.Units != 66 || m.L2 != 30<<20 || m.Shared != whole.Shared || math.Abs(m.Matrix.F16*2/whole.Matrix.F16-1) > 1e-9 || m.Memory != whole.Memory {
		t.Errorf("%+v", *m)
	}
	if whole.Units != 132 || whole.L2 != 50<<20 {
		t.Errorf("the table now has %+v", *whole)
	}
	if m := NVIDIA("unknown", 120, Machine{}); !m.Generic || m.Units == 0 {
		t.Errorf("of a driver that tells nothing: %+v", *m)
	}
}

// Facts are there for whatever capabilities.
func TestFacts(t *testing.T) {
	for _, p := range Presets() {
		if p.Caps.Machine == nil || p.Caps.Facts() != p.Caps.Machine {
			t.Errorf("%s: %+v", p.Name, p.Caps.Machine)
		}
		bare := p.Caps
		bare.Machine = nil
		if m := bare.Facts(); m == nil || !m.Generic || m.Units == 0 {
			t.Errorf("%s without a machine: %+v", p.Name, m)
		}
	}
	if m := kinds[Discrete]; m.Room(256) != 64*6 || m.Room(4096) != 64 {
		t.Errorf("room for %d and %d workgroups", m.Room(256), m.Room(4096))
	}
}

// The architecture of a compute capability that is in no row is the one before it.
func TestArchitectureOf(t *testing.T) {
	for capability, want := range map[int]int{60: 70, 70: 70, 86: 86, 90: 90, 99: 90, 130: 121} {
		if a := ArchitectureOf(capability); a.Capability != want {
			t.Errorf("%d is %d, want %d", capability, a.Capability, want)
		}
	}
}
