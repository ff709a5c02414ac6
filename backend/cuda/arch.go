package cuda

import (
	"errors"
	"fmt"
	"slices"
)

// oldest is the first compute capability served: below 7.0 threads of a warp
// do not make progress independently.
const oldest = 70

// featured lists the architectures whose own instructions (wgmma, tcgen05, …)
// are only there when the compiler is asked for the variant with an "a".
var featured = []int{90, 100, 101, 103, 110, 120, 121}

// chooseArch names the architecture to compile for on a device of the given
// compute capability, written 90 for 9.0. supported is what NVRTC knows. A
// cubin runs on its own architecture and on later minor ones of the same major
// version, so an unknown minor version falls back to the nearest before it.
func chooseArch(capability int, supported []int) (string, error) {
	if capability < oldest {
		return "", fmt.Errorf("compute capability %d.%d is too old, want 7.0 or newer", capability/10, capability%10)
	}
	if len(supported) == 0 {
		return "", errors.New("it reports no architectures")
	}
	best := 0
	for _, arch := range supported {
		if arch/10 == capability/10 && arch <= capability {
			best = max(best, arch)
		}
	}
	if best == 0 {
		return "", fmt.Errorf("it cannot compile for compute capability %d.%d, only for sm_%d to sm_%d",
			capability/10, capability%10, slices.Min(supported), slices.Max(supported))
	}
	if best == capability && slices.Contains(featured, best) {
		return fmt.Sprintf("sm_%da", best), nil
	}
	return fmt.Sprintf("sm_%d", best), nil
}
