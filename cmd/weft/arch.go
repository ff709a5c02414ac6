package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// architecture is one that nvcc compiles for.
type architecture struct {
	capability int    // 90 for compute capability 9.0
	shared     int    // KiB of shared memory of a workgroup (CUDA C++ programming guide, technical specifications)
	variants   string // letters that may follow the number: a for all features of this one, f for those of its family
}

var architectures = []architecture{
	{70, 96, ""}, {72, 96, ""}, {75, 64, ""},
	{80, 163, ""}, {86, 99, ""}, {87, 163, ""}, {88, 99, ""}, {89, 99, ""},
	{90, 227, "a"},
	{100, 227, "af"}, {101, 227, "af"}, {103, 227, "af"}, {110, 227, "af"}, {120, 99, "af"}, {121, 99, "af"},
}

var archText = regexp.MustCompile(`\Asm_([1-9][0-9]{1,2})([a-z]?)\z`)

// withArch returns the capabilities of a GPU of another architecture: "sm_" and its number, and maybe a letter that it has.
func withArch(c target.Caps, arch string) (target.Caps, error) {
	parts := archText.FindStringSubmatch(arch)
	if parts == nil {
		return c, archError(arch)
	}
	number, _ := strconv.Atoi(parts[1]) // digits, or they would not match
	i := slices.IndexFunc(architectures, func(a architecture) bool { return a.capability == number })
	if i < 0 || !strings.Contains(architectures[i].variants, parts[2]) {
		return c, archError(arch)
	}
	c.Matrix, c.AsyncCopy = 0, false
	c = c.WithCapability(number)
	if number == target.Hopper && parts[2] == "" { // whose own instructions belong to sm_90a
		c.WarpGroups, c.TensorMaps = false, false
	}
	c.Arch, c.SharedBytes = arch, architectures[i].shared<<10
	c.Fingerprint += " " + arch
	return c, nil
}

func archError(arch string) error {
	var list []string
	for _, a := range architectures {
		name := fmt.Sprintf("sm_%d", a.capability)
		for _, v := range a.variants {
			name += "[" + string(v) + "]"
		}
		list = append(list, strings.ReplaceAll(name, "][", ""))
	}
	return usage{fault.New(fault.ErrArgument, "weft", "%q, want one of %s", arch, strings.Join(list, ", ")).For("arch")}
}
