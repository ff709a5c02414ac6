package reference

import "math"

// Philox is Philox4x32-10 of Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, SC'11.
func Philox(counter [4]uint32, key [2]uint32) [4]uint32 {
	c := counter
	for range 10 {
		p, q := uint64(0xD2511F53)*uint64(c[0]), uint64(0xCD9E8D57)*uint64(c[2])
		c = [4]uint32{uint32(q>>32) ^ c[1] ^ key[0], uint32(q), uint32(p>>32) ^ c[3] ^ key[1], uint32(p)}
		key[0], key[1] = key[0]+0x9E3779B9, key[1]+0xBB67AE85
	}
	return c
}

// Words are n words of the sequence of a seed, from number offset on, a multiple of 4.
func Words(seed, offset uint64, n int) []uint32 {
	var words []uint32
	for c := offset / 4; len(words) < n; c++ {
		w := Philox([4]uint32{uint32(c), uint32(c >> 32)}, [2]uint32{uint32(seed), uint32(seed >> 32)})
		words = append(words, w[:]...)
	}
	return words[:n]
}

// Uniform has the upper bits of n words as fractions.
func Uniform(seed, offset uint64, n, bits int) []float64 {
	x := make([]float64, n)
	if bits > 32 { // of two words
		words := Words(seed, offset, 2*n)
		for i := range x {
			x[i] = math.Ldexp(float64((uint64(words[2*i])<<32|uint64(words[2*i+1]))>>(64-bits)), -bits)
		}
		return x
	}
	for i, w := range Words(seed, offset, n) {
		x[i] = math.Ldexp(float64(w>>(32-bits)), -bits)
	}
	return x
}

// Normal has n numbers by the transform of Box and Muller, and their radii.
func Normal(seed, offset uint64, n int) (x, radius []float64) {
	words := Words(seed, offset, n+n%2)
	for i := 0; i < n; i += 2 {
		r := math.Sqrt(-2 * math.Log(float64(words[i]|1)*0x1p-32))
		angle := 2 * math.Pi * (float64(words[i+1]) + 0.5) * 0x1p-32
		x, radius = append(x, r*math.Cos(angle), r*math.Sin(angle)), append(radius, r, r)
	}
	return x[:n], radius[:n]
}

// NormalF64 is Normal of numbers of 53 bits, which two words give each.
func NormalF64(seed, offset uint64, n int) (x, radius []float64) {
	numbers := Uniform(seed, offset, n+n%2, 53)
	for i := 0; i < n; i += 2 {
		r := math.Sqrt(-2 * math.Log(numbers[i]+0x1p-53))
		angle := 2 * math.Pi * (numbers[i+1] + 0x1p-54)
		x, radius = append(x, r*math.Cos(angle), r*math.Sin(angle)), append(radius, r, r)
	}
	return x[:n], radius[:n]
}

// PhiloxAnswers are the known answers for Philox4x32-10 that its authors publish with Random123.
var PhiloxAnswers = []struct {
	Counter [4]uint32
	Key     [2]uint32
	Want    [4]uint32
}{
	{Want: [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
	{[4]uint32{math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32}, [2]uint32{math.MaxUint32, math.MaxUint32},
		[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
		[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
}
