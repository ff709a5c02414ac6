package spirv

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gogpu/naga/spirv"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
)

// shader wraps statements into a module that declares one of everything a
// kernel may use.
func shader(body, globals string) string {
	return `
struct Params { n: i32, u: u32, s: f32, m: i32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> o: array<f32>;
@group(0) @binding(3) var<storage, read_write> w: array<u32>;
@group(0) @binding(4) var<storage, read_write> c: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> vo: array<vec4<f32>>;
@group(0) @binding(6) var<uniform> p: Params;
var<workgroup> sh: array<f32, 512>;
var<workgroup> sv: array<vec4<f32>, 128>;
` + globals + `
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
	let t = i32(lid);
	let x = a[t];
` + body + `
}
`
}

// squares squares a value n times in a row.
func squares(n int) string {
	text := "let s0 = x * x;\n"
	for i := range n {
		text += fmt.Sprintf("let s%d = s%d * s%d;\n", i+1, i, i)
	}
	return text + fmt.Sprintf("o[t] = s%d + s0;", n)
}

// constructs are the forms that the WGSL emitter relies on. Each has to give a
// valid module.
var constructs = []struct{ name, body, globals string }{
	{"vector add", `if (t < p.n) { o[t] = a[t] + v[t].x; }`, ""},
	{"uniform members", `o[t] = f32(p.n) + f32(p.u) * p.s + f32(p.m);`, ""},
	{"vec4 load store", `vo[t] = v[t] * p.s + v[t + 1];`, ""},
	{"vec4 fma splat", `vo[t] = fma(v[t], vec4<f32>(x), vec4<f32>(1.0, 2.0, 3.0, 4.0));`, ""},
	{"workgroup", `sh[t] = x; sv[t] = v[t]; workgroupBarrier(); o[t] = sh[63 - t] + sv[63 - t].y;`, ""},
	{"workgroup scalars of vector", `sv[t] = v[t]; workgroupBarrier(); o[t] = sv[t / 4][t % 4];`, ""},
	{"workgroup component store", `sv[t][t & 3] = x; workgroupBarrier(); vo[t] = sv[t];`, ""},
	{"for", `var s = 0.0; for (var i: i32 = 0; i < p.n; i = i + 1) { s = s + a[i]; } o[t] = s;`, ""},
	{"for with several vars", `var s = 0.0; var k: i32 = 3; var f: f32 = 1.0; for (var i: i32 = t; i < p.n; i = i + k) { s = s + f * a[i]; f = f * 0.5; k = k + 1; } o[t] = s + f32(k);`, ""},
	{"nested for", `var s = 0.0; for (var i: i32 = 0; i < p.n; i++) { for (var j: i32 = 0; j < i; j += 2) { if (j == 7) { continue; } if (s > 9.0) { break; } s += a[j]; } } o[t] = s;`, ""},
	{"loop continuing", `var i = 0; var s = 0.0; loop { if (i >= p.n) { break; } s += a[i]; continuing { i = i + 1; } } o[t] = s;`, ""},
	{"loop break if", `var i = 0; var s = 0.0; loop { s += a[i]; continuing { i = i + 1; break if i >= p.n; } } o[t] = s;`, ""},
	{"while", `var i = 0; while (i < p.n) { i = i * 2 + 1; } o[t] = f32(i);`, ""},
	{"loop with barrier", `var s = 0.0; for (var i: i32 = 0; i < p.n; i++) { sh[t] = a[i + t]; workgroupBarrier(); for (var j: i32 = 0; j < 64; j++) { s += sh[j]; } workgroupBarrier(); } o[t] = s;`, ""},
	{"squares", squares(60), ""},
	{"masks", `let m = t < p.n && (t >= p.m || x > 0.0 && t != 3); o[t] = select(0.0, x, m);`, ""},
	{"masks in loops", `var s = 0.0; for (var i: i32 = 0; i < p.n && i != p.m; i++) { let m = t < p.n && i >= p.m; s += select(0.0, a[select(0, i, m)], m); } o[t] = s;`, ""},
	{"high product", `w[t] = h(w[t], 7u);`, mulhiText + "16u); }"},
	{"if else", `var r = 0.0; if (x > 1.0) { r = 1.0; } else if (x < -1.0) { r = -1.0; } else { r = x; } o[t] = r;`, ""},
	{"early return", `if (t >= p.n) { return; } o[t] = x;`, ""},
	{"early return in loop", `for (var i: i32 = 0; i < p.n; i++) { if (a[i] > 3.0) { o[t] = 1.0; return; } } o[t] = 2.0;`, ""},
	{"select", `o[t] = select(0.0, x, t < p.n);`, ""},
	{"select of integers", `w[t] = select(1u, u32(t), t < p.n); o[t] = f32(select(p.n, p.m, x > 0.0));`, ""},
	{"select by vector", `let q = v[t]; vo[t] = select(vec4<f32>(0.0), q, q > vec4<f32>(x));`, ""},
	{"select of vectors by scalar", `vo[t] = select(vec4<f32>(0.0), v[t], t < p.n);`, ""},
	{"vector of bool", `let q = vec4<bool>(x > 0.0, t < p.n, true, p.u == 3u); vo[t] = select(vec4<f32>(0.0), v[t], q & (v[t] < vec4<f32>(1.0)));`, ""},
	{"bool variables", `var b = x > 0.0; b = b && (t < p.n); b = b || x == 3.0; b = b & !(x == 4.0); b = b | (t == 4); o[t] = f32(b) + select(0.0, 1.0, b != (x > 1.0)); w[t] = u32(b);`, ""},
	{"bitcast", `w[t] = bitcast<u32>(x); o[t] = bitcast<f32>(w[t] + bitcast<u32>(p.n)); o[t + 64] = bitcast<f32>(bitcast<i32>(x));`, ""},
	{"bitcast of vectors", `let u = bitcast<vec4<u32>>(v[t]); vo[t] = bitcast<vec4<f32>>(u ^ vec4<u32>(1u));`, ""},
	{"infinities by bitcast", `let inf = bitcast<f32>(0x7f800000u); o[t] = max(-inf, x); o[t + 1] = bitcast<f32>(0xff800000u); o[t + 2] = bitcast<f32>(0x7fc00000u);`, ""},
	{"infinities by runtime bits", `var bits = 0x7f800000u; o[t] = bitcast<f32>(bits); o[t + 1] = bitcast<f32>(bits | 0x80000000u);`, ""},
	{"half floats", `let h = unpack2x16float(w[t]); w[t + 1] = pack2x16float(h * 2.0); o[t] = h.x + h.y; w[t + 2] = pack2x16float(vec2<f32>(x, 0.0));`, ""},
	{"bfloat by shifts", `let u = w[t]; o[t] = bitcast<f32>(u << 16u) + bitcast<f32>(u & 0xffff0000u); w[t] = (bitcast<u32>(x) + 0x7fffu + ((bitcast<u32>(x) >> 16u) & 1u)) >> 16u;`, ""},
	{"math", `o[t] = exp(x) + exp2(x) + log(x) + log2(x) + tanh(x) + sqrt(x) + inverseSqrt(x) + abs(x) + sin(x) + cos(x) + floor(x) + ceil(x) + round(x) + trunc(x) + pow(x, 2.5) + fma(x, x, x) + min(x, 1.0) + max(x, 0.0) + clamp(x, 0.0, 1.0) + sign(x) + sinh(x) + cosh(x) + atan(x) + atan2(x, 2.0) + fract(x);`, ""},
	{"math of vectors", `let q = v[t]; vo[t] = exp(q) + tanh(q) + max(q, vec4<f32>(x)) + min(q, vec4<f32>(0.0)) + sqrt(abs(q)) + clamp(q, vec4<f32>(0.0), vec4<f32>(1.0)); o[t] = dot(q, q);`, ""},
	{"signed division", `let d = (t - 7) / p.n; let r = (t - 7) % p.n; o[t] = f32(d * 100 + r);`, ""},
	{"unsigned division", `w[t] = (u32(t) / p.u) * 100u + u32(t) % p.u;`, ""},
	{"division of vectors", `let q = vec4<i32>(t, t + 1, -t, 5); let r = q / vec4<i32>(p.n) + q % vec4<i32>(p.m); o[t] = f32(r.x + r.y + r.z + r.w);`, ""},
	{"float remainder", `o[t] = x % 2.5;`, ""},
	{"shifts", `w[t] = (p.u << (p.u & 31u)) | (p.u >> 3u); o[t] = f32((p.n >> 2u) + (p.n << (p.u & 31u)));`, ""},
	{"bit logic", `w[t] = (p.u & 0xffu) | (~p.u ^ 0xf0f0f0f0u); o[t] = f32(~p.n & (p.m | 1) ^ 3);`, ""},
	{"integer math", `o[t] = f32(min(p.n, t) + max(p.m, -t) + abs(-t) + clamp(t, 1, 5)); w[t] = min(p.u, 7u) + max(p.u, lid) + countOneBits(p.u) + firstLeadingBit(p.u | 1u) + extractBits(p.u, 8u, 8u) + insertBits(p.u, 3u, 8u, 4u);`, ""},
	{"integer literals", `w[t] = 4294967295u + 0xffffffffu; o[t] = f32(-2147483648 + p.n) + f32(2147483647);`, ""},
	{"float literals", `o[t] = 1.0 + 1e-38f + 3.4028235e38 * p.s + 1.0e10f + 1e-45f + 0.5f;`, ""},
	{"casts", `w[t] = u32(p.n) + u32(x); o[t] = f32(i32(p.u)) + f32(i32(x)) + f32(u32(t)); w[t + 1] = u32(i32(p.u) - 5);`, ""},
	{"casts of vectors", `let i = vec4<i32>(v[t]); let u = vec4<u32>(i); vo[t] = vec4<f32>(u) + vec4<f32>(i);`, ""},
	{"private vector component store", `var q = vec4<f32>(0.0); q.x = x; q[1] = x * 2.0; q[t & 3] += 1.0; vo[t] = q;`, ""},
	{"swizzles", `let q = v[t]; vo[t] = vec4<f32>(q.xy, q.zw) + q.wzyx + vec4<f32>(q.xyz, 1.0); let h = q.xz + q.yw; o[t] = h.x * h.y;`, ""},
	{"dynamic index of let vector", `let q = v[t]; o[t] = q[t & 3];`, ""},
	{"private arrays", `var acc: array<f32, 16>; for (var i: i32 = 0; i < 16; i++) { acc[i] = x * f32(i); } o[t] = acc[t & 15];`, ""},
	{"private arrays of vectors", `var acc: array<vec4<f32>, 8>; for (var i: i32 = 0; i < 8; i++) { acc[i] = fma(vec4<f32>(x), v[t], acc[i]); acc[i].y += 1.0; acc[i][2] = x; } vo[t] = acc[t & 7];`, ""},
	{"nested arrays", `var acc: array<array<f32, 4>, 4>; acc[t & 3][1] = x; o[t] = acc[1][t & 3];`, ""},
	{"module const", `o[t] = f32(N) * SCALE + f32(HALF);`, "const N: i32 = 64; const SCALE: f32 = 0.125; const HALF = N / 2;"},
	{"const array local", `let T = array<u32, 4>(1u, 2u, 4u, 8u); w[t] = T[1];`, ""},
	{"const array local indexed", `var T = array<u32, 4>(1u, 2u, 4u, 8u); w[t] = T[t & 3];`, ""},
	{"helper functions", `o[t] = relu(x) + twice(v[t]).x;`, "fn relu(x: f32) -> f32 { return max(x, 0.0); } fn twice(q: vec4<f32>) -> vec4<f32> { if (q.x > 1.0) { return q; } return q * 2.0; }"},
	{"helper with pointers", `var s = x; bump(&s); o[t] = s;`, "fn bump(s: ptr<function, f32>) { *s = *s + 1.0; }"},
	{"helper reading globals", `o[t] = at(t) + tree(lid);`, "fn at(i: i32) -> f32 { if (i < p.n) { return a[i]; } return 0.0; } fn tree(l: u32) -> f32 { sh[l] = a[l]; workgroupBarrier(); for (var s = 32u; s > 0u; s >>= 1u) { if (l < s) { sh[l] += sh[l + s]; } workgroupBarrier(); } return sh[0]; }"},
	{"helper structs", `let r = pair(x); o[t] = r.a + r.b;`, "struct Pair { a: f32, b: f32 } fn pair(x: f32) -> Pair { return Pair(x, x * 2.0); }"},
	{"atomics", `atomicAnd(&c[t], ~(0xffffu << 16u)); atomicOr(&c[t], p.u << 16u); let old = atomicAdd(&c[0], 1u); atomicMax(&c[1], old); atomicMin(&c[2], old); atomicXor(&c[3], 1u); w[t] = atomicLoad(&c[t]); atomicStore(&c[4], 1u); w[t + 1] = atomicExchange(&c[5], 2u);`, ""},
	{"atomic compare exchange", `var old = atomicLoad(&c[0]); loop { let r = atomicCompareExchangeWeak(&c[0], old, bitcast<u32>(bitcast<f32>(old) + x)); if (r.exchanged) { break; } old = r.old_value; }`, ""},
	{"workgroup atomics", `atomicAdd(&ga, 1u); workgroupBarrier(); w[t] = atomicLoad(&ga);`, "var<workgroup> ga: atomic<u32>;"},
	{"workgroup integers", `gi[t] = t; gu[t] = vec4<u32>(w[t]); workgroupBarrier(); o[t] = f32(gi[63 - t]); w[t] = gu[t].z;`, "var<workgroup> gi: array<i32, 64>; var<workgroup> gu: array<vec4<u32>, 64>;"},
	{"workgroup scalar", `if (t == 0) { gs = x; } workgroupBarrier(); o[t] = gs;`, "var<workgroup> gs: f32;"},
	{"storage barrier", `o[t] = x; storageBarrier(); w[t] = 1u;`, ""},
	{"compound assignment", `var i = t; i += 3; i -= 1; i *= 2; i /= 3; i %= 7; i <<= 1u; i >>= 1u; i |= 8; i &= 15; i ^= 2; i++; i--; o[t] = f32(i); o[t + 64] += x;`, ""},
	{"switch", `var r = 0.0; switch (t & 3) { case 0: { r = 1.0; } case 1, 2: { r = 2.0; } default: { r = 3.0; } } o[t] = r;`, ""},
	{"blocks and shadowing", `var r = x; { let x = 2.0; r = r * x; { var r = 3.0; r = r + 1.0; } } o[t] = r;`, ""},
	{"let chains", `let a1 = x * 2.0; let a2 = a1 + a1; let a3 = a2 * a1; for (var i = 0; i < 4; i++) { let b1 = a3 + f32(i); o[t + i] = b1 * b1; } o[t] = a3 - a1;`, ""},
	{"negation", `o[t] = -x + -(x * 2.0) - -1.0; let n = -t; o[t + 64] = f32(n - -p.n);`, ""},
	{"comparison of NaN bits", `o[t] = select(0.0, 1.0, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);`, ""},
	{"grid", `let g = (wg.z * nw.y + wg.y) * nw.x + wg.x; w[i32(g) * 64 + t] = g;`, ""},
	{"u32 storage vectors", `vu[t] = vec4<u32>(1u, 2u, 3u, w[t]) + vu[t + 1];`, "@group(0) @binding(7) var<storage, read_write> vu: array<vec4<u32>>;"},
	{"vec2 storage", `v2[t] = v2[t] * 2.0 + vec2<f32>(x, 1.0);`, "@group(0) @binding(7) var<storage, read_write> v2: array<vec2<f32>>;"},
	{"i32 storage", `si[t] = si[t] + i32(x); si[t + 1] = -p.n;`, "@group(0) @binding(7) var<storage, read_write> si: array<i32>;"},
	{"uniform of vec4s", `w[t] = q.r[1].y + q.r[p.n].z;`, "struct Raw { r: array<vec4<u32>, 4> } @group(0) @binding(7) var<uniform> q: Raw;"},
	{"integer dot product lanes", `let q = vec4<i32>(unpack4xI8(w[t])); o[t] = f32(q.x + q.w);`, ""},
	{"variable set in branches", `var r: f32; var i: i32; if (x > 0.0) { r = 1.0; i = 2; } else { r = 2.0; i = 3; } o[t] = r * f32(i);`, ""},
	{"var in loop body", `for (var i = 0; i < 4; i++) { var s: f32; s += x; o[t + i] = s; }`, ""},
	{"array assignment", `var q: array<f32, 4>; var r = q; r[1] = x; q = r; o[t] = q[1];`, ""},
	{"pointer let", `let q = &o[t]; *q = x; *q += 1.0;`, ""},
	{"pointer to workgroup", `let q = &sh[t]; *q = x; workgroupBarrier(); o[t] = *q;`, ""},
	{"phony", `_ = x; o[t] = 1.0;`, ""},
	{"arrayLength", `w[t] = arrayLength(&a);`, ""},
	{"ldexp and frexp", `o[t] = ldexp(x, 3);`, ""},
	{"isnan forms", `o[t] = select(0.0, 1.0, x != x);`, ""},
	{"mixed abstract", `o[t] = 2 * x + f32(3); o[t + 1] = x / 3; let k: f32 = 7; o[t + 2] = k;`, ""},
	{"const inf mul", `const big = 3e38; o[t] = x * big;`, ""},
	{"shift constant", `w[t] = 1u << 5u; w[t + 1] = (1u << 16u) - 1u;`, ""},
	{"vec4 compare store", `let m = v[t] >= vec4<f32>(0.0); w[t] = select(0u, 1u, m.x) | select(0u, 2u, m.y);`, ""},
	{"bool array workgroup", `gu8[t] = select(0u, 1u, x > 0.0); workgroupBarrier(); w[t] = gu8[63 - t];`, "var<workgroup> gu8: array<u32, 64>;"},
}

func spirvVal(t *testing.T) string {
	t.Helper()
	tool, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", err.Error())
	}
	return tool
}

func TestConstructs(t *testing.T) {
	tool := spirvVal(t)
	dir := t.TempDir()
	for _, c := range constructs {
		t.Run(c.name, func(t *testing.T) {
			b, err := Compile(shader(c.body, c.globals))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "_")+".spv")
			if err := os.WriteFile(file, b, 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(tool, "--target-env", "vulkan1.1", file).CombinedOutput(); err != nil {
				t.Errorf("spirv-val: %v\n%s", err, out)
			}
		})
	}
}

// clearingOps counts what clears workgroup memory: stores of whole workgroup
// variables, and barriers.
func clearingOps(t *testing.T, b []byte) (stores, barriers int) {
	t.Helper()
	m, err := decode(b)
	if err != nil {
		t.Fatal(err)
	}
	shared := map[uint32]bool{}
	for _, inst := range m.code {
		switch op(inst) {
		case spirv.OpVariable:
			shared[inst[2]] = inst[3] == uint32(spirv.StorageClassWorkgroup)
		case spirv.OpStore:
			if shared[inst[1]] {
				stores++
			}
		case spirv.OpControlBarrier:
			barriers++
		}
	}
	return stores, barriers
}

func TestWorkgroupMemoryIsNotCleared(t *testing.T) {
	for _, c := range []struct {
		body     string
		stores   int
		barriers int
	}{
		{"sh[t] = x; sv[t] = v[t]; workgroupBarrier(); o[t] = sh[63 - t] + sv[t].x;", 0, 1},
		{"sh[t] = x; o[t] = sh[t];", 0, 0},
		{"o[t] = x;", 0, 0},
		// What the module's author wrote stays, even if it looks alike.
		{"if (lid == 0u) { sh = array<f32, 512>(); } workgroupBarrier(); o[t] = sh[t];", 1, 1},
		{"for (var i = 0; i < 4; i++) { if (lid == 0u) { sh = array<f32, 512>(); } workgroupBarrier(); o[t] += sh[t]; }", 1, 1},
	} {
		b, err := Compile(shader(c.body, ""))
		if err != nil {
			t.Fatal(err)
		}
		if stores, barriers := clearingOps(t, b); stores != c.stores || barriers != c.barriers {
			t.Errorf("%s: %d stores and %d barriers, want %d and %d", c.body, stores, barriers, c.stores, c.barriers)
		}
	}
}

// TestClearingIsThere shows that the compiler does clear if it is let: the test
// above would prove nothing otherwise.
func TestClearingIsThere(t *testing.T) {
	b, err := generate(shader("sh[t] = x; o[t] = sh[t];", ""))
	if err != nil {
		t.Fatal(err)
	}
	if stores, barriers := clearingOps(t, b); stores != 1 || barriers != 1 {
		t.Errorf("%d stores and %d barriers: the compiler changed, see clear.go", stores, barriers)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ body, globals, want string }{
		{"w[t] = countLeadingZeros(w[t]);", "", "countLeadingZeros"},
		{"w[t] = z(w[t]);", "fn z(q: u32) -> u32 { return countTrailingZeros(q); }", "countTrailingZeros"},
		{"o[t] = T[t & 3];", "const T = array<f32, 4>(1.0, 2.0, 4.0, 8.0);", "module constant T"},
		{"o[t] = T.y;", "const T = vec4<f32>(1.0, 2.0, 4.0, 8.0);", "module constant T"},
		{"w[t] = u32(dot4I8Packed(w[t], w[t]));", "", "dot4I8Packed"},
		{"if (any(v[t] > v[t + 1])) { o[t] = x; }", "", "unsupported"},
	} {
		_, err := Compile(shader(c.body, c.globals))
		if !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.body, err)
		}
	}
}

func TestZeroVars(t *testing.T) {
	in := "var x: i32;\nvar<workgroup> s: array<f32, 4>;\nvar y: array<vec4<f32>, 8> ;\nvar z: f32 = 1.0;\nvar w = 2;\n"
	want := "var x: i32 = i32();\nvar<workgroup> s: array<f32, 4>;\nvar y: array<vec4<f32>, 8>  = array<vec4<f32>, 8> ();\nvar z: f32 = 1.0;\nvar w = 2;\n"
	if got := zeroVars(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStoreLoads(t *testing.T) {
	const declared = "var<workgroup> s: array<vec4<f32>, 4>;\nvar<storage, read_write> o: array<vec2<u32>>;\nvar<storage, read> a: array<vec4<f32>>;\nvar<workgroup> f: array<f32, 4>;\n"
	in := declared + "let x = s[i];\nlet y = o[i].x;\nlet z = a[i];\nlet w = f[i];\nlet n = i + s[0].x;\n"
	want := declared + "var x = s[i];\nvar y = o[i].x;\nlet z = a[i];\nlet w = f[i];\nlet n = i + s[0].x;\n"
	if got := storeLoads(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWords(t *testing.T) {
	b, err := Compile(shader("o[t] = x;", ""))
	if err != nil {
		t.Fatal(err)
	}
	words, err := Words(b, "main")
	if err != nil || 4*len(words) != len(b) {
		t.Fatalf("%d words of %d bytes, error %v", len(words), len(b), err)
	}
	zeroed := append([]byte(nil), b...)
	clear(zeroed[40:60])
	for what, c := range map[string]struct {
		b     []byte
		entry string
	}{
		"another entry": {b, "mai"}, "longer entry": {b, "main2"}, "no entry": {b, ""},
		"cut": {b[:len(b)-4], "main"}, "odd": {b[:len(b)-3], "main"}, "empty": {nil, "main"},
		"header": {b[:20], "main"}, "zeroed": {zeroed, "main"}, "text": {[]byte(strings.Repeat("fn main", 20)), "main"},
	} {
		if _, err := Words(c.b, c.entry); !errors.Is(err, fault.ErrKernel) {
			t.Errorf("%s: got %v, want ErrKernel", what, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, text := range []string{"", "fn", "@compute @workgroup_size(1) fn main() { let x = y; }", "fn f() -> f32 { return g(); }", "\x00\xff"} {
		b, err := Compile(text)
		if text == "" && err == nil {
			continue // an empty module is a module
		}
		if !errors.Is(err, fault.ErrKernel) {
			t.Errorf("%q: got %d bytes and error %v, want ErrKernel", text, len(b), err)
		}
	}
}
