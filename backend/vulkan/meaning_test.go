//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"math"
	"math/bits"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/target"
)

// input is what thread t of the meaning tests reads.
type input struct {
	t int32   // thread
	i int32   // a signed word, edges included
	u uint32  // the same bits
	x float32 // a small multiple of 1/8
	v [4]float32
}

func inputOf(t int) input {
	edges := []int32{0, 1, -1, 2, -2, 7, -7, 8, -8, 100, -100, math.MaxInt32, math.MinInt32, math.MinInt32 + 1, 65535, -65536}
	in := input{t: int32(t), i: edges[t%len(edges)] + int32(t/len(edges)), x: float32(t-30) / 8}
	in.u = uint32(in.i)
	for k := range in.v {
		in.v[k] = in.x + float32(k)
	}
	return in
}

func f(x float32) uint32 { return math.Float32bits(x) }
func n(x int32) uint32   { return uint32(x) }

// meanings are statements that set r, and what r is. They pin down what the
// compiler makes of the forms that the emitter prints.
var meanings = []struct {
	name, body, globals string
	want                func(in input) uint32
}{
	{"signed division", "r = bitcast<u32>(i / p.seven);", "", func(in input) uint32 { return n(in.i / 7) }},
	{"signed remainder", "r = bitcast<u32>(i % p.seven);", "", func(in input) uint32 { return n(in.i % 7) }},
	{"division by minus seven", "r = bitcast<u32>(i / -p.seven * 1000 + i % -p.seven);", "", func(in input) uint32 { return n(in.i/-7*1000 + in.i%-7) }},
	{"division by zero", "r = bitcast<u32>(i / p.zero + i % p.zero);", "", func(in input) uint32 { return n(in.i) }},
	{"unsigned division by zero", "r = u / u32(p.zero) + u % u32(p.zero);", "", func(in input) uint32 { return in.u }},
	{"division by minus one", "r = bitcast<u32>(i / (p.zero - 1));", "", func(in input) uint32 {
		if in.i == math.MinInt32 {
			return in.u
		}
		return n(-in.i)
	}},
	{"unsigned division", "r = u / 7u + u % u32(p.seven);", "", func(in input) uint32 { return in.u/7 + in.u%7 }},
	{"vector division", "let q = vec2<i32>(i, t) / vec2<i32>(p.seven); r = bitcast<u32>(q.x - q.y);", "", func(in input) uint32 { return n(in.i/7 - in.t/7) }},
	{"arithmetic shift", "r = bitcast<u32>(i >> u32(t & 31));", "", func(in input) uint32 { return n(in.i >> (in.t & 31)) }},
	{"logical shift", "r = (u >> u32(t & 31)) ^ (u << u32(t & 31));", "", func(in input) uint32 { return in.u>>(in.t&31) ^ in.u<<(in.t&31) }},
	{"wrapping", "r = bitcast<u32>(i * i + 2147483647 - -i);", "", func(in input) uint32 { return n(in.i*in.i + math.MaxInt32 + in.i) }},
	{"smallest integer", "var s = -2147483648; s = s + p.zero; r = bitcast<u32>(s);", "", func(in input) uint32 { return 0x80000000 }},
	{"signed comparison", "r = select(0u, 1u, i < p.seven) + select(0u, 2u, u < 7u);", "", func(in input) uint32 {
		var r uint32
		if in.i < 7 {
			r++
		}
		if in.u < 7 {
			r += 2
		}
		return r
	}},
	{"casts", "r = u32(i) + u32(i32(x)) + bitcast<u32>(f32(t)) + u32(t > 3);", "", func(in input) uint32 {
		r := in.u + uint32(int32(in.x)) + f(float32(in.t))
		if in.t > 3 {
			r++
		}
		return r
	}},
	{"cast of large", "r = bitcast<u32>(f32(u)) ^ bitcast<u32>(f32(i));", "", func(in input) uint32 { return f(float32(in.u)) ^ f(float32(in.i)) }},
	{"select", "r = bitcast<u32>(select(x, -x, x < 0.0));", "", func(in input) uint32 { return f(float32(math.Abs(float64(in.x)))) }},
	{"select by vector", "let q = select(vec4<f32>(-1.0), v, v > vec4<f32>(0.0)); r = bitcast<u32>(q.x + q.y * 2.0 + q.z * 4.0 + q.w * 8.0);", "", func(in input) uint32 {
		var s float32
		for k, e := range in.v {
			if e <= 0 {
				e = -1
			}
			s += e * float32(int(1)<<k)
		}
		return f(s)
	}},
	{"vector of bool", "let m = (v > vec4<f32>(0.0)) & vec4<bool>(true, t > 5, false, true); r = select(0u, 1u, m.x) + select(0u, 2u, m.y) + select(0u, 4u, m.z) + select(0u, 8u, !m.w);", "", func(in input) uint32 {
		var r uint32
		if in.v[0] > 0 {
			r |= 1
		}
		if in.v[1] > 0 && in.t > 5 {
			r |= 2
		}
		if in.v[3] <= 0 {
			r |= 8
		}
		return r
	}},
	{"swizzles", "let q = v.wzyx - v.yyxx; r = bitcast<u32>(q.x + q.y * 3.0 + q.z * 5.0 + q.w * 7.0) ^ bitcast<u32>(v.zw.y);", "", func(in input) uint32 {
		q := [4]float32{in.v[3] - in.v[1], in.v[2] - in.v[1], in.v[1] - in.v[0], in.v[0] - in.v[0]}
		return f(q[0]+q[1]*3+q[2]*5+q[3]*7) ^ f(in.v[3])
	}},
	{"component stores", "var q = v; q.y = 9.0; q[t & 3] += 1.0; q[2] = q.x; r = bitcast<u32>(q.x + q.y * 16.0 + q.z * 256.0 + q.w);", "", func(in input) uint32 {
		q := in.v
		q[1] = 9
		q[in.t&3]++
		q[2] = q[0]
		return f(q[0] + q[1]*16 + q[2]*256 + q[3])
	}},
	{"let before store", "var q = x; let old = q; q = q * 2.0; let both = old + q; q = 0.0; r = bitcast<u32>(both + q);", "", func(in input) uint32 { return f(in.x * 3) }},
	{"let of array element", "var q: array<i32, 4>; q[1] = t; let old = q[1]; q[1] = 7; r = bitcast<u32>(old * 100 + q[1] + q[0]);", "", func(in input) uint32 { return n(in.t*100 + 7) }},
	{"swap", "var a1 = t; var b1 = i; let h = a1; a1 = b1; b1 = h; r = bitcast<u32>(a1 * 3 + b1);", "", func(in input) uint32 { return n(in.i*3 + in.t) }},
	{"private array", "var q: array<vec4<f32>, 4>; for (var k = 0; k < 4; k++) { q[k] = v * f32(k); q[k].z += 1.0; } r = bitcast<u32>(q[t & 3].z + q[3][t & 1]);", "", func(in input) uint32 {
		return f(in.v[2]*float32(in.t&3) + 1 + in.v[in.t&1]*3)
	}},
	{"bare variable of a loop", "var s = 0; for (var k = 0; k < 5; k++) { var c: i32; c += k + 1; s += c; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"bare array of a loop", "var s = 0; for (var k = 0; k < 5; k++) { var c: array<i32, 2>; c[k & 1] += k + 1; s += c[0] + c[1]; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"bare bool of a loop", "var s = 0; for (var k = 0; k < 5; k++) { var c: bool; if (c) { s += 100; } c = true; s += k + 1; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"variable of a loop set to a constant", "var s = 0; for (var k = 0; k < 5; k++) { var c = 0; c += k + 1; s += c; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"typed variable of a loop set to a constant", "var s = 0; for (var k = 0; k < 5; k++) { var c: i32 = 0; c += k + 1; s += c; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"variable of a loop set to a zero value", "var s = 0; for (var k = 0; k < 5; k++) { var c = i32(); c += k + 1; s += c; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"vector of a loop set to a constant", "var s = 0.0; for (var k = 0; k < 5; k++) { var c = vec4<f32>(0.0); c.y += f32(k + 1); s += c.y; } r = u32(s);", "", func(in input) uint32 { return 15 }},
	{"variable of a nested loop", "var s = 0; for (var k = 0; k < 5; k++) { var c = 0; for (var j = 0; j < 3; j++) { c += j; } s += c; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"array of a loop set to a zero value", "var s = 0; for (var k = 0; k < 5; k++) { var c = array<i32, 2>(); c[k & 1] += k + 1; s += c[0] + c[1]; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"array of a loop set element by element", "var s = 0; for (var k = 0; k < 5; k++) { var c: array<i32, 2>; c[0] = 0; c[1] = 0; c[k & 1] += k + 1; s += c[0] + c[1]; } r = bitcast<u32>(s);", "", func(in input) uint32 { return 15 }},
	{"variable of a helper called in a loop", "var s = 0; for (var k = 0; k < 5; k++) { s += plus(k); } r = bitcast<u32>(s);", "fn plus(k: i32) -> i32 { var c: i32; c += k + 1; return c; }", func(in input) uint32 { return 15 }},
	{"initialised variable in a loop", "var s = 0; for (var k = 0; k < 5; k++) { var c = t; if (k > 2) { c = 0; } s += c; } r = bitcast<u32>(s);", "", func(in input) uint32 { return n(3 * in.t) }},
	{"nested loops", "var s = 0; for (var a1 = 0; a1 < t; a1++) { if (a1 % 3 == 1) { continue; } for (var b1 = a1; b1 < 20; b1 += 2) { if (b1 > 15) { break; } s += a1 * b1 + 1; } } r = bitcast<u32>(s);", "", func(in input) uint32 {
		var s int32
		for a := int32(0); a < in.t; a++ {
			if a%3 == 1 {
				continue
			}
			for b := a; b < 20; b += 2 {
				if b > 15 {
					break
				}
				s += a*b + 1
			}
		}
		return n(s)
	}},
	{"carried variables", "var a1 = 0; var b1 = 1; for (var k = 0; k < t; k++) { let c = a1 + b1; a1 = b1; b1 = c; } r = bitcast<u32>(a1);", "", func(in input) uint32 {
		a, b := int32(0), int32(1)
		for range in.t {
			a, b = b, a+b
		}
		return n(a)
	}},
	{"loop with continuing", "var k = 0; var s = 0; loop { if (k >= t) { break; } if (k == 3) { continue; } s += k; continuing { k += 1; } } r = bitcast<u32>(s);", "", func(in input) uint32 {
		var s int32
		for k := range in.t {
			if k != 3 {
				s += k
			}
		}
		return n(s)
	}},
	{"break if", "var k = 0; loop { k += 3; continuing { break if k > t; } } r = bitcast<u32>(k);", "", func(in input) uint32 { return n(in.t - in.t%3 + 3) }},
	{"while", "var k = 1u; while (k < u32(t)) { k *= 2u; } r = k;", "", func(in input) uint32 {
		if in.t < 2 {
			return 1
		}
		return 1 << bits.Len32(uint32(in.t-1))
	}},
	{"downward loop of unsigned", "var s = 0u; for (var k = 32u; k > 0u; k >>= 1u) { s = s * 3u + k; } r = s;", "", func(in input) uint32 {
		var s uint32
		for k := uint32(32); k > 0; k >>= 1 {
			s = s*3 + k
		}
		return s
	}},
	{"else if", "if (t < 10) { r = 1u; } else if (t < 20) { r = 2u; } else if (x > 3.0) { r = 3u; } else { r = 4u; }", "", func(in input) uint32 {
		switch {
		case in.t < 10:
			return 1
		case in.t < 20:
			return 2
		case in.x > 3:
			return 3
		}
		return 4
	}},
	{"early return", "o[lid] = 5u; if (t % 2 == 0) { return; } r = 6u;", "", func(in input) uint32 { return 5 + uint32(in.t%2) }},
	{"return from a loop", "o[lid] = 1u; for (var k = 0; k < 9; k++) { if (k == t) { o[lid] = 77u; return; } } r = 3u;", "", func(in input) uint32 {
		if in.t < 9 {
			return 77
		}
		return 3
	}},
	{"helper function", "r = bitcast<u32>(clampTo(x, 1.0) + clampTo(-x, 0.5));", "fn clampTo(y: f32, m: f32) -> f32 { if (y > m) { return m; } return y; }", func(in input) uint32 {
		return f(min(in.x, 1) + min(-in.x, 0.5))
	}},
	{"helper with a pointer", "var q = t; bump(&q); bump(&q); r = bitcast<u32>(q);", "fn bump(q: ptr<function, i32>) { *q = *q * 2 + 1; }", func(in input) uint32 { return n(4*in.t + 3) }},
	{"helper in a condition", "var s = 0; for (var k = 0; small(k, t); k++) { s += 2; } if (small(s, 50) && small(3, s)) { s += 1000; } r = bitcast<u32>(s);", "fn small(a1: i32, b1: i32) -> bool { return a1 < b1; }", func(in input) uint32 {
		s := 2 * in.t
		if s < 50 && 3 < s {
			s += 1000
		}
		return n(s)
	}},
	{"short circuit", "var q = 0; if (t > 3 && touch(&q)) { q += 10; } if (t > 3 || touch(&q)) { q += 100; } r = bitcast<u32>(q);", "fn touch(q: ptr<function, i32>) -> bool { *q = *q + 1; return true; }", func(in input) uint32 {
		if in.t > 3 {
			return 111
		}
		return 101
	}},
	{"module constants", "r = bitcast<u32>(LIMIT * t + HALF);", "const LIMIT: i32 = 12; const HALF = LIMIT / 2;", func(in input) uint32 { return n(12*in.t + 6) }},
	{"local array of let", "let q = array<i32, 4>(5, -6, 7, 8); r = bitcast<u32>(q[t & 3]);", "", func(in input) uint32 { return n([]int32{5, -6, 7, 8}[in.t&3]) }},
	{"array literal", "var q = array<u32, 4>(1u, 20u, 300u, 4000u); q[t & 1] += 5u; r = q[t & 3];", "", func(in input) uint32 {
		q := [4]uint32{1, 20, 300, 4000}
		q[in.t&1] += 5
		return q[in.t&3]
	}},
	{"infinity by bits", "var b1 = 0x7f800000u; var q = -bitcast<f32>(b1); q = max(q, x); r = bitcast<u32>(q) ^ bitcast<u32>(bitcast<f32>(b1));", "", func(in input) uint32 { return f(in.x) ^ 0x7f800000 }},
	{"infinity by constant", "r = bitcast<u32>(max(bitcast<f32>(0xff800000u), x));", "", func(in input) uint32 { return f(in.x) }},
	{"bits of f16", "let q = unpack2x16float(0xbc003e00u); r = pack2x16float(vec2<f32>(q.x + x, q.y));", "", func(in input) uint32 { return 0xbc00<<16 | half(1.5+in.x) }},
	{"bfloat rounding", "let b1 = bitcast<u32>(x * 1.001); r = (b1 + 0x7fffu + ((b1 >> 16u) & 1u)) >> 16u;", "", func(in input) uint32 {
		b := f(in.x * 1.001)
		return (b + 0x7fff + (b>>16)&1) >> 16
	}},
	{"bits", "r = countOneBits(u) + (reverseBits(u) << 20u);", "", func(in input) uint32 { return uint32(bits.OnesCount32(in.u)) + bits.Reverse32(in.u)<<20 }},
	{"minimum and maximum", "r = bitcast<u32>(min(i, t) + max(i, -t) * 3 + abs(t - 40)) + min(u, 9u) + max(u, 9u);", "", func(in input) uint32 {
		d := in.t - 40
		return n(min(in.i, in.t)+max(in.i, -in.t)*3+max(d, -d)) + min(in.u, 9) + max(in.u, 9)
	}},
	{"rounding", "r = bitcast<u32>(floor(x) + ceil(x) * 16.0 + trunc(x) * 256.0 + round(x) * 4096.0);", "", func(in input) uint32 {
		x := float64(in.x)
		return f(float32(math.Floor(x) + math.Ceil(x)*16 + math.Trunc(x)*256 + math.RoundToEven(x)*4096))
	}},
	{"fused multiply-add", "r = bitcast<u32>(fma(x, 8.0, 3.0)) ^ bitcast<u32>(fma(v, vec4<f32>(2.0), v).y);", "", func(in input) uint32 { return f(in.x*8+3) ^ f(in.v[1]*3) }},
	{"workgroup exchange", "sh[lid] = x; workgroupBarrier(); r = bitcast<u32>(sh[63u - lid]);", "", func(in input) uint32 { return f(inputOf(63 - int(in.t)).x) }},
	{"workgroup vectors", "sv[lid] = v; workgroupBarrier(); if (t < 32) { sv[lid + 32u].y = 5.0; } workgroupBarrier(); r = bitcast<u32>(sv[(lid + 1u) & 63u].y + sv[lid][t & 3]);", "", func(in input) uint32 {
		at := func(t int32, k int32) float32 {
			if t >= 32 && k == 1 {
				return 5
			}
			return inputOf(int(t)).v[k]
		}
		return f(at((in.t+1)&63, 1) + at(in.t, in.t&3))
	}},
	{"workgroup vector kept", "sv[lid] = v; workgroupBarrier(); let kept = sv[63u - lid]; workgroupBarrier(); sv[lid] = v * 0.0; workgroupBarrier(); r = bitcast<u32>(kept.x);", "", func(in input) uint32 {
		return f(inputOf(63 - int(in.t)).x)
	}},
	{"tree sum", "sh[lid] = x; workgroupBarrier(); for (var s = 32u; s > 0u; s >>= 1u) { if (lid < s) { sh[lid] += sh[lid + s]; } workgroupBarrier(); } r = bitcast<u32>(sh[0]);", "", func(in input) uint32 {
		var s float32
		for t := range 64 {
			s += inputOf(t).x // exact: multiples of 1/8
		}
		return f(s)
	}},
	{"barrier in a loop", "var s = 0.0; for (var k = 0; k < 4; k++) { sh[lid] = x * f32(k); workgroupBarrier(); s += sh[(lid + u32(k)) & 63u]; workgroupBarrier(); } r = bitcast<u32>(s);", "", func(in input) uint32 {
		var s float32
		for k := range 4 {
			s += inputOf((int(in.t)+k)&63).x * float32(k)
		}
		return f(s)
	}},
	{"workgroup atomics", "if (lid == 0u) { atomicStore(&count, 0u); } workgroupBarrier(); atomicAdd(&count, u32(t)); workgroupBarrier(); r = atomicLoad(&count);", "", func(in input) uint32 { return 63 * 64 / 2 }},
	{"storage atomics", "if (t % 2 == 0) { atomicAnd(&c[t / 2], 0xffff0000u); atomicOr(&c[t / 2], 0x12u); } else { atomicAnd(&c[t / 2], 0x0000ffffu); atomicOr(&c[t / 2], 0x3400000u); } storageBarrier(); workgroupBarrier(); r = atomicLoad(&c[t / 2]);", "", func(in input) uint32 { return 0x3400012 }},
	{"compound assignment", "var k = t; k += 3; k *= 5; k -= 7; k /= 2; k %= 11; k <<= 2u; k |= 1; k ^= 6; k &= 0xff; k++; r = bitcast<u32>(k);", "", func(in input) uint32 {
		k := in.t
		k += 3
		k *= 5
		k -= 7
		k /= 2
		k %= 11
		k <<= 2
		k |= 1
		k ^= 6
		k &= 0xff
		k++
		return n(k)
	}},
	{"switch", "switch (t & 3) { case 0: { r = 10u; } case 1, 2: { r = 20u; } default: { r = 30u; } }", "", func(in input) uint32 { return []uint32{10, 20, 20, 30}[in.t&3] }},
	{"shadowing", "let q = t; { let q = 5; r = u32(q); } r = r * 100u + u32(q); for (var q = 0; q < 2; q++) { r += 1u; }", "", func(in input) uint32 { return 502 + uint32(in.t) }},
	{"precedence", "r = bitcast<u32>(1 + t * 2 - (t - 3) * (t + 1) / 2);", "", func(in input) uint32 { return n(1 + in.t*2 - (in.t-3)*(in.t+1)/2) }},
	{"negation", "r = bitcast<u32>(-x) ^ bitcast<u32>(-i - -t);", "", func(in input) uint32 { return f(-in.x) ^ n(-in.i+in.t) }},
	{"read after write to storage", "o[lid] = 3u; let q = o[lid]; o[lid] = q + 1u; r = o[lid] + q;", "", func(in input) uint32 { return 7 }},
	{"pointer to an element", "let q = &o[lid]; *q = 3u; *q += 4u; r = *q;", "", func(in input) uint32 { return 7 }},
}

// half rounds a value that f16 holds exactly.
func half(x float32) uint32 {
	if x == 0 {
		return 0
	}
	b := f(x)
	return b>>16&0x8000 | (b>>23&0xff-112)<<10 | b>>13&0x3ff
}

func meaningSource(body, globals string) backend.Source {
	return backend.Source{
		Language: target.WGSL, Entry: "main", Threads: 64, Words: 2,
		Bindings: []backend.Binding{{Name: "in", Access: backend.Read}, {Name: "iv", Access: backend.Read}, {Name: "c", Access: backend.ReadWrite}, {Name: "o", Access: backend.ReadWrite}},
		Text: `
struct Params { seven: i32, zero: i32 }

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read> vectors: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> o: array<u32>;
@group(0) @binding(4) var<uniform> p: Params;
var<workgroup> sh: array<f32, 64>;
var<workgroup> sv: array<vec4<f32>, 64>;
var<workgroup> count: atomic<u32>;
` + globals + `
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
	let t = i32(lid);
	let u = words[2u * lid];
	let i = bitcast<i32>(u);
	let x = bitcast<f32>(words[2u * lid + 1u]);
	let v = vectors[lid];
	var r = 0u;
	` + body + `
	o[lid] = r;
}`,
	}
}

// approximations are expressions of x and v and their value, with the error
// that is allowed: absolute below one, relative above.
var approximations = []struct {
	expr string
	want func(in input) float64
	tol  float64
}{
	{"exp(x)", func(in input) float64 { return math.Exp(float64(in.x)) }, 1e-5},
	{"exp2(x)", func(in input) float64 { return math.Exp2(float64(in.x)) }, 1e-5},
	{"log(x * x + 0.5)", func(in input) float64 { return math.Log(float64(in.x)*float64(in.x) + 0.5) }, 1e-5},
	{"log2(x * x + 0.5)", func(in input) float64 { return math.Log2(float64(in.x)*float64(in.x) + 0.5) }, 1e-5},
	{"tanh(x)", func(in input) float64 { return math.Tanh(float64(in.x)) }, 1e-5},
	{"sinh(x)", func(in input) float64 { return math.Sinh(float64(in.x)) }, 1e-5},
	{"cosh(x)", func(in input) float64 { return math.Cosh(float64(in.x)) }, 1e-5},
	{"sin(x)", func(in input) float64 { return math.Sin(float64(in.x)) }, 1e-3},
	{"cos(x)", func(in input) float64 { return math.Cos(float64(in.x)) }, 1e-3},
	{"tan(x * 0.2)", func(in input) float64 { return math.Tan(float64(in.x) * 0.2) }, 1e-3},
	{"atan(x)", func(in input) float64 { return math.Atan(float64(in.x)) }, 1e-3},
	{"atan2(x, 2.0)", func(in input) float64 { return math.Atan2(float64(in.x), 2) }, 1e-3},
	{"asin(x * 0.2)", func(in input) float64 { return math.Asin(float64(in.x) * 0.2) }, 1e-3},
	{"acos(x * 0.2)", func(in input) float64 { return math.Acos(float64(in.x) * 0.2) }, 1e-3},
	{"sqrt(abs(x))", func(in input) float64 { return math.Sqrt(math.Abs(float64(in.x))) }, 1e-5},
	{"inverseSqrt(abs(x) + 0.5)", func(in input) float64 { return 1 / math.Sqrt(math.Abs(float64(in.x))+0.5) }, 1e-5},
	{"pow(abs(x) + 0.5, 2.5)", func(in input) float64 { return math.Pow(math.Abs(float64(in.x))+0.5, 2.5) }, 1e-4},
	{"sign(x)", func(in input) float64 {
		if in.x == 0 {
			return 0
		}
		return math.Copysign(1, float64(in.x))
	}, 0},
	{"fract(x)", func(in input) float64 { return float64(in.x) - math.Floor(float64(in.x)) }, 0},
	{"x % 1.5", func(in input) float64 { return math.Mod(float64(in.x), 1.5) }, 1e-5},
	{"clamp(x, -1.0, 2.0)", func(in input) float64 { return max(-1, min(2, float64(in.x))) }, 0},
	{"saturate(x)", func(in input) float64 { return max(0, min(1, float64(in.x))) }, 0},
	{"mix(x, 3.0, 0.25)", func(in input) float64 { return float64(in.x)*0.75 + 0.75 }, 1e-5},
	{"step(x, 1.0)", func(in input) float64 {
		if in.x <= 1 {
			return 1
		}
		return 0
	}, 0},
	{"ldexp(x, 3)", func(in input) float64 { return float64(in.x) * 8 }, 0},
	{"dot(v, v.wzyx)", func(in input) float64 { return 2 * float64(in.v[0]*in.v[3]+in.v[1]*in.v[2]) }, 1e-5},
	{"length(v)", func(in input) float64 {
		var s float64
		for _, e := range in.v {
			s += float64(e) * float64(e)
		}
		return math.Sqrt(s)
	}, 1e-5},
	{"max(v, vec4<f32>(x, 9.0, 0.0, 0.0)).y - min(v.zw, vec2<f32>(1.0)).x", func(in input) float64 { return max(float64(in.v[1]), 9) - min(float64(in.v[2]), 1) }, 0},
	{"exp(v * 0.5).z + tanh(v).w", func(in input) float64 { return math.Exp(float64(in.v[2])/2) + math.Tanh(float64(in.v[3])) }, 1e-5},
	{"f32(extractBits(u, 3u, 5u)) + f32(insertBits(u, 5u, 2u, 30u) & 0xffffu)", func(in input) float64 { return float64(in.u>>3&31) + float64((in.u&3|5<<2)&0xffff) }, 0},
	{"f32(firstLeadingBit(u | 1u)) + f32(firstTrailingBit(u | 0x80000000u)) * 64.0", func(in input) float64 {
		return float64(31-bits.LeadingZeros32(in.u|1)) + 64*float64(bits.TrailingZeros32(in.u|1<<31))
	}, 0},
	{"modf(x).whole + 2.0 * modf(x).fract", func(in input) float64 { w, fr := math.Modf(float64(in.x)); return w + 2*fr }, 0},
}

func TestApproximations(t *testing.T) {
	d := openDevice(t)
	in := meaningInputs(t, d)
	for _, a := range approximations {
		got := in.run(t, "r = bitcast<u32>("+a.expr+");", "")
		for k := range got {
			x, want := float64(math.Float32frombits(got[k])), a.want(inputOf(k))
			if diff := math.Abs(x - want); !(diff <= a.tol*max(1, math.Abs(want))) {
				t.Errorf("%s at %+v: %v, want %v", a.expr, inputOf(k), x, want)
				break
			}
		}
	}
	must(t, d.Stream().Synchronize())
}

// meaningDevice is a device with the buffers of meaningSource.
type meaningDevice struct {
	backend.Device
	buffers []backend.Buffer
}

func meaningInputs(t *testing.T, d backend.Device) meaningDevice {
	t.Helper()
	words, vectors := make([]uint32, 0, 128), make([][4]float32, 0, 64)
	for k := range 64 {
		in := inputOf(k)
		words = append(words, in.u, f(in.x))
		vectors = append(vectors, in.v)
	}
	in, iv, c, o := newBuffer(t, d, 512), newBuffer(t, d, 1024), newBuffer(t, d, 256), newBuffer(t, d, 256)
	must(t, in.Upload(0, asBytes(words)))
	must(t, iv.Upload(0, asBytes(vectors)))
	return meaningDevice{d, []backend.Buffer{in, iv, c, o}}
}

// run executes statements and returns r of each thread.
func (d meaningDevice) run(t *testing.T, body, globals string) []uint32 {
	t.Helper()
	p := build(t, d, meaningSource(body, globals))
	zeros := make([]byte, 256)
	must(t, d.buffers[2].Upload(0, zeros))
	must(t, d.buffers[3].Upload(0, zeros))
	must(t, d.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: d.buffers, Words: []uint32{7, 0}}))
	got := make([]uint32, 64)
	must(t, d.buffers[3].Download(0, asBytes(got)))
	must(t, p.Close())
	return got
}

func TestMeaning(t *testing.T) {
	d := openDevice(t)
	in := meaningInputs(t, d)
	for _, m := range meanings {
		t.Run(m.name, func(t *testing.T) {
			for k, got := range in.run(t, m.body, m.globals) {
				if want := m.want(inputOf(k)); got != want {
					t.Errorf("thread %d (%+v): %#x, want %#x", k, inputOf(k), got, want)
					break
				}
			}
		})
	}
	must(t, d.Stream().Synchronize())
}

// TestInfinities checks that infinities are numbers with a sign, where the device can keep them.
func TestInfinities(t *testing.T) {
	d := openDevice(t)
	if real, ok := d.(*device); ok && real.phys.facts.preserve[1] == 0 {
		t.Skip("the device keeps no infinities")
	}
	const helper = "fn f32_from_bits(bits: u32) -> f32 { return bitcast<f32>(bits); }"
	for k, got := range meaningInputs(t, d).run(t, "let low = f32_from_bits(0xff800000u); r = bitcast<u32>(abs(x + low));", helper) {
		if want := f(float32(math.Inf(1))); got != want {
			t.Fatalf("thread %d: %#x, want %#x", k, got, want)
		}
	}
	must(t, d.Stream().Synchronize())
}
