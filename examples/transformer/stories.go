package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// A trained model and its tokenizer, in the format of llama2.c: see stories/DATA.md.
var (
	//go:embed stories/stories260K.bin
	storiesModel []byte
	//go:embed stories/tok512.bin
	storiesTokens []byte
)

// begin is the token that texts begin with, and what follows their end.
const begin = 1

// tokenizer makes texts tokens, each of which has a score.
type tokenizer struct {
	tokens []string
	scores []float32
	number map[string]int32
}

// readTokenizer reads a tokenizer of so many tokens.
func readTokenizer(file []byte, n int) (*tokenizer, error) {
	r := bytes.NewReader(file)
	var longest int32
	err := binary.Read(r, binary.LittleEndian, &longest)
	t := &tokenizer{number: map[string]int32{}}
	for i := range n {
		var head struct {
			Score float32
			Bytes int32
		}
		err = errors.Join(err, binary.Read(r, binary.LittleEndian, &head))
		if err != nil || head.Bytes < 0 || int(head.Bytes) > r.Len() {
			return nil, fmt.Errorf("token %d of the tokenizer cannot be read: %w", i, err)
		}
		text := make([]byte, head.Bytes)
		_, err = r.Read(text)
		t.tokens, t.scores = append(t.tokens, string(text)), append(t.scores, head.Score)
		t.number[string(text)] = int32(i)
	}
	return t, err
}

// encode makes a text tokens, by byte pair encoding: characters first, or bytes where there is no token for one, and then the pair
// with the best score becomes one token until no two tokens are one.
func (t *tokenizer) encode(text string) []int32 {
	list := []int32{begin}
	if text == "" {
		return list
	}
	for _, c := range " " + text {
		if id, known := t.number[string(c)]; known {
			list = append(list, id)
			continue
		}
		for _, b := range utf8.AppendRune(nil, c) {
			list = append(list, int32(b)+3) // after <unk> and the tokens that begin and end a text
		}
	}
	for {
		at, best := -1, int32(0)
		for i := range list[:len(list)-1] {
			if id, known := t.number[t.tokens[list[i]]+t.tokens[list[i+1]]]; known && (at < 0 || t.scores[id] > t.scores[best]) {
				at, best = i, id
			}
		}
		if at < 0 {
			return list
		}
		list[at] = best
		list = append(list[:at+1], list[at+2:]...)
	}
}

// decode is the text of tokens up to the end of it.
func (t *tokenizer) decode(ids []int32) string {
	var b strings.Builder
	for i, id := range ids {
		if id == begin && i == 0 {
			continue
		}
		if id == begin || int(id) >= len(t.tokens) || id < 0 {
			break
		}
		text, raw := t.tokens[id], byte(0)
		if _, err := fmt.Sscanf(text, "<0x%02X>", &raw); err == nil {
			text = string([]byte{raw})
		}
		b.WriteString(text)
	}
	return strings.TrimPrefix(b.String(), " ")
}

// readModel reads a model in F32, which gets the element type. There the matrices of a layer's products are apart, and an embedding may be
// the head.
func readModel(dev *weft.Device, file []byte, elem weft.DType, bits int) (*model, error) {
	r := bytes.NewReader(file)
	var head struct{ Width, FFN, Layers, Heads, Groups, Vocab, Positions int32 }
	if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
		return nil, err
	}
	if head.Width < 1 || head.Heads < 1 || head.Groups < 1 || head.Layers < 1 || head.FFN < 1 || head.Width%head.Heads != 0 {
		return nil, fmt.Errorf("a model of %+v", head)
	}
	s := size{layers: int(head.Layers), width: int(head.Width), heads: int(head.Heads), groups: int(head.Groups), headSize: int(head.Width / head.Heads),
		ffn: int(head.FFN), vocab: int(max(head.Vocab, -head.Vocab)), base: 10000, adjacent: true}
	if least := 4 * (s.vocab*s.width + s.layers*3*s.ffn*s.width); len(file) < least {
		return nil, fmt.Errorf("a model of %+v in %d bytes", head, len(file))
	}
	d := drawing{dev: dev, elem: elem, bits: bits}
	next := func(n int) []float32 { // the next numbers of the file
		x := make([]float32, n)
		if d.err == nil {
			d.err = binary.Read(r, binary.LittleEndian, x)
		}
		return x
	}
	each := func(n int) (list [][]float32) { // of each layer
		for range s.layers {
			list = append(list, next(n))
		}
		return list
	}
	inner, outer := s.groups*s.headSize*s.width, s.width*s.width
	embed := next(s.vocab * s.width)
	norm1, q, k, v, out := each(s.width), each(outer), each(inner), each(inner), each(outer)
	norm2, gate, down, up := each(s.width), each(s.ffn*s.width), each(s.width*s.ffn), each(s.ffn*s.width)
	norm := next(s.width)
	headWeights := embed
	if head.Vocab < 0 {
		next(int(head.Positions) * s.headSize) // cosines and sines
		headWeights = next(s.vocab * s.width)
	}

	m := &model{size: s, dev: dev, elem: elem, embed: d.given(embed, s.vocab, s.width)}
	for i := range s.layers {
		m.layers = append(m.layers, d.halves(layer{
			norm1: d.given(norm1[i], s.width), norm2: d.given(norm2[i], s.width),
			qkv:    d.held(d.given(append(append(q[i], k[i]...), v[i]...), (s.heads+2*s.groups)*s.headSize, s.width)),
			out:    d.held(d.given(out[i], s.width, s.width)),
			gateUp: d.held(d.given(append(gate[i], up[i]...), 2*s.ffn, s.width)),
			down:   d.held(d.given(down[i], s.width, s.ffn)),
		}))
	}
	m.norm, m.head = d.given(norm, s.width), d.held(d.given(headWeights, s.vocab, s.width))
	return m, d.err
}

// given is a tensor of numbers.
func (d *drawing) given(x []float32, shape ...int) *weft.Tensor {
	if d.err != nil {
		return nil
	}
	t, err := weft.FromSlice(d.dev, x, shape...)
	if err == nil && d.elem != weft.F32 {
		whole := t
		defer whole.Close()
		t, err = whole.Cast(d.elem)
	}
	d.err = err
	return t
}

// rotation are the options of the rotary embedding.
func (s size) rotation() []ops.RotaryOption {
	list := []ops.RotaryOption{ops.RotaryBase(s.base)}
	if s.adjacent {
		list = append(list, ops.Interleaved())
	}
	return list
}
