//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// withMatrices opens a device that has cooperative matrices, or skips the test.
func withMatrices(t *testing.T) *device {
	d := openSPIRV(t)
	if len(d.Caps().Cooperative.Rows()) == 0 {
		testenv.Skip(t, "matrices", d.info.Name)
	}
	return d
}

// What the device's driver enumerates has fragments, or a reason.
func TestCooperativeMatrices(t *testing.T) {
	d := withMatrices(t)
	used := 0
	for _, m := range d.Caps().Cooperative.Rows() {
		t.Log(m)
		if m.Opaque != "" {
			continue
		}
		used++
		if m.Unknown != "" {
			continue
		}
		for i, f := range []target.Fragment{m.FragmentA, m.FragmentB, m.FragmentC} {
			shape := operands(&m)[i]
			if n := f.Held() << len(f.Threads); len(f.Threads) == 0 || 1<<len(f.Threads) != m.Threads || n < shape.rows*shape.columns {
				t.Errorf("%v: %v is %d components of %d threads: %v", m, shape, f.Held(), 1<<len(f.Threads), f)
			}
		}
	}
	if used == 0 {
		t.Errorf("no row of %s is used", d.info.Name)
	}
	other, err := open(d.phys, d.info)
	must(t, err)
	if a, b := d.Caps(), other.Caps(); a != b {
		t.Errorf("opened twice, the device has %+v and %+v", a, b)
	}
	must(t, other.Close())
	must(t, d.Close())
}

// The numbers of the matrices of Mesa's software driver: components are the rows of a and c, and the columns of b.
func TestFragmentsOfLlvmpipe(t *testing.T) {
	d := withMatrices(t)
	if !strings.HasPrefix(d.info.Name, "llvmpipe") {
		t.Skip("this is another device")
	}
	bits := func(axis int) (list [][2]int) {
		for n := 1; n < 8; n *= 2 {
			var b [2]int
			b[axis] = n
			list = append(list, b)
		}
		return list
	}
	for _, m := range d.Caps().Cooperative.Rows() {
		if m.Flexible {
			continue
		}
		rows, columns := target.Fragment{Components: bits(0), Threads: bits(1)}, target.Fragment{Components: bits(1), Threads: bits(0)}
		want := m
		want.FragmentA, want.FragmentB, want.FragmentC = rows, columns, rows
		if target.CooperativeOf(m) != target.CooperativeOf(want) {
			t.Errorf("%v: %v, %v, %v", m, m.FragmentA, m.FragmentB, m.FragmentC)
		}
	}
}

// Rates are measured for each row; rows that are no faster than multiply-adds, or of which the kernel fails, are not used.
func TestMatricesAreMeasured(t *testing.T) {
	d := withMatrices(t)
	small := effort{groups: 2, subgroups: 2, rounds: 3, times: 1}
	rows := slices.Clone(d.Caps().Cooperative.Rows())
	for i := range rows {
		if rows[i].Opaque != "" {
			continue
		}
		rate, err := small.products(d, &rows[i])
		must(t, err)
		if rate <= 0 {
			t.Errorf("%v: %v", rows[i], rate)
		}
	}
	small.drop(d, rows)
	for i, m := range rows {
		if was := d.Caps().Cooperative.Rows()[i].Opaque; m.Opaque != was && m.Opaque != slower {
			t.Errorf("%v", m)
		}
	}
	// What multiplies nothing is refused by the driver or is slow, never used.
	bad := []target.CooperativeMatrix{rows[0]}
	bad[0].Opaque, bad[0].A = "", dtype.I64
	if small.drop(d, bad); bad[0].Opaque == "" {
		t.Error("products of i64 are used")
	}
	must(t, d.Close())
}

// What was asked is read from the user's cache by the next process.
func TestMatricesAreRemembered(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	matrices.Clear()
	t.Cleanup(matrices.Clear)
	d := withMatrices(t)
	first := d.Caps().Cooperative
	entries, err := cachedir.Devices.Open().Entries()
	must(t, err)
	if len(entries) != 1 {
		t.Fatalf("entries %v", entries)
	}
	matrices.Clear()
	must(t, cachedir.Devices.Open().Put(entries[0].Key, []byte(`[{"M": 16, "Opaque": "of a file"}]`)))
	if got := openSPIRV(t).Caps().Cooperative.Rows(); len(got) != 1 || got[0].Opaque != "of a file" {
		t.Errorf("read %v", got)
	}
	matrices.Clear()
	must(t, cachedir.Devices.Open().Put(entries[0].Key, []byte(`no JSON`)))
	if got := openSPIRV(t).Caps().Cooperative; got != first {
		t.Errorf("after a damaged file: %v", got)
	}
}

// A fragment is found for what is linear, copies included, and for nothing else.
func TestFragmentOf(t *testing.T) {
	type held = func(component, thread int) [2]int
	at := matrixType{dtype.F16, useA, 16, 16}
	for name, c := range map[string]struct {
		components int
		at         held
		want       string
	}{
		"RDNA 3, whose upper threads have copies": {16, func(c, t int) [2]int { return [2]int{t & 15, c} }, ""},
		"exchanged":         {8, func(c, t int) [2]int { return [2]int{t&15 ^ c, c<<1 | t>>4} }, ""},
		"nothing in common": {8, func(c, t int) [2]int { return [2]int{(t + c) & 15, c<<1 | t>>4} }, "component "},
		"not from 0":        {8, func(c, t int) [2]int { return [2]int{t & 15, (c<<1 | t>>4) ^ 1} }, "component "},
		"half":              {8, func(c, t int) [2]int { return [2]int{t & 15, c} }, "threads have 128 elements"},
		"three":             {3, func(c, t int) [2]int { return [2]int{} }, "3 components"},
		"none":              {0, func(c, t int) [2]int { return [2]int{} }, "0 components"},
	} {
		f, opaque := fragmentOf(at, c.components, 32, c.at)
		if (opaque == "") != (c.want == "") || !strings.Contains(opaque, c.want) {
			t.Errorf("%s: %q, want %q", name, opaque, c.want)
		}
		if opaque != "" {
			continue
		}
		for thread := range 32 {
			for component := range c.components {
				if row, column := f.At(component, thread); [2]int{row, column} != c.at(component, thread) {
					t.Errorf("%s: component %d of thread %d is %d, %d of %v", name, component, thread, row, column, f)
				}
			}
		}
	}
}

// Rows that cannot be used say why.
func TestRefusedMatrices(t *testing.T) {
	good := target.CooperativeMatrix{M: 16, N: 16, K: 16, A: dtype.F16, B: dtype.F16, C: dtype.F32, Result: dtype.F32, Threads: 32}
	if why := refused(&good); why != "" {
		t.Error(why)
	}
	for want, change := range map[string]func(*target.CooperativeMatrix){
		"in order":   func(m *target.CooperativeMatrix) { m.Threads = 0 },
		"workgroup":  func(m *target.CooperativeMatrix) { m.Scope = target.WorkgroupScope },
		"multiples":  func(m *target.CooperativeMatrix) { m.Flexible = true },
		"two types":  func(m *target.CooperativeMatrix) { m.Result = dtype.F16 },
		"saturate":   func(m *target.CooperativeMatrix) { m.Saturating = true },
		"i8 16×256":  func(m *target.CooperativeMatrix) { m.A, m.K = dtype.I8, 256 },
		"f32 12×16 ": func(m *target.CooperativeMatrix) { m.M = 12; m.A = dtype.F32 },
	} {
		m := good
		change(&m)
		if why := refused(&m); !strings.Contains(why+" ", want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// The kernels that ask are valid for all types of elements, also those that no device at hand has.
func TestFragmentKernelsAreValid(t *testing.T) {
	validator, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", "it is not installed")
	}
	all := []matrixType{}
	check := func(what, text string) {
		t.Helper()
		binary, err := assembly.Assemble(text)
		must(t, err)
		cmd := exec.Command(validator, "--target-env", "vulkan1.3")
		cmd.Stdin = bytes.NewReader(binary)
		switch out, err := cmd.CombinedOutput(); {
		case strings.Contains(string(out), "Invalid capability operand") || strings.Contains(string(out), "Invalid opcode"):
			testenv.Skip(t, "matrices", "spirv-val does not know them")
		case err != nil:
			t.Errorf("%s: %s%s", what, out, text)
		}
	}
	for e := range elements {
		for use := useA; use <= useC; use++ {
			m := matrixType{e, use, 16, 8}
			all = append(all, m)
			check(m.String(), fragmentSource(m, 4, 64).Text)
		}
	}
	check("lengths", lengthsSource(all, 32).Text)
	for _, list := range []target.CooperativeList{target.RDNA3(32), target.Xe2(32)} {
		for _, m := range list.Rows() {
			check(m.String(), productsSource(&m, 128, usualEffort).Text)
		}
	}
	for _, e := range []dtype.Type{dtype.F32, dtype.U32} {
		check("multiply-adds of "+e.String(), multiplyAddsSource(e, 128, usualEffort).Text)
	}
}

// bothSigns adds products of signed and of unsigned bytes.
var bothSigns = weft.NewKernel("signs", func(k *tile.Builder, _ int) {
	k.Schedule(tile.Schedule{Threads: 32})
	a, b, x, y, out := k.In("a", dtype.I8, 2), k.In("b", dtype.I8, 2), k.In("x", dtype.U8, 2), k.In("y", dtype.U8, 2), k.Out("out", dtype.I32, 2)
	signed := tile.Dot(a.Block(16, 32).Load(0, 0), b.Block(32, 16).Load(0, 0), k.Zeros(dtype.I32, 16, 16), tile.IEEE)
	out.Block(16, 16).Store(tile.Dot(x.Block(16, 32).Load(0, 0), y.Block(32, 16).Load(0, 0), signed, tile.IEEE), 0, 0)
})

// A kernel may have matrices of signed and of unsigned sums.
func TestSignsOfSums(t *testing.T) {
	must(t, withMatrices(t).Close())
	dev, err := weft.Open("vulkan")
	must(t, err)
	defer dev.Close()
	const n, depth = 16, 32
	at := func(i, j, sign int) float64 { return float64((i*7+j*13)%128 + (1-sign)/2*100 - (1+sign)/2*64) }
	tensor := func(e weft.DType, rows, columns, sign int) *weft.Tensor {
		data := make([]float64, rows*columns)
		for i := range data {
			data[i] = at(i/columns, i%columns, sign)
		}
		x, err := weft.FromFloats(dev, e, data, rows, columns)
		must(t, err)
		return x
	}
	a, b, x, y := tensor(weft.I8, n, depth, 1), tensor(weft.I8, depth, n, 1), tensor(weft.U8, n, depth, -1), tensor(weft.U8, depth, n, -1)
	out, err := weft.Empty(dev, weft.I32, n, n)
	must(t, err)
	must(t, bothSigns.Launch(0, a, b, x, y, out))
	got, err := weft.ToFloats(out)
	must(t, err)
	for i := range n {
		for j := range n {
			want := 0.0
			for k := range depth {
				want += at(i, k, 1)*at(k, j, 1) + at(i, k, -1)*at(k, j, -1)
			}
			if got[i*n+j] != want {
				t.Fatalf("element %d, %d is %v, want %v", i, j, got[i*n+j], want)
			}
		}
	}
}
