package spirv

import (
	"os"
	"testing"

	"github.com/gogpu/naga/spirv"
)

// count is how many instructions of a kind a shader has.
func count(t *testing.T, wgsl string, kind spirv.OpCode) (n int) {
	t.Helper()
	b, err := Compile(wgsl)
	if err != nil {
		t.Fatal(err)
	}
	m, err := decode(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, inst := range m.code {
		if op(inst) == kind {
			n++
		}
	}
	return n
}

// Masks are no branches, but what may go wrong stays after the condition that guards it.
func TestFlatten(t *testing.T) {
	for _, c := range []struct {
		body     string
		branches int
	}{
		{`let m = t < p.n && t >= p.m; o[t] = select(0.0, x, m);`, 0},
		{`let m = t < p.n && t >= p.m && x > 0.0; o[t] = select(0.0, x, m);`, 0},
		{`let m = t < p.n || (t >= p.m && (x > 0.0 || t == 7)); o[t] = select(0.0, x, m);`, 0},
		{`let l = t < p.n; let r = t + 1 < p.n; let m = l && r; o[t] = select(0.0, x, m);`, 0},
		{`if (t < p.n && t >= p.m) { o[t] = x; }`, 1},
		{`let m = t < p.n && a[t + 1] > 0.0; o[t] = select(0.0, x, m);`, 1},
		{`let m = p.n != 0 && t % p.n == 0; o[t] = select(0.0, x, m);`, 1},
		{`var b = false; if (t < p.n) { b = t >= p.m; o[t] = x; } o[t] = select(0.0, x, b);`, 1},
	} {
		if got := count(t, shader(c.body, ""), spirv.OpBranchConditional); got != c.branches {
			t.Errorf("%d branches, want %d: %s", got, c.branches, c.body)
		}
	}
}

// mulhiText is what package wgsl emits, and close to it.
const mulhiText = `fn h(x: u32, y: u32) -> u32 {
	let low = x & 0xffffu;
	let high = x >> 16u;
	let first = high * (y & 0xffffu) + ((low * (y & 0xffffu)) >> 16u);
	let second = low * (y >> 16u) + (first & 0xffffu);
	return high * (y >> 16u) + (first >> 16u) + (second >> `

func TestWideProducts(t *testing.T) {
	for text, want := range map[string]int{mulhiText + "16u);\n}": 1, mulhiText + "15u);\n}": 0} {
		if got := count(t, shader(`w[t] = h(w[t], w[t + 1]) ^ h(w[t], 3528531795u);`, text), opUMulExtended); got != want {
			t.Errorf("%d instructions, want %d:\n%s", got, want, text)
		}
	}
	kernel, err := os.ReadFile("../../ops/testdata/dropout.wgsl") // as it is emitted
	if err != nil {
		t.Fatal(err)
	}
	if count(t, string(kernel), opUMulExtended) != 1 {
		t.Error("the helper of a kernel is not recognised")
	}
}
