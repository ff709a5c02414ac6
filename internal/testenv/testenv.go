package testenv

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// RequireEnv is the environment variable that lists, separated by commas, what
// may not be missing: cpu, webgpu, vulkan, cuda, nvrtc, spirv-val, validation, tint,
// matrices (cooperative ones).
const RequireEnv = "WEFT_REQUIRE"

// SampleEnv is the environment variable that makes tests with many alike cases take a part of them.
// Its value, such as a commit, chooses the part. Without it they take all.
const SampleEnv = "WEFT_SAMPLE"

// FullEnv is the environment variable that asks tests for more and larger cases when it is 1.
const FullEnv = "WEFT_FULL"

// SeedEnv and DrawsEnv are the environment variables that choose the problems that tests draw at random: the seed of the first one, and how many.
const (
	SeedEnv  = "WEFT_SEED"
	DrawsEnv = "WEFT_DRAWS"
)

// checkEnv is the environment variable of internal/lower/pass that asks for the IR to be verified after every pass.
const checkEnv = "WEFT_CHECK"

// Tests have every pass verified, unless they are asked not to. Packages whose tests compile kernels import this one, if
// only for that.
func init() {
	if _, set := os.LookupEnv(checkEnv); !set {
		os.Setenv(checkEnv, "1")
	}
}

// Full reports whether the environment asks for more and larger cases.
func Full() bool { return os.Getenv(FullEnv) == "1" }

// Seed is the seed of the first problem that a test draws, 1 if the environment has none.
func Seed() uint64 { return uint64(number(SeedEnv, 1, 0)) }

// Draws is how many problems a test draws: n if the environment has no number.
func Draws(n int) int { return number(DrawsEnv, n, 1) }

// number is the number of a variable that is set, at least least: none at all would look like a pass.
func number(env string, otherwise, least int) int {
	text, set := os.LookupEnv(env)
	if !set {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		panic(env + "=" + text + ": want a number from " + strconv.Itoa(least) + " on")
	}
	return n
}

// Turn chooses one of n alike ways to run a case, by its name and the value of SampleEnv. It is
// -1, which stands for all ways, where that is not set.
func Turn(name string, n int) int {
	seed := os.Getenv(SampleEnv)
	if seed == "" {
		return -1
	}
	h := sha256.Sum256([]byte(seed + "\x00" + name)) // names that differ in one digit have to part evenly
	return int(binary.BigEndian.Uint64(h[:]) % uint64(n))
}

// SampleParts is the number of samples that alike cases are divided into: a run that takes a sample runs one of them.
const SampleParts = 8

// InSample reports whether a run has the case of this name: always but where SampleEnv is set, which leaves one
// case of SampleParts.
func InSample(name string) bool { return Turn(name, SampleParts) <= 0 }

// Sample skips the test if the run leaves it to other samples.
func Sample(t testing.TB) {
	t.Helper()
	if !InSample(t.Name()) {
		LeaveToOthers(t)
	}
}

// LeaveToOthers skips a test that has no case in the run's sample.
func LeaveToOthers(t testing.TB) {
	t.Helper()
	if Sampling() {
		t.Skipf("left to other samples by %s=%s", SampleEnv, os.Getenv(SampleEnv))
	}
}

// Sampling reports whether the run takes a sample, which need not have what only all cases together have.
func Sampling() bool { return os.Getenv(SampleEnv) != "" }

// Share is the number of cases that a run has of n alike ones: all, or those of one sample.
func Share(n int) int {
	if !Sampling() {
		return n
	}
	return (n + SampleParts - 1) / SampleParts
}

// RapidChecks makes pgregory.net/rapid draw the run's share of n cases for each property. It belongs in TestMain, before flags are
// parsed, so that -rapid.checks on the command line still wins.
func RapidChecks(n int) {
	f := flag.Lookup("rapid.checks")                            // nil if the package's tests do not import rapid, which the next line then says
	if err := f.Value.Set(strconv.Itoa(Share(n))); err != nil { // not flag.Set, after which the flag would count as given
		panic(err)
	}
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
