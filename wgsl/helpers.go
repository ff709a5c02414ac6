package wgsl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/internal/cstyle"
)

// helpers are the functions that a kernel's text needs, in order of first use.
type helpers struct {
	texts   []string
	used    []string
	storers map[string]string // names by buffer and size
}

func (h *helpers) write(b *strings.Builder) {
	for _, text := range h.texts {
		b.WriteString(text)
	}
}

func (h *helpers) addStorer(key, name, text string) {
	if h.storers == nil {
		h.storers = map[string]string{}
	}
	h.storers[key] = name
	h.texts = append(h.texts, text)
}

// add declares a helper after those that it calls.
func (h *helpers) add(name string) {
	if slices.Contains(h.used, name) {
		return
	}
	h.used = append(h.used, name)
	f, ok := library[name]
	if !ok {
		panic("wgsl: no helper " + name)
	}
	for _, called := range f.calls {
		h.add(called)
	}
	h.texts = append(h.texts, f.text)
}

// help calls a helper.
func (w *writer) help(name string, args ...cstyle.Expr) cstyle.Expr {
	w.helpers.add(name)
	return cstyle.Call(name, args...)
}

// helperNames lists the helpers, which no other name may be.
func helperNames() string {
	var names []string
	for name := range library {
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// function is a helper and those that it calls.
type function struct {
	text  string
	calls []string
}

// library holds every helper by name.
var library = func() map[string]function {
	all := map[string]function{}
	add := func(template string, width int) {
		f := expand(template, width)
		name := strings.TrimSpace(f.text)
		name = name[strings.Index(name, "fn ")+3:]
		all[name[:strings.IndexByte(name, '(')]] = f
	}
	for _, width := range []int{1, 2, 4} {
		for _, t := range templates {
			add(t, width)
		}
		add(sine(width), width)
	}
	for _, t := range append(singles, farAngle, twoOverPi) {
		add(t, 1)
	}
	return all
}()

// expand makes a helper of a template. In it _N is the name's suffix, and marks in braces stand for what depends on the
// width: {F}, {I}, {U} and {B} for the scalar or vector types, {F 0.5} for a constant of such a type, and the name of
// another helper for a call of it.
func expand(template string, width int) function {
	var f function
	var b strings.Builder
	for rest := strings.ReplaceAll(template, "_N", suffix(width)); ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			f.text = b.String()
			return f
		}
		if strings.HasPrefix(after, "\n") { // of a body
			b.WriteByte('{')
			rest = after
			continue
		}
		mark, after, _ := strings.Cut(after, "}")
		kind, constant, _ := strings.Cut(mark, " ")
		switch scalar := scalarTypes[kind]; {
		case scalar == "":
			b.WriteString(mark)
			f.calls = append(f.calls, mark)
		case constant != "" && width == 1:
			b.WriteString(constant)
		default:
			if width > 1 {
				scalar = "vec" + strconv.Itoa(width) + "<" + scalar + ">"
			}
			b.WriteString(scalar)
			if constant != "" {
				b.WriteString("(" + constant + ")")
			}
		}
		rest = after
	}
}

// scalarTypes are what the letters of templates stand for.
var scalarTypes = map[string]string{"F": "f32", "I": "i32", "U": "u32", "B": "bool"}

var templates = []string{`
// Some devices overflow beyond 44 and lose NaN when clamping.
fn tanh_of_N(x: {F}) -> {F} {
    return select(tanh(clamp(x, {F -15.0}, {F 15.0})), x, {is_nan_N}(x));
}
`, `
// The error function: polynomials of S. L. Moshier, "Methods and Programs for
// Mathematical Functions", 1989 (Cephes, single precision), below 1, below 2 and beyond.
fn erf_of_N(x: {F}) -> {F} {
    let size = min(abs(x), {F 4.0});
    let y = size * size;
    var p = fma({F 7.853862e-05}, y, {F -8.0101937e-04});
    p = fma(p, y, {F 5.1883277e-03});
    p = fma(p, y, {F -0.026853813});
    p = fma(p, y, {F 0.11283586});
    p = fma(p, y, {F -0.37612626});
    p = fma(p, y, {F 0.12837917});
    let near = fma(size, p, size);
    let q = {F 1.0} / max(size, {F 1.0});
    let z = q * q;
    p = fma({F 0.0232682}, z, {F -0.13870394});
    p = fma(p, z, {F 0.36874247});
    p = fma(p, z, {F -0.58247334});
    p = fma(p, z, {F 0.6210005});
    p = fma(p, z, {F -0.49445152});
    p = fma(p, z, {F 0.340488});
    p = fma(p, z, {F -0.2741127});
    p = fma(p, z, {F 0.56382596});
    var r = fma({F -10.477664}, z, {F 12.977199});
    r = fma(r, z, {F -7.4955187});
    r = fma(r, z, {F 2.921019});
    r = fma(r, z, {F -1.0152653});
    r = fma(r, z, {F 0.42184633});
    r = fma(r, z, {F -0.28207677});
    r = fma(r, z, {F 0.5641896});
    let far = {F 1.0} - exp(-y) * q * select(p, r, size > {F 2.0});
    let result = select(far, near, size < {F 1.0});
    return select(select(result, -result, x < {F 0.0}), x, {is_nan_N}(x));
}
`, `
// log(1 + x), by the series of artanh(x / (2 + x)) near 0.
fn log1p_of_N(x: {F}) -> {F} {
    let s = x / ({F 2.0} + x);
    let y = s * s;
    var p = fma({F 0.06666667}, y, {F 0.07692308});
    p = fma(p, y, {F 0.09090909});
    p = fma(p, y, {F 0.11111111});
    p = fma(p, y, {F 0.14285715});
    p = fma(p, y, {F 0.2});
    p = fma(p, y, {F 0.33333334});
    let near = {F 2.0} * fma(s * y, p, s);
    return select(log({F 1.0} + x), near, abs(x) < {F 0.5});
}
`, `
// exp(x) - 1, by its series near 0.
fn expm1_of_N(x: {F}) -> {F} {
    var p = fma({F 2.7557319e-06}, x, {F 2.4801588e-05});
    p = fma(p, x, {F 1.984127e-04});
    p = fma(p, x, {F 0.0013888889});
    p = fma(p, x, {F 0.008333334});
    p = fma(p, x, {F 0.041666668});
    p = fma(p, x, {F 0.16666667});
    p = fma(p, x, {F 0.5});
    return select(exp(x) - {F 1.0}, fma(x * x, p, x), abs(x) < {F 0.5});
}
`, `
// Holds for NaN also where the device assumes that there is none.
fn is_nan_N(x: {F}) -> {B} {
    return (bitcast<{U}>(x) & {U 0x7fffffffu}) > {U 0x7f800000u};
}
`, `
// Truncates and saturates; NaN gives 0.
fn f32_to_i32_N(x: {F}) -> {I} {
    let inside = {I}(clamp(x, {F -2147483648.0}, {F 2147483520.0}));
    return select(select(inside, {I 2147483647}, x >= {F 2147483648.0}), {I 0}, {is_nan_N}(x));
}
`, `
// The high 32 bits of x * y, from products of 16 bits.
fn mulhi_N(x: {U}, y: {U}) -> {U} {
    let low = x & {U 0xffffu};
    let high = x >> {U 16u};
    let first = high * (y & {U 0xffffu}) + ((low * (y & {U 0xffffu})) >> {U 16u});
    let second = low * (y >> {U 16u}) + (first & {U 0xffffu});
    return high * (y >> {U 16u}) + (first >> {U 16u}) + (second >> {U 16u});
}
`, `
// Truncates and saturates; NaN gives 0.
fn f32_to_u32_N(x: {F}) -> {U} {
    let inside = {U}(clamp(x, {F 0.0}, {F 4294967040.0}));
    return select(select(inside, {U 0xffffffffu}, x >= {F 4294967296.0}), {U 0u}, {is_nan_N}(x));
}
`, `
// x != 0, also for NaN.
fn f32_to_bool_N(x: {F}) -> {B} {
    return (bitcast<{U}>(x) & {U 0x7fffffffu}) != {U 0u};
}
`, `
// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits_N(x: {F}) -> {U} {
    let bits = bitcast<{U}>(x);
    let size = bits & {U 0x7fffffffu};
    let normal = (size + {U 0xc8000fffu} + ((size >> {U 13u}) & {U 1u})) >> {U 13u};
    let subnormal = bitcast<{U}>(bitcast<{F}>(size) + {F 0.5}) - {U 0x3f000000u};
    let finite = select(min(normal, {U 0x7c00u}), subnormal, size < {U 0x38800000u});
    return ((bits >> {U 16u}) & {U 0x8000u}) | select(finite, {U 0x7e00u}, size > {U 0x7f800000u});
}
`, `
// The bits of x rounded to bf16, ties to even.
fn bf16_bits_N(x: {F}) -> {U} {
    let bits = bitcast<{U}>(x);
    let rounded = (bits + {U 0x7fffu} + ((bits >> {U 16u}) & {U 1u})) >> {U 16u};
    return select(rounded, (bits >> {U 16u}) | {U 0x40u}, {is_nan_N}(x));
}
`, `
// Rounds x to the precision of bf16.
fn round_bf16_N(x: {F}) -> {F} {
    return bitcast<{F}>({bf16_bits_N}(x) << {U 16u});
}
`}

var singles = []string{`
// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}
`, `
// Rounds x to the precision of f16.
fn round_f16(x: f32) -> f32 {
    return unpack2x16float({f16_bits}(x)).x;
}
`, `
// Rounds x to the precision of f16.
fn round_f16_x2(x: vec2<f32>) -> vec2<f32> {
    return unpack2x16float({pack_f16_x2}(x));
}
`, `
// Rounds x to the precision of f16.
fn round_f16_x4(x: vec4<f32>) -> vec4<f32> {
    return {unpack_f16_x4}({pack_f16_x4}(x));
}
`, `
fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}
`, `
fn unpack_bf16_x2(word: u32) -> vec2<f32> {
    return bitcast<vec2<f32>>(vec2<u32>(word << 16u, word & 0xffff0000u));
}
`, `
fn unpack_bf16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>({unpack_bf16_x2}(words.x), {unpack_bf16_x2}(words.y));
}
`, `
fn unpack_u8_x2(word: u32) -> vec2<u32> {
    return (vec2<u32>(word) >> vec2<u32>(0u, 8u)) & vec2<u32>(0xffu);
}
`, `
fn unpack_u8_x4(word: u32) -> vec4<u32> {
    return (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
}
`, `
fn unpack_i8_x2(word: u32) -> vec2<i32> {
    return (vec2<i32>(bitcast<i32>(word)) << vec2<u32>(24u, 16u)) >> vec2<u32>(24u);
}
`, `
fn unpack_i8_x4(word: u32) -> vec4<i32> {
    return (vec4<i32>(bitcast<i32>(word)) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u);
}
`, `
fn unpack_u16_x2(word: u32) -> vec2<u32> {
    return vec2<u32>(word & 0xffffu, word >> 16u);
}
`, `
fn unpack_u16_x4(words: vec2<u32>) -> vec4<u32> {
    return vec4<u32>({unpack_u16_x2}(words.x), {unpack_u16_x2}(words.y));
}
`, `
fn unpack_i16_x2(word: u32) -> vec2<i32> {
    return (vec2<i32>(bitcast<i32>(word)) << vec2<u32>(16u, 0u)) >> vec2<u32>(16u);
}
`, `
fn unpack_i16_x4(words: vec2<u32>) -> vec4<i32> {
    return vec4<i32>({unpack_i16_x2}(words.x), {unpack_i16_x2}(words.y));
}
`, `
fn pack_f16_x2(x: vec2<f32>) -> u32 {
    let bits = {f16_bits_x2}(x);
    return bits.x | (bits.y << 16u);
}
`, `
fn pack_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = {f16_bits_x4}(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}
`, `
// For numbers that are f16 already, whose rounding cannot matter.
fn pack_exact_f16_x4(x: vec4<f32>) -> vec2<u32> {
    return vec2<u32>(pack2x16float(x.xy), pack2x16float(x.zw));
}
`, `
fn pack_nearest_f16_x2(x: vec2<f32>) -> u32 {
    return pack2x16float(vec2<f32>(vec2<f16>(x)));
}
`, `
fn pack_nearest_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let rounded = vec4<f32>(vec4<f16>(x));
    return vec2<u32>(pack2x16float(rounded.xy), pack2x16float(rounded.zw));
}
`, `
fn pack_bf16_x2(x: vec2<f32>) -> u32 {
    let bits = {bf16_bits_x2}(x);
    return bits.x | (bits.y << 16u);
}
`, `
fn pack_bf16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = {bf16_bits_x4}(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}
`, `
fn pack_u16_x2(x: vec2<u32>) -> u32 {
    return (x.x & 0xffffu) | (x.y << 16u);
}
`, `
fn pack_u16_x4(x: vec4<u32>) -> vec2<u32> {
    return (x.xz & vec2<u32>(0xffffu)) | (x.yw << vec2<u32>(16u));
}
`, `
fn pack_i16_x2(x: vec2<i32>) -> u32 {
    return {pack_u16_x2}(bitcast<vec2<u32>>(x));
}
`, `
fn pack_i16_x4(x: vec4<i32>) -> vec2<u32> {
    return {pack_u16_x4}(bitcast<vec4<u32>>(x));
}
`, `
fn pack_u8_x2(x: vec2<u32>) -> u32 {
    return (x.x & 0xffu) | ((x.y & 0xffu) << 8u);
}
`, `
fn pack_u8_x4(x: vec4<u32>) -> u32 {
    let bytes = (x & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}
`, `
fn pack_i8_x2(x: vec2<i32>) -> u32 {
    return {pack_u8_x2}(bitcast<vec2<u32>>(x));
}
`, `
fn pack_i8_x4(x: vec4<i32>) -> u32 {
    return {pack_u8_x4}(bitcast<vec4<u32>>(x));
}
`}
