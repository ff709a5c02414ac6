package cpu

import (
	"os"
	"runtime"
	"strings"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile/interp"
)

func init() { backend.Register(driver{}) }

type driver struct{}

// Name is "cpu".
func (driver) Name() string { return "cpu" }

// Candidates lists the host.
func (driver) Candidates() []backend.Candidate {
	info := backend.Info{
		Backend: "cpu",
		Name:    processor(),
		Driver:  "weft, " + interp.Instructions() + ", " + runtime.Version(),
		Kind:    backend.CPU,
		Memory:  physicalMemory(),
	}
	return []backend.Candidate{{Info: info, Open: func() (backend.Device, error) { return open(info), nil }}}
}

// processor is the processor's name where the system tells, else the architecture.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		key, name, _ := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); strings.TrimSpace(key) == "model name" && name != "" {
			return name
		}
	}
	return runtime.GOARCH
}
