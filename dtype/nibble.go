package dtype

// Integers of 4 bits are no element type: they travel two to a byte. Element i is in
// byte i/2, in its low half for even i and in its high half for odd i; the last high half
// of an odd number of elements is 0. Read as little-endian U32, element i is in word i/8,
// in the bits from 4*(i%8) on. Signed ones are two's complement.

// PackI4 packs integers of 4 bits from -8 to 7, to which others saturate, into
// (len(x)+1)/2 bytes.
func PackI4(x []int8) []byte { return pack4(x, -8, 7) }

// PackU4 packs integers of 4 bits from 0 to 15, to which others saturate, into
// (len(x)+1)/2 bytes.
func PackU4(x []int8) []byte { return pack4(x, 0, 15) }

func pack4(x []int8, least, most int8) []byte {
	packed := make([]byte, (len(x)+1)/2)
	for i, v := range x {
		packed[i/2] |= byte(min(max(v, least), most)) & 15 << (i % 2 * 4)
	}
	return packed
}

// UnpackI4 unpacks n signed integers of 4 bits; packed holds at least (n+1)/2 bytes.
func UnpackI4(packed []byte, n int) []int8 {
	x := UnpackU4(packed, n)
	for i, v := range x {
		x[i] = v << 4 >> 4
	}
	return x
}

// UnpackU4 unpacks n unsigned integers of 4 bits; packed holds at least (n+1)/2 bytes.
func UnpackU4(packed []byte, n int) []int8 {
	x := make([]int8, n)
	for i := range x {
		x[i] = int8(packed[i/2] >> (i % 2 * 4) & 15)
	}
	return x
}
