package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
)

func quickstart(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(args, &out, &out)
	return out.String(), err
}

// The CPU's run lists the devices, prints a checked line for every op and explains
// the columns.
func TestTable(t *testing.T) {
	out, err := quickstart(t, "-device", "cpu")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`(?m)^\* cpu:0 .* used$`, `(?m)^ *add .* GB/s +ok`, `(?m)^ *matmul .* f32 .* GFLOP/s +ok`,
		`(?m)^ *matmul .* f16 .* GFLOP/s +ok`, `(?m)^ *softmax .* GB/s +ok`, `(?m)^bound  `,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no line matches %s in\n%s", want, out)
		}
	}
}

// Devices that are refused say why; those that rank lower say how to use them.
func TestDeviceList(t *testing.T) {
	d := func(backend string, refused error) weft.DeviceInfo {
		var d weft.DeviceInfo
		d.Backend, d.Name, d.Refused = backend, "N", refused
		return d
	}
	all := []weft.DeviceInfo{d("cuda", nil), d("cpu", nil), d("vulkan", fmt.Errorf("vulkan: no\nlibrary: %w", weft.ErrDevice))}
	var out bytes.Buffer
	printDevices(&out, all, all[1:2])
	for _, want := range []string{"cuda:0 .*another was asked for", `\* cpu:0 .*used`, "vulkan:0 .*not used: no library\n"} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func save(t *testing.T, val any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.npy")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := npy.Write(f, val); err != nil {
		t.Fatal(err)
	}
	return path
}

func raw(t *testing.T, head, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.npy")
	text := "\x93NUMPY\x01\x00" + string([]byte{byte(len(head)), byte(len(head) >> 8)}) + head + data
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A user's own matrices, of either precision and either order, give their product.
func TestMultiplyFiles(t *testing.T) {
	a, b := mat.NewDense(3, 5, nil), mat.NewDense(5, 4, nil)
	a.Apply(func(i, j int, _ float64) float64 { return float64(i*5+j) / 4 }, a)
	b.Apply(func(i, j int, _ float64) float64 { return float64(i-3*j) / 2 }, b)
	var want mat.Dense
	want.Mul(a, b)

	columns := "" // b in Fortran order and big endian
	for j := range 4 {
		for i := range 5 {
			bits := math.Float32bits(float32(b.At(i, j)))
			columns += string([]byte{byte(bits >> 24), byte(bits >> 16), byte(bits >> 8), byte(bits)})
		}
	}
	for name, fileB := range map[string]string{
		"float64": save(t, b),
		"fortran": raw(t, "{'descr': '>f4', 'fortran_order': True, 'shape': (5, 4), }\n", columns),
	} {
		c := filepath.Join(t.TempDir(), "c.npy")
		out, err := quickstart(t, "-device", "cpu", "-a", save(t, a), "-b", fileB, "-o", c)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if !strings.Contains(out, "3×4×5") {
			t.Errorf("%s: no size in\n%s", name, out)
		}
		f, err := os.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		r, err := npy.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []float32
		if err := r.Read(&got); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if s := fmt.Sprintf("%v %s %v", r.Header.Descr.Shape, r.Header.Descr.Type, r.Header.Descr.Fortran); s != "[3 4] <f4 false" {
			t.Errorf("%s: the product's header says %s", name, s)
		}
		for i, w := range want.RawMatrix().Data {
			if float64(got[i]) != w { // quarters, exact in float32
				t.Errorf("%s: element %d is %v, want %v", name, i, got[i], w)
			}
		}
	}
}

// What is wrong with a file is said, with its name.
func TestBadFiles(t *testing.T) {
	good := save(t, mat.NewDense(2, 2, []float64{1, 2, 3, 4}))
	head := "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n"
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	cut := func(n int) string {
		path := filepath.Join(t.TempDir(), "cut.npy")
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct{ file, want string }{
		"one byte short":  {cut(len(whole) - 1), "the file ends after 3 of 4 elements"},
		"no data":         {cut(len(whole) - 32), "the file ends after 0 of 4 elements"},
		"half a header":   {cut(30), "it ends within the header"},
		"half a magic":    {cut(3), "it ends within the header"},
		"empty":           {cut(0), "it ends within the header"},
		"not npy":         {notNPY(t), "not a valid .npy file: it begins with"},
		"integers":        {raw(t, fmt.Sprintf(head, "<i8", "(1, 1)"), "12345678"), "elements of i64, want float32"},
		"complex":         {raw(t, fmt.Sprintf(head, "<c8", "(1, 1)"), "12345678"), `type "<c8"`},
		"a vector":        {raw(t, fmt.Sprintf(head, "<f4", "(4,)"), "1234123412341234"), "shape [4], want a matrix"},
		"enormous":        {raw(t, fmt.Sprintf(head, "<f4", "(4611686018427387904, 16)"), "1234"), "more elements than an int can count"},
		"negative":        {raw(t, fmt.Sprintf(head, "<f4", "(-1, 2)"), "1234"), "want a size"},
		"no line":         {raw(t, "{}", ""), "a key is missing"},
		"no dictionary":   {raw(t, "nonsense\n", ""), `want "{"`},
		"missing":         {filepath.Join(t.TempDir(), "none.npy"), "no such file"},
		"wrong dimension": {save(t, mat.NewDense(3, 2, nil)), "as many columns as the second has rows"},
	} {
		for _, args := range [][]string{{"-a", c.file, "-b", good}, {"-a", good, "-b", c.file}} {
			if name == "wrong dimension" && args[1] == c.file {
				continue // 3 × 2 by 2 × 2 is fine
			}
			out, err := quickstart(t, append(args, "-device", "cpu")...)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), filepath.Base(c.file)) {
				t.Errorf("%s: error %v, want %q and the file's name", name, err, c.want)
			}
			if out != "" {
				t.Errorf("%s: printed before the error:\n%s", name, out)
			}
		}
	}
}

func notNPY(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(path, []byte("1 2 3\n4 5 6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBadCommandLines(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-device", "abacus"}, `no device named "abacus"`},
		{[]string{"-device", "cpu:7"}, `no device named "cpu:7"`},
		{[]string{"-a", "x.npy"}, "go together"},
		{[]string{"-o", "x.npy"}, "needs -a and -b"},
		{[]string{"-a", "x", "-b", "y", "-o", "z", "-device", "all"}, "one device"},
		{[]string{"extra"}, `unexpected argument "extra"`},
	} {
		if _, err := quickstart(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.args, err, c.want)
		}
	}
}

// Every kernel in every language, with its stages.
func TestDump(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	out, err := quickstart(t, "-dump", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, kernel := range []string{"add", "matmul", "softmax", "softmax_online"} {
		for suffix, want := range map[string]string{
			".wgsl": "@compute", ".wgsl.tile": "kernel " + kernel, ".wgsl.simt": kernel,
			".cu": "__global__", ".cu.tile": "grid ", ".cu.simt": kernel,
		} {
			text, err := os.ReadFile(filepath.Join(dir, kernel+suffix))
			if err != nil {
				t.Error(err)
			} else if !strings.Contains(string(text), want) {
				t.Errorf("%s%s does not contain %q", kernel, suffix, want)
			}
		}
		if !strings.Contains(out, filepath.Join(dir, kernel+".wgsl")) {
			t.Errorf("%s.wgsl is not mentioned in\n%s", kernel, out)
		}
	}
}

// A wrong result is an error, not just a word in the table.
func TestWrongResultFails(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	var out bytes.Buffer
	if err := table(&out, dev, []job{wrong}); err == nil || !strings.Contains(out.String(), "WRONG") {
		t.Errorf("error %v after\n%s", err, out.String())
	}
}

var wrong = job{op: "wrong", elem: weft.F32, prepare: func(*weft.Device, *tensors) (launch func() error, check checker) {
	return func() error { return nil }, func() (reference.Worst, error) {
		return reference.Compare([]float64{1}, []float64{2}, func(int) float64 { return 0.5 })
	}
}}

func TestFormats(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1234 * time.Nanosecond: "1.23 µs", 45600 * time.Nanosecond: "45.6 µs", 7890 * time.Microsecond: "7.89 ms", 12 * time.Second: "12.0 s",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v prints as %q, want %q", d, got, want)
		}
	}
	if got := (job{bytes: 12e9}).rate(3 * time.Millisecond); got != "4000 GB/s" {
		t.Errorf("12 GB in 3 ms is %q", got)
	}
	if got := (job{flops: 2e9}).rate(0); got != "-" {
		t.Errorf("no time gives %q", got)
	}
}
