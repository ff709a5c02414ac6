package testenv

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// RequireEnv is the environment variable that lists, separated by commas, what
// may not be missing: cpu, webgpu, vulkan, cuda, nvrtc, spirv-val, validation, tint.
const RequireEnv = "WEFT_REQUIRE"

// Mark begins a line of a test's log that belongs in the report.
const Mark = "weft-report: "

// Required reports whether the environment says that what may not be missing.
func Required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv(RequireEnv), ","), what)
}

// Skip skips the test because what is missing for the given reason, or fails
// it if the environment requires what. It does not return.
func Skip(t testing.TB, what, reason string) {
	t.Helper()
	if Required(what) {
		t.Fatalf("%s is required by %s but missing: %s", what, RequireEnv, reason)
	}
	t.Skipf("no %s: %s", what, reason)
}

// Report puts a line into the report that ./test prints at its end, for
// example Report(t, "device: vulkan:0 llvmpipe"). Line breaks become spaces.
func Report(t testing.TB, line string) {
	t.Helper()
	t.Log(Mark + strings.Join(strings.Fields(line), " "))
}
