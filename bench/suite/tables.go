package suite

import "github.com/weftgpu/weft"

// tables move rows, as the layers of Llama-3-8B do.
func tables(s Size) []Work {
	tokens, cols := of(s, 8192, 512, 9), of(s, 4096, 1024, 33)
	return []Work{embedding(s.elem(), tokens, of(s, 128256, 8192, 50), cols)}
}

// embedding looks n ids up in a table.
func embedding(elem weft.DType, n, rows, cols int) Work {
	w := listed("embedding", elem, size(n, rows, cols), nil)
	w.Name = name("embedding", elem, size(n), " of ", size(rows, cols))
	w.Inputs[1].Draw = Draw{0, float64(rows)}
	w.Bytes = 2*w.Output.Bytes() + w.Inputs[1].Bytes() // most ids differ
	w.Want = func(in []Values, i int) (want, bound float64) { return in[0](int(in[1](i/cols))*cols + i%cols), 0 }
	return w
}
