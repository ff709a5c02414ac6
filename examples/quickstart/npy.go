package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
)

// matrix is what a .npy file holds, as float32.
type matrix struct {
	rows, cols int
	x          []float32
	columns    bool // the elements run down the columns (Fortran order)
}

// readMatrix reads a matrix of float32 or float64, which is rounded.
func readMatrix(path string) (m matrix, err error) {
	defer func() {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	f, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer f.Close()
	r, err := header(f)
	if err != nil {
		return m, err
	}
	shape := r.Header.Descr.Shape
	if len(shape) != 2 || shape[0] < 0 || shape[1] < 0 {
		return m, fmt.Errorf("it holds an array of shape %v, want a matrix", shape)
	}
	m = matrix{rows: shape[0], cols: shape[1], columns: r.Header.Descr.Fortran}
	kind := strings.TrimLeft(r.Header.Descr.Type, "<>|=")
	size := map[string]int{"f4": 4, "f8": 8}[kind]
	if size == 0 {
		return m, fmt.Errorf("it holds elements of type %q, want float32 (f4) or float64 (f8)", r.Header.Descr.Type)
	}
	if err := complete(f, m, size); err != nil {
		return m, err
	}
	raw := make([]byte, m.rows*m.cols*size)
	if _, err := io.ReadFull(f, raw); err != nil {
		return m, err
	}
	m.x = decode(raw, size, strings.HasPrefix(r.Header.Descr.Type, ">"))
	return m, nil
}

// header reads the header. The library panics on some malformed ones.
func header(f *os.File) (r *npy.Reader, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its header is malformed or truncated (%v)", p)
		}
	}()
	r, err = npy.NewReader(f)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("it is truncated within the header of a .npy file")
	case errors.Is(err, npy.ErrInvalidNumPyFormat):
		return nil, errors.New("it is no .npy file")
	}
	return r, err
}

// complete checks that the file holds as many elements as its header says, before
// memory is allocated for them.
func complete(f *os.File, m matrix, size int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	have := (info.Size() - at) / int64(size)
	if m.cols > 0 && int64(m.rows) > have/int64(m.cols) {
		return fmt.Errorf("it is truncated: its header says %d × %d elements, it holds %d", m.rows, m.cols, have)
	}
	return nil
}

func decode(raw []byte, size int, bigEndian bool) []float32 {
	if bigEndian {
		for at := 0; at < len(raw); at += size {
			slices.Reverse(raw[at : at+size])
		}
	}
	x := make([]float32, len(raw)/size)
	if size == 4 {
		_, _ = binary.Decode(raw, binary.LittleEndian, x)
		return x
	}
	double := make([]float64, len(x))
	_, _ = binary.Decode(raw, binary.LittleEndian, double)
	for i, v := range double {
		x[i] = float32(v)
	}
	return x
}

// writeMatrix writes float32 in rows. (The library writes matrices as float64 only.)
func writeMatrix(path string, rows, cols int, x []float32) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, cols)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n" // data starts at a multiple of 64
	w.Write(append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8)))
	w.WriteString(head)
	if err := binary.Write(w, binary.LittleEndian, x); err != nil {
		return err
	}
	return w.Flush()
}

// tensor copies the matrix to a device; columns become a transposed view.
func (m matrix) tensor(dev *weft.Device) (*weft.Tensor, error) {
	if !m.columns {
		return weft.FromSlice(dev, m.x, m.rows, m.cols)
	}
	t, err := weft.FromSlice(dev, m.x, m.cols, m.rows)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.T(), nil
}

// matrixJob multiplies the user's matrices.
type matrixJob struct {
	tensors
	a, b    matrix
	product []float32
}

func (j *matrixJob) work() work {
	m, k, n := j.a.rows, j.a.cols, j.b.cols
	return work{op: "matmul", size: fmt.Sprintf("%d×%d×%d", m, n, k), elem: weft.F32, flops: 2 * float64(m) * float64(k) * float64(n)}
}

func (j *matrixJob) prepare(dev *weft.Device) error {
	j.keep(j.a.tensor(dev))
	j.keep(j.b.tensor(dev))
	j.keep(weft.Empty(dev, weft.F32, j.a.rows, j.b.cols))
	return j.err
}

func (j *matrixJob) launch() error { return ops.MatMulInto(j.list[2], j.list[0], j.list[1]) }

func (j *matrixJob) check() (worst reference.Worst, err error) {
	if j.product, err = weft.ToSlice[float32](j.list[2]); err != nil {
		return worst, err
	}
	return checkProduct(j.list[0], j.list[1], j.list[2])
}

func (j *matrixJob) write(path string) error {
	return writeMatrix(path, j.a.rows, j.b.cols, j.product)
}
