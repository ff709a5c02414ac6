package kernels

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Philox is the function of package ops.
func Philox(counter [4]*tile.Value, key [2]*tile.Value) [4]*tile.Value {
	const (
		rounds               = 10
		multiply0, multiply2 = 0xD2511F53, 0xCD9E8D57
		weyl0, weyl1         = 0x9E3779B9, 0xBB67AE85 // golden ratio and √3 - 1
	)
	for _, v := range [...]*tile.Value{counter[0], counter[1], counter[2], counter[3], key[0], key[1]} {
		if v.Type().Elem != dtype.U32 {
			v.Builder().Fail("philox", "the operand is %v, want u32", v.Type())
			return counter
		}
	}
	c := counter
	for r := range rounds {
		if r > 0 {
			key = [2]*tile.Value{key[0].Add(weyl0), key[1].Add(weyl1)}
		}
		c = [4]*tile.Value{
			c[2].MulHi(multiply2).Xor(c[1]).Xor(key[0]), c[2].Mul(multiply2),
			c[0].MulHi(multiply0).Xor(c[3]).Xor(key[1]), c[0].Mul(multiply0),
		}
	}
	return c
}

// streamScalars declares what words gives.
func streamScalars(k *tile.Builder) (key, first [2]*tile.Value) {
	return wordScalars(k, "key"), wordScalars(k, "first")
}

// wordScalars declares two words of a stream, of its key or its first counter.
func wordScalars(k *tile.Builder, name string) [2]*tile.Value {
	return [2]*tile.Value{k.Scalar(name+"0", dtype.U32), k.Scalar(name+"1", dtype.U32)}
}

// draw returns the 4 words of each of n counters, of which the first is that of a stream
// and start more.
func draw(k *tile.Builder, key, first [2]*tile.Value, start *tile.Value, n int) [4]*tile.Value {
	low := k.Arange(n).Add(start).Cast(dtype.U32).Add(first[0])
	carry := k.Where(low.Lt(first[0]), k.Full(dtype.U32, 1, n), 0)
	zero := k.Zeros(dtype.U32, n)
	return Philox([4]*tile.Value{low, carry.Add(first[1]), zero, zero},
		[2]*tile.Value{key[0].Splat(n), key[1].Splat(n)})
}

// inOrder puts four tiles [n], or two, together to one, with the elements of an index side by side.
func inOrder(w []*tile.Value) *tile.Value {
	n := w[0].Type().Shape[0]
	if len(w) == 2 {
		return w[0].Join(w[1]).Reshape(2 * n)
	}
	return w[0].Join(w[2]).Join(w[1].Join(w[3])).Reshape(4 * n)
}
