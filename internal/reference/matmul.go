package reference

// BatchedMatMul returns the product of arrays by the rules of NumPy's matmul, with its shape and the sum of the
// magnitudes of each element's terms: the last two dimensions are matrices, those before are broadcast, and a
// vector is a row on the left and a column on the right.
func BatchedMatMul(aShape []int, a []float64, bShape []int, b []float64) (shape []int, product, magnitudes []float64) {
	row, column := len(aShape) == 1, len(bShape) == 1
	if row {
		aShape = []int{1, aShape[0]}
	}
	if column {
		bShape = []int{bShape[0], 1}
	}
	m, k, n := aShape[len(aShape)-2], aShape[len(aShape)-1], bShape[len(bShape)-1]
	aBatch, bBatch := aShape[:len(aShape)-2], bShape[:len(bShape)-2]
	shape = broadcastShape(aBatch, bBatch)
	for i := range size(shape) {
		p, q := m*k*broadcastIndex(i, shape, aBatch), k*n*broadcastIndex(i, shape, bBatch)
		c, mags := MatMul(m, k, n, a[p:p+m*k], b[q:q+k*n])
		product, magnitudes = append(product, c...), append(magnitudes, mags...)
	}
	if !row {
		shape = append(shape, m)
	}
	if !column {
		shape = append(shape, n)
	}
	return shape, product, magnitudes
}

// Broadcast repeats an array to a shape, as NumPy does.
func Broadcast(from []int, x []float64, shape []int) []float64 {
	y := make([]float64, size(shape))
	for i := range y {
		y[i] = x[broadcastIndex(i, shape, from)]
	}
	return y
}

func size(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

func broadcastShape(a, b []int) []int {
	shape := make([]int, max(len(a), len(b)))
	for i := range shape {
		x, y := 1, 1
		if d := i - (len(shape) - len(a)); d >= 0 {
			x = a[d]
		}
		if d := i - (len(shape) - len(b)); d >= 0 {
			y = b[d]
		}
		if shape[i] = x; x == 1 {
			shape[i] = y
		}
	}
	return shape
}

// broadcastIndex is the row-major index in an array of shape from that element i of a
// larger shape repeats.
func broadcastIndex(i int, shape, from []int) int {
	at, stride := 0, 1
	for d := len(shape) - 1; d >= 0; d-- {
		c := i % shape[d]
		i /= shape[d]
		if e := d - (len(shape) - len(from)); e >= 0 {
			if from[e] > 1 {
				at += c * stride
			}
			stride *= from[e]
		}
	}
	return at
}
