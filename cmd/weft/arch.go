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

var archText = regexp.MustCompile(`\Asm_([1-9][0-9]{1,2})([a-z]?)\z`)

// withArch returns the capabilities of a GPU of another architecture: "sm_" and its number, and maybe a letter that it has.
func withArch(c target.Caps, arch string) (target.Caps, error) {
	parts := archText.FindStringSubmatch(arch)
	if parts == nil {
		return c, archError(arch)
	}
	number, _ := strconv.Atoi(parts[1]) // digits, or they would not match
	architectures := target.Architectures()
	i := slices.IndexFunc(architectures, func(a target.Architecture) bool { return a.Capability == number })
	if i < 0 || !strings.Contains(architectures[i].Variants, parts[2]) {
		return c, archError(arch)
	}
	c.Matrix, c.AsyncCopy = 0, false
	c = c.WithCapability(number)
	if number == target.Hopper && parts[2] == "" { // whose own instructions belong to sm_90a
		c.WarpGroups, c.TensorMaps = false, false
	}
	if base := strings.TrimRight(c.Arch, "af"); base != fmt.Sprintf("sm_%d", number) {
		from := c.Facts() // with as many multiprocessors, and as fast
		c.Machine = target.NVIDIA(arch, number, target.Machine{Units: from.Units, Clock: from.Clock, Memory: from.Memory, L2: from.L2})
	}
	c.Arch, c.SharedBytes = arch, architectures[i].MostShared
	c.Fingerprint += " " + arch
	return c, nil
}

func archError(arch string) error {
	var list []string
	for _, a := range target.Architectures() {
		name := fmt.Sprintf("sm_%d", a.Capability)
		for _, v := range a.Variants {
			name += "[" + string(v) + "]"
		}
		list = append(list, strings.ReplaceAll(name, "][", ""))
	}
	return usage{fmt.Errorf("--arch %q: unknown, want one of %s: %w", arch, strings.Join(list, ", "), fault.ErrArgument)}
}
