// Package testenv is what tests say about the machine they run on: which
// device served them and what had to be skipped.
//
// It stands outside the flow from kernel to device; only tests import it. The
// script ./test sets the two variables and prints the report at the end.
package testenv

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The environment variables.
const (
	// RequireEnv lists, separated by commas, what may not be missing: cpu,
	// webgpu, vulkan, cuda, nvrtc, spirv-val.
	RequireEnv = "WEFT_REQUIRE"
	// ReportEnv names the file that Report appends to.
	ReportEnv = "WEFT_REPORT"
)

// Required reports whether the environment says that what may not be missing.
func Required(what string) bool {
	required := strings.FieldsFunc(os.Getenv(RequireEnv), func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Contains(required, what)
}

// Skip skips the test because what is missing for the given reason, or fails
// it if the environment requires what. It does not return.
func Skip(t testing.TB, what, reason string) {
	t.Helper()
	if Required(what) {
		t.Fatalf("%s is required by %s but missing: %s", what, RequireEnv, reason)
	}
	Report(t, fmt.Sprintf("skipped: %s: %s", what, reason))
	t.Skipf("no %s: %s", what, reason)
}

// Report appends "line (name of the test)" to the report, if there is one, for
// example Report(t, "device: vulkan:0 llvmpipe"). Line breaks become spaces.
func Report(t testing.TB, line string) {
	t.Helper()
	name := os.Getenv(ReportEnv)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Errorf("report: %v", err)
		return
	}
	// One write of one line: test binaries run side by side.
	_, err = fmt.Fprintf(f, "%s (%s)\n", strings.Join(strings.Fields(line), " "), t.Name())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		t.Errorf("report: %v", err)
	}
}
