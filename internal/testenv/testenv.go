package testenv

import (
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// RequireEnv is the environment variable that lists, separated by commas, what
// may not be missing: cpu, webgpu, vulkan, cuda, nvrtc, spirv-val, validation, tint.
const RequireEnv = "WEFT_REQUIRE"

// SampleEnv is the environment variable that makes tests with many alike cases take a part of them.
// Its value, such as a commit, chooses the part. Without it they take all.
const SampleEnv = "WEFT_SAMPLE"

// Turn chooses one of n alike ways to run a case, by its name and the value of SampleEnv. It is
// -1, which stands for all ways, where that is not set.
func Turn(name string, n int) int {
	seed := os.Getenv(SampleEnv)
	if seed == "" {
		return -1
	}
	h := fnv.New64a()
	io.WriteString(h, seed+"\x00"+name)
	return int(h.Sum64() >> 32 % uint64(n))
}

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
