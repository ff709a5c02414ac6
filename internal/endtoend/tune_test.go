package endtoend

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/backend/vulkan"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tune"
)

// productEnv makes a process of this test's binary one that runs product and ends.
const productEnv = "WEFT_TEST_PRODUCT"

// TestMain keeps what is measured and compiled out of the user's own cache.
func TestMain(m *testing.M) {
	if os.Getenv(productEnv) != "" {
		if err := product(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(traceEnv) != "" { // has the cache that its parent chose
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "endtoend")
	if err != nil {
		panic(err)
	}
	os.Setenv(cachedir.Env, dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// product is a program that multiplies matrices of odd sizes, checks the result, and reports what it raced.
func product() error {
	var log bytes.Buffer
	weft.SetLogger(slog.New(slog.NewTextHandler(&log, nil)))
	dev, err := weft.Open("")
	if err != nil {
		return err
	}
	defer dev.Close()
	const m, n, k = 19, 35, 21
	x, y := make([]float32, m*k), make([]float32, k*n)
	for i := range x {
		x[i] = float32(i%17) - 8
	}
	for i := range y {
		y[i] = float32(i%13) - 6
	}
	a, err := weft.FromSlice(dev, x, m, k)
	if err != nil {
		return err
	}
	b, err := weft.FromSlice(dev, y, k, n)
	if err != nil {
		return err
	}
	for range 2 {
		c, err := ops.MatMul(a, b)
		if err != nil {
			return err
		}
		z, err := weft.ToSlice[float32](c)
		if err != nil {
			return err
		}
		for i, got := range z {
			want := 0.0
			for p := range k {
				want += float64(x[i/n*k+p]) * float64(y[p*n+i%n])
			}
			if math.Abs(float64(got)-want) > 1e-3 {
				return fmt.Errorf("element %d is %v, want %v", i, got, want)
			}
		}
	}
	if got, err := weft.ToSlice[float32](a); err != nil || fmt.Sprint(got) != fmt.Sprint(x) {
		return fmt.Errorf("an operand has changed: %v", err)
	}
	fmt.Printf("races: %d\n", strings.Count(log.String(), "msg=tuned"))
	entries, err := tune.Entries()
	for _, e := range entries {
		if e.Op == "matmul" {
			fmt.Printf("config: %s of %d\n", e.Config, len(e.Timings))
		}
	}
	return err
}

// With WEFT_TUNE=1 a program races what is new to the device, the next one finds the result, and neither gives
// another product than it should.
func TestEndToEnd(t *testing.T) {
	for _, device := range []string{"cpu", "vulkan"} {
		t.Run(device, func(t *testing.T) {
			dev, err := weft.Open(device)
			if err != nil {
				testenv.Skip(t, device, err.Error())
			}
			dev.Close()
			dir := t.TempDir()
			run := func(env ...string) string {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), append([]string{productEnv + "=1", weft.DeviceEnv + "=" + device, cachedir.Env + "=" + dir}, env...)...)
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				return string(out)
			}
			if out := run(); out != "races: 0\n" {
				t.Errorf("nobody asked for a race:\n%s", out)
			}
			first := run(tune.Env + "=1")
			if !strings.Contains(first, "races: 1\n") || !strings.Contains(first, "config: ") {
				t.Fatalf("the first program:\n%s", first)
			}
			second := run(tune.Env + "=1")
			if want := strings.Replace(first, "races: 1", "races: 0", 1); second != want {
				t.Errorf("the second program:\n%s\nwant\n%s", second, want)
			}
		})
	}
}
