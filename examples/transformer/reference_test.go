package main

import (
	"math"
	"testing"

	"github.com/weftgpu/weft"
)

// reference computes in float64, token by token, with the weights of a model.
type reference struct {
	*testing.T
	*model
}

func (r reference) floats(t *weft.Tensor) []float64 {
	x, err := weft.ToFloats(t)
	if err != nil {
		r.Fatal(err)
	}
	return x
}

// times is x @ m.T for one row.
func (r reference) times(m matrix, x []float64) []float64 {
	w := r.floats(m.dense)
	y := make([]float64, len(w)/len(x))
	for i := range y {
		for j, v := range x {
			y[i] += v * w[i*len(x)+j]
		}
	}
	return y
}

func (r reference) normed(weight *weft.Tensor, x []float64) []float64 {
	var squares float64
	for _, v := range x {
		squares += v * v
	}
	y := r.floats(weight)
	for i, v := range x {
		y[i] *= v / math.Sqrt(squares/float64(len(x))+epsilon)
	}
	return y
}

// rotated turns the pairs of all heads of a row.
func (r reference) rotated(x []float64, position int) {
	d := r.headSize
	for h := 0; h < len(x); h += d {
		for i := range d / 2 {
			sin, cos := math.Sincos(float64(position) * math.Pow(r.base, -2*float64(i)/float64(d)))
			a, b := x[h+i], x[h+i+d/2]
			x[h+i], x[h+i+d/2] = a*cos-b*sin, a*sin+b*cos
		}
	}
}

// attended is the attention of the heads of one row to all rows so far.
func (r reference) attended(q []float64, keys, values [][]float64) []float64 {
	d := r.headSize
	y := make([]float64, len(q))
	for h := range r.heads {
		kv := h / (r.heads / r.groups) * d
		var sum float64
		for j, k := range keys {
			var score float64
			for i := range d {
				score += q[h*d+i] * k[kv+i]
			}
			weight := math.Exp(score / math.Sqrt(float64(d)))
			sum += weight
			for i := range d {
				y[h*d+i] += weight * values[j][kv+i]
			}
		}
		for i := range d {
			y[h*d+i] /= sum
		}
	}
	return y
}

// logits are those of what follows a text.
func (r reference) logits(text []int32) []float64 {
	table, queries, keys := r.floats(r.embed), r.heads*r.headSize, r.groups*r.headSize
	rows := make([][]float64, len(text))
	for i, id := range text {
		rows[i] = table[int(id)*r.width : (int(id)+1)*r.width]
	}
	add := func(x, y []float64) {
		for i, v := range y {
			x[i] += v
		}
	}
	for _, l := range r.layers {
		var k, v [][]float64
		for p, x := range rows {
			x = append([]float64(nil), x...)
			qkv := r.times(l.qkv, r.normed(l.norm1, x))
			r.rotated(qkv[:queries+keys], p)
			k, v = append(k, qkv[queries:queries+keys]), append(v, qkv[queries+keys:])
			add(x, r.times(l.out, r.attended(qkv[:queries], k, v)))
			gateUp := r.times(l.gateUp, r.normed(l.norm2, x))
			inner := gateUp[:r.ffn]
			for i, g := range inner {
				inner[i] = g / (1 + math.Exp(-g)) * gateUp[r.ffn+i]
			}
			add(x, r.times(l.down, inner))
			rows[p] = x
		}
	}
	return r.times(r.head, r.normed(r.norm, rows[len(rows)-1]))
}

// The logits are those of float64, within 1e-4 of their size in F32.
func TestReference(t *testing.T) {
	g := open(t, weft.F32, 0)
	if err := g.read(g.logits, prompt); err != nil {
		t.Fatal(err)
	}
	texts, err := weft.ToSlice[int32](g.texts)
	if err != nil {
		t.Fatal(err)
	}
	got := g.floats(t)
	for i := range batch {
		want := reference{t, g.m}.logits(texts[i*g.capacity : i*g.capacity+prompt])
		if d := distance(got[i*g.m.vocab:(i+1)*g.m.vocab], want); !(d <= 1e-4) {
			t.Errorf("text %d: logits differ by %.2g, want at most 1e-4", i, d)
		}
	}
}
