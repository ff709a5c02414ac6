package golden

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"
	"github.com/sbinet/npyio/npz"
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
	r, err := npz.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(slices.Values(r.Keys())) {
		name, array, ok := strings.Cut(strings.TrimSuffix(key, ".npy"), "/")
		if !ok {
			return nil, fmt.Errorf("golden: the array %q belongs to no case", key)
		}
		a, err := read(r, key)
		if err != nil {
			return nil, fmt.Errorf("golden: %s: %w", key, err)
		}
		if n := len(cases); n == 0 || cases[n-1].Name != name {
			cases = append(cases, Case{name, Arrays{}})
		}
		cases[len(cases)-1].Arrays[array] = a
	}
	return cases, nil
}

// read reads an array of any element type that make.py writes.
func read(r *npz.Reader, key string) (Array, error) {
	h := r.Header(key)
	if h == nil {
		return Array{}, npy.ErrInvalidNumPyFormat
	}
	a := Array{Shape: h.Descr.Shape}
	if h.Descr.Fortran {
		return a, fmt.Errorf("the elements run down the columns")
	}
	var err error
	switch h.Descr.Type {
	case "<f8":
		err = r.Read(key, &a.X)
	case "<f4":
		a.X, err = widened[float32](r, key)
	case "<i8":
		a.X, err = widened[int64](r, key)
	case "<i4":
		a.X, err = widened[int32](r, key)
	case "|i1":
		a.X, err = widened[int8](r, key)
	case "|u1":
		a.X, err = widened[uint8](r, key)
	default:
		err = fmt.Errorf("element type %q", h.Descr.Type)
	}
	return a, err
}

func widened[T float32 | int64 | int32 | int8 | uint8](r *npz.Reader, key string) ([]float64, error) {
	var narrow []T
	err := r.Read(key, &narrow)
	x := make([]float64, len(narrow))
	for i, v := range narrow {
		x[i] = float64(v)
	}
	return x, err
}
