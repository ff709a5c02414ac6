package wgsl

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/internal/cstyle"
)

// The built-in sine of WGSL is within 2^-11 from -pi to pi, and anything beyond. Kernels have one of their own that is within 2^-22 for all
// finite numbers, whether fma rounds once or twice. Up to 8192 the angle is what three parts of pi/2 leave, of which the first two times a
// number of quarters of a turn are exact (W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", 1980); the polynomials are
// those of S. L. Moshier, "Methods and Programs for Mathematical Functions", 1989 (Cephes, single precision).
const sineTemplate = `
// The sine of x and so many quarters of a turn.
fn sine_N(x: {F}, quarters: {I}) -> {F} {
    let turns = round(x * {F 0.63661975});
    var r = fma(turns, {F -1.5703125}, x);
    r = fma(turns, {F -0.00048375130}, r);
    r = fma(turns, {F -7.5497900e-08}, r);
    var q = {I}(clamp(turns, {F -8192.0}, {F 8192.0}));
FAR
    q = q + quarters;
    let z = r * r;
    let odd = fma(fma(fma({F -1.9515296e-04}, z, {F 8.3321609e-03}), z, {F -0.16666655}), z * r, r);
    let even = fma(fma(fma({F 2.4433157e-05}, z, {F -1.3887316e-03}), z, {F 0.041666646}), z * z, fma({F -0.5}, z, {F 1.0}));
    let y = select(odd, even, (q & {I 1}) != {I 0});
    let turned = bitcast<{U}>(select(y, -y, (q & {I 2}) != {I 0}));
    return bitcast<{F}>(select(turned, {U 0x7fc00000u}, (bitcast<{U}>(x) & {U 0x7fffffffu}) >= {U 0x7f800000u}));
}
`

// sine is the template for a width: each lane beyond the reach of three parts calls far_angle.
func sine(width int) string {
	var far []string
	for lane := range width {
		at := ""
		if width > 1 {
			at = "." + cstyle.Lane(lane)
		}
		far = append(far, fmt.Sprintf(`    if (abs(x%[1]s) > 8192.0) {
        let angle = {far_angle}(x%[1]s);
        r%[1]s = angle.x;
        q%[1]s = i32(angle.y);
    }`, at))
	}
	return strings.Replace(sineTemplate, "FAR", strings.Join(far, "\n"), 1)
}

// farAngle reduces angles by 96 bits of 2/pi, those that the exponent asks for (M. H. Payne and R. N. Hanek, "Radian Reduction for
// Trigonometric Functions", 1983). Products of 64 bits are put together from halves.
const farAngle = `
// What is left of a large x beyond a number of quarters of a turn, from -pi/4 to pi/4, and that number modulo 4.
fn far_angle(x: f32) -> vec2<f32> {
    let bits = bitcast<u32>(x);
    let fraction = (bits << 8u) | 0x80000000u;
    let exponent = ((bits >> 23u) & 0xffu) - 126u;
    let word = exponent >> 5u;
    let by = exponent & 31u;
    let w0 = {two_over_pi}(word);
    let w1 = {two_over_pi}(word + 1u);
    let w2 = {two_over_pi}(word + 2u);
    let w3 = {two_over_pi}(word + 3u);
    let high = (w0 << by) | ((w1 >> 1u) >> (31u - by));
    let middle = (w1 << by) | ((w2 >> 1u) >> (31u - by));
    let low = (w2 << by) | ((w3 >> 1u) >> (31u - by));
    let carried = {mulhi}(fraction, low);
    let product = fraction * middle;
    let sum = product + carried;
    let top = {mulhi}(fraction, middle) + select(0u, 1u, sum < product) + fraction * high;
    let beyond = (top & 0x20000000u) != 0u;
    let upper = select(top, select(~top, ~top + 1u, sum == 0u), beyond) & 0x3fffffffu;
    let lower = select(sum, ~sum + 1u, beyond);
    let size = f32(upper) * 1.4629181e-09 + f32(lower) * 3.4061216e-19;
    let negative = (bits >> 31u) != 0u;
    let quarters = i32((top >> 30u) + select(0u, 1u, beyond)) & 3;
    return vec2<f32>(select(size, -size, beyond != negative), f32(select(quarters, -quarters, negative)));
}
`

const twoOverPi = `
// The bits of 2/pi after the binary point: 32 of them from bit 32 * (word - 1) - 2 on.
fn two_over_pi(word: u32) -> u32 {
    let first = select(select(0u, 0x28be60dbu, word == 1u), 0x9391054au, word == 2u);
    let second = select(select(first, 0x7f09d5f4u, word == 3u), 0x7d4d3770u, word == 4u);
    let third = select(select(second, 0x36d8a566u, word == 5u), 0x4f10e410u, word == 6u);
    return select(third, 0x7f9458eau, word == 7u);
}
`
