package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Ids are on the device; one that the table does not have gives zeros.
func ExampleEmbedding() {
	dev, err := weft.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	table, err := weft.FromSlice(dev, []float32{0, 1, 10, 11, 20, 21}, 3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, err := weft.FromSlice(dev, []int32{2, 0, 3, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ops.Embedding(table, ids))
	// Output:
	// [[20. 21.]
	//  [ 0.  1.]
	//  [ 0.  0.]
	//  [20. 21.]] <nil>
}

// A step appends one row to each sequence of a cache, where the positions on the device say.
func ExampleCacheAppend() {
	dev, err := weft.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	cache, err := weft.Zeros(dev, weft.F32, 2, 1, 3, 2) // 2 sequences, 1 head, 3 rows of 2
	if err != nil {
		fmt.Println(err)
		return
	}
	step, err := weft.FromSlice(dev, []float32{1, 2, 3, 4}, 2, 1, 1, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	positions, err := weft.FromSlice(dev, []int32{0, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := ops.CacheAppend(cache, step, positions, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(weft.ToFloats(cache))
	// Output:
	// [1 2 0 0 0 0 0 0 0 0 3 4] <nil>
}

// A row at position p is turned by p radians in its first pair, and by less in the others.
func ExampleRotary() {
	dev, err := weft.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	x, err := weft.FromSlice(dev, []float32{1, 1, 0, 0, 1, 1, 0, 0}, 1, 1, 2, 4) // 2 rows of 2 pairs
	if err != nil {
		fmt.Println(err)
		return
	}
	positions, err := weft.FromSlice(dev, []int32{131071})
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := ops.Rotary(x, ops.RotaryPositions(positions), ops.RotaryBase(500000))
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := weft.ToFloats(y)
	fmt.Printf("%.4f %v\n", values, err)
	// Output:
	// [-0.8180 -1.0000 -0.5752 -0.0084 0.0421 -1.0000 -0.9991 -0.0098] <nil>
}

// A step rotates the query and the key of each head, and appends the key and the value to a cache.
func ExampleRotaryAppend() {
	dev, err := weft.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	row := func(x ...float32) *weft.Tensor {
		t, err := weft.FromSlice(dev, x, 1, 1, 1, 2)
		if err != nil {
			panic(err)
		}
		return t
	}
	q, k, v := row(1, 0), row(0, 1), row(5, 6)
	keys, err := weft.Zeros(dev, weft.F32, 1, 1, 3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := weft.Zeros(dev, weft.F32, 1, 1, 3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	position, err := weft.FromSlice(dev, []int32{1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := ops.RotaryAppend(keys, values, q, k, v, position, nil); err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range []*weft.Tensor{q, keys, values} {
		list, err := weft.ToFloats(t)
		fmt.Printf("%.4f %v\n", list, err)
	}
	// Output:
	// [0.5403 0.8415] <nil>
	// [0.0000 0.0000 -0.8415 0.5403 0.0000 0.0000] <nil>
	// [0.0000 0.0000 5.0000 6.0000 0.0000 0.0000] <nil>
}
