package reference

import "math"

// Reduce applies f to the elements of x, row-major of a shape, that are along the given axes, in
// row-major order, for each place along the other axes. f must not keep what it gets.
func Reduce(x []float64, shape []int, axes []int, f func(group []float64) float64) []float64 {
	reduced := make([]bool, len(shape))
	for _, a := range axes {
		reduced[a] = true
	}
	places, size := 1, 1
	for d, n := range shape {
		if reduced[d] {
			size *= n
		} else {
			places *= n
		}
	}
	groups := make([][]float64, places)
	for i := range groups {
		groups[i] = make([]float64, 0, size)
	}
	coord := make([]int, len(shape))
	for _, v := range x {
		place := 0
		for d, c := range coord {
			if !reduced[d] {
				place = place*shape[d] + c
			}
		}
		groups[place] = append(groups[place], v)
		for d := len(coord) - 1; d >= 0; d-- {
			if coord[d]++; coord[d] < shape[d] {
				break
			}
			coord[d] = 0
		}
	}
	out := make([]float64, places)
	for i, g := range groups {
		out[i] = f(g)
	}
	return out
}

// ArgMax is the index of the first NaN, or else of the first of the largest elements.
func ArgMax(x []float64) float64 {
	best := 0
	for i, v := range x {
		if v != v {
			return float64(i)
		}
		if v > x[best] {
			best = i
		}
	}
	return float64(best)
}

// ArgMin is the index of the first NaN, or else of the first of the smallest elements.
func ArgMin(x []float64) float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = -v
	}
	return ArgMax(y)
}

// Magnitude is the sum of the elements' magnitudes.
func Magnitude(x []float64) (sum float64) {
	for _, v := range x {
		sum += math.Abs(v)
	}
	return sum
}
