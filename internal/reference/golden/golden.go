package golden

import (
	"archive/zip"
	"bytes"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/weftgpu/weft/internal/npy"
)

//go:embed *.npz
var files embed.FS

// Array is an array in row-major order; integers and bytes are exact in float64.
type Array struct {
	Shape []int
	X     []float64
}

// Ints are the elements as integers.
func (a Array) Ints() []int {
	n := make([]int, len(a.X))
	for i, x := range a.X {
		n[i] = int(x)
	}
	return n
}

// Int is the first element as an integer, and 0 if there is none.
func (a Array) Int() int {
	if len(a.X) == 0 {
		return 0
	}
	return int(a.X[0])
}

// Case is one call: operands, options and results by their names in make.py. What a
// case lacks is an Array without a shape.
type Case struct {
	Name string
	Arrays
}

// Arrays are arrays by name.
type Arrays map[string]Array

// Get is an array of the case.
func (c Case) Get(name string) Array { return c.Arrays[name] }

// Has reports whether the case has an array.
func (c Case) Has(name string) bool { _, ok := c.Arrays[name]; return ok }

// Families lists the families, in order.
func Families() []string {
	paths, _ := fs.Glob(files, "*.npz") // the pattern is right, and files always there
	for i, path := range paths {
		paths[i] = strings.TrimSuffix(path, ".npz")
	}
	return paths
}

// Cases reads the cases of a family, such as "conv2d", in order of their names.
func Cases(family string) ([]Case, error) {
	data, err := files.ReadFile(family + ".npz")
	if err != nil {
		return nil, err
	}
	return decode(data)
}

func decode(data []byte) (cases []Case, err error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := slices.SortedFunc(slices.Values(r.File), func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		name, array, ok := strings.Cut(strings.TrimSuffix(f.Name, ".npy"), "/")
		if !ok {
			return nil, fmt.Errorf("the array %q belongs to no case", f.Name)
		}
		a, err := read(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if n := len(cases); n == 0 || cases[n-1].Name != name {
			cases = append(cases, Case{name, Arrays{}})
		}
		cases[len(cases)-1].Arrays[array] = a
	}
	return cases, nil
}

// elements are the element types that make.py writes, and how each is read.
var elements = map[string]func(r io.Reader, n int) ([]float64, error){
	"<f8": widened[float64],
	"<f4": widened[float32],
	"<i8": widened[int64],
	"<i4": widened[int32],
	"|i1": widened[int8],
	"|u1": widened[uint8],
}

func read(f *zip.File) (Array, error) {
	r, err := f.Open()
	if err != nil {
		return Array{}, err
	}
	defer r.Close()
	h, err := npy.Read(r)
	if err != nil {
		return Array{}, err
	}
	a := Array{Shape: h.Shape}
	elements := elements[h.Descr]
	switch {
	case h.Fortran:
		return a, fmt.Errorf("the elements are in column order, want row order")
	case elements == nil:
		return a, fmt.Errorf("elements of type %q are not supported", h.Descr)
	}
	n := 1
	for _, size := range h.Shape {
		n *= size
	}
	a.X, err = elements(r, n)
	return a, err
}

func widened[T float64 | float32 | int64 | int32 | int8 | uint8](r io.Reader, n int) ([]float64, error) {
	narrow := make([]T, n)
	err := binary.Read(r, binary.LittleEndian, narrow)
	x := make([]float64, n)
	for i, v := range narrow {
		x[i] = float64(v)
	}
	return x, err
}
