package backendtest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/testenv"
)

// Options choose how much is run.
type Options struct {
	Full  bool // more and larger cases
	Drawn bool // only the cases that draw their problems at random
}

// DefaultOptions follow the environment: WEFT_FULL=1 asks for the full suite.
func DefaultOptions() Options { return Options{Full: testenv.Full()} }

// Floats are the element types that ops like MatMul take.
var floatTypes = []weft.DType{weft.F32, weft.F16, weft.BF16}

// reals are the element types of floats that the device computes on.
func (s *suite) reals() []weft.DType {
	if s.has(weft.F64) {
		return append(slices.Clone(floatTypes), weft.F64)
	}
	return floatTypes
}

// real is one of reals; where the device computes on F64, that comes first.
func (s *suite) real(i int) weft.DType {
	list := s.reals()
	return list[(i+len(floatTypes))%len(list)]
}

// numeric are the element types of numbers that the device computes on, of integers those of up to 32 bits.
func (s *suite) numeric() []weft.DType {
	if s.has(weft.F64) {
		return append(slices.Clone(numericTypes), weft.F64)
	}
	return numericTypes
}

// suite is what one test case gets.
type suite struct {
	*testing.T
	dev    *weft.Device
	open   func(testing.TB) *weft.Device
	full   bool
	rng    *rand.Rand // the same sequence in every run of the case
	seen   coverage   // what cases of this run compared with the interpreter
	*trace            // what this case checks
}

type testCase struct {
	name string
	run  func(*suite)
}

// caseGroups are all cases.
var caseGroups = [][]testCase{
	tensorCases, copyCases, addCases, elementwiseCases, matmulCases, convCases, softmaxCases, softmaxGradCases,
	reduceCases, normCases, normGradCases, groupNormCases, batchNormCases, attentionCases, quantizeCases, numberCases,
	sampleCases, cacheCases, embeddingCases, rotaryCases, rotaryAppendCases, topKCases, scanCases, sortCases, histogramCases, uniqueCases, moveCases, indexedCases,
	reduceWindowCases, windowIndexCases, resizeCases, einsumCases, convGradCases, convSpatialCases, lossCases,
	drawnCases, goldenCases, kernelCases, rankCases, pointCases, languageCases, controlCases, scheduleCases, lifeCases, failureCases, captureCases,
}

// Run runs the suite on a device that open opens, and closes it. If all cases ran, it demands
// that they covered the language.
func Run(t *testing.T, open func(testing.TB) *weft.Device, o Options) {
	dev := open(t)
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	seen, skipped, matrix := coverage{}, false, newMatrix(dev, o.Full)
	groups := caseGroups
	if o.Drawn {
		groups, skipped = [][]testCase{drawnCases}, true
	}
	for _, group := range groups {
		for _, c := range group {
			ran, trace := false, newTrace(c.name)
			ok := t.Run(c.name, func(t *testing.T) {
				if leftOut(dev.Info().Info, c.name) {
					t.Skipf("left to the other software GPU and to other samples by %s=%s", testenv.SampleEnv, os.Getenv(testenv.SampleEnv))
				}
				ran = true
				seed := fnv.New64a()
				seed.Write([]byte(c.name))
				s := &suite{T: t, dev: dev, open: open, full: o.Full, rng: rand.New(rand.NewPCG(seed.Sum64(), 1)), seen: seen, trace: trace}
				c.run(s)
				if err := dev.Synchronize(); err != nil {
					t.Errorf("synchronize: %v", err)
				}
			})
			skipped = skipped || !ran // by -run
			matrix.add(c.name, trace, !ok)
		}
	}
	matrix.Partial = skipped
	matrix.write(t)
	t.Logf("right on %v:\n%v", dev, matrix)
	if !skipped && !t.Failed() {
		seen.check(t)
	}
}

// sharers are the backends that share the cases of a sample: what both run is the same WGSL, here in software, which
// takes most of the time of all tests. Each takes one of testenv.SampleParts parts of the cases. The CPU and real GPUs run all.
var sharers = map[string]int{"vulkan": 0, "webgpu": 1}

// unsampled are the cases that a sample has on every device: of what the host does with a device.
var unsampled = slices.Concat(tensorCases, lifeCases, failureCases, captureCases)

// leftOut reports whether a case is left to the other backend or to other samples.
func leftOut(on backend.Info, name string) bool {
	own, shares := sharers[on.Backend]
	turn := testenv.Turn(name, testenv.SampleParts)
	return shares && on.Kind == backend.Software && turn >= 0 && turn != own &&
		!slices.ContainsFunc(unsampled, func(c testCase) bool { return c.name == name })
}

// RunBackend runs the suite on every usable device of a backend, and skips the
// test with the reasons if there is none.
func RunBackend(t *testing.T, backend string) { RunBackendWith(t, backend, DefaultOptions()) }

// RunBackendWith is RunBackend with options.
func RunBackendWith(t *testing.T, backend string, o Options) {
	usable, reasons := 0, ""
	for _, d := range weft.Devices() {
		if d.Backend != backend {
			continue
		}
		if d.Refused != nil {
			reasons += fmt.Sprintf("%s %s: %v; ", d.Spec(), d.Name, d.Refused)
			continue
		}
		usable++
		t.Run(d.Spec(), func(t *testing.T) {
			start := time.Now()
			Run(t, func(t testing.TB) *weft.Device {
				dev, err := weft.Open(d.Spec())
				if err != nil {
					t.Fatal(err)
				}
				return dev
			}, o)
			testenv.Report(t, fmt.Sprintf("conformance: %s %s, %s: %s in %.1f s", d.Spec(), d.Name, d.Driver, verdict(t), time.Since(start).Seconds()))
		})
	}
	if usable == 0 {
		testenv.Skip(t, backend, reasons)
	}
}

func verdict(t *testing.T) string {
	if t.Failed() {
		return "FAILED"
	}
	return "passed"
}

// must fails the test on an error.
func must[T any](s *suite) func(x T, err error) T {
	return func(x T, err error) T {
		s.Helper()
		if err != nil {
			s.Fatal(err)
		}
		return x
	}
}

// try fails the test on an error.
func (s *suite) try(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// ok fails the test on an error.
func (s *suite) ok(t *weft.Tensor, err error) *weft.Tensor {
	s.Helper()
	s.try(err)
	return t
}

// refused demands that an error is of a kind; what names the call.
func (s *suite) refused(what string, kind, err error) {
	s.Helper()
	if !errors.Is(err, kind) {
		s.Errorf("%s: %v, want %v", what, err, kind)
	}
}

// errorOf is the error of a call that makes something.
func errorOf[T any](_ T, err error) error { return err }

// floats are a tensor's elements.
func (s *suite) floats(t *weft.Tensor) []float64 {
	s.Helper()
	return must[[]float64](s)(weft.ToFloats(t))
}

// together runs f in n goroutines. A test fails in its own goroutine alone: f fails by what it gets.
func (s *suite) together(n int, f func(i int, g goroutine)) {
	s.Helper()
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					failed, ok := p.(goroutineFailed)
					if !ok {
						panic(p)
					}
					errs[i] = failed.err
				}
			}()
			f(i, goroutine{})
		})
	}
	all.Wait()
	s.try(errors.Join(errs...))
}

// goroutine ends a goroutine of together with an error.
type goroutine struct{}

type goroutineFailed struct{ err error }

func (goroutine) try(err error) {
	if err != nil {
		panic(goroutineFailed{err})
	}
}

func (g goroutine) ok(t *weft.Tensor, err error) *weft.Tensor {
	g.try(err)
	return t
}

func (g goroutine) failf(format string, args ...any) { g.try(fmt.Errorf(format, args...)) }

// more are the cases of the quick form, and more in the full one.
func more[T any](s *suite, quick []T, full ...T) []T {
	if s.full {
		return append(quick, full...)
	}
	return quick
}

// either chooses by the form of the suite.
func either[T any](s *suite, quick, full T) T {
	if s.full {
		return full
	}
	return quick
}

// sub runs a part of a case under a name, with the case's random numbers.
func (s *suite) sub(f func(*suite), format string, args ...any) {
	s.Run(fmt.Sprintf(format, args...), func(t *testing.T) {
		part := *s
		part.T = t
		f(&part)
	})
}
