package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/weftgpu/weft"
)

//go:embed digits.csv.gz
var archive []byte

const (
	pixels  = 64
	classes = 10
)

// digit is a picture and what it shows.
type digit struct {
	x     [pixels]float32 // from 0 to 1
	label int
}

type digits []digit

func readDigits() (all digits, err error) {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		if len(line) != pixels+1 {
			return nil, fmt.Errorf("a line of %d numbers, want %d", len(line), pixels+1)
		}
		var d digit
		for i, text := range line {
			v, err := strconv.ParseFloat(text, 32)
			if err != nil {
				return nil, err
			}
			if i < pixels {
				d.x[i] = float32(v) / 16
			} else {
				d.label = int(v)
			}
		}
		all = append(all, d)
	}
	return all, nil
}

// tensors are the pictures [n,64], and [n,10] with a 1 for what each shows.
func (ds digits) tensors(dev *weft.Device) (x, wanted *weft.Tensor, err error) {
	var in []float32
	out := make([]float32, len(ds)*classes)
	for i, d := range ds {
		in = append(in, d.x[:]...)
		out[i*classes+d.label] = 1
	}
	if x, err = weft.FromSlice(dev, in, len(ds), pixels); err != nil {
		return nil, nil, err
	}
	wanted, err = weft.FromSlice(dev, out, len(ds), classes)
	return x, wanted, err
}
