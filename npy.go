package weft

import (
	"errors"
	"io"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/npy"
	"github.com/weftgpu/weft/layout"
)

// npyChunk is how many bytes of a file are in host memory at a time.
const npyChunk = 4 << 20

// npyType is how an element type of a file becomes one of ours.
type npyType struct {
	size    int // of an element in the file
	elem    DType
	convert func(dst, src []byte) // nil if the bytes are the same
}

// npyTypes are the element types that files may have, without their byte order.
var npyTypes = map[string]npyType{
	"b1": {1, Bool, func(dst, src []byte) {
		for i, b := range src {
			dst[i] = min(b, 1)
		}
	}},
	"i1": {1, I8, nil}, "u1": {1, U8, nil},
	"i2": {2, I16, nil}, "u2": {2, U16, nil},
	"i4": {4, I32, nil}, "u4": {4, U32, nil},
	"i8": {8, I64, nil}, "u8": {8, U64, nil},
	"f2": {2, F16, nil}, "f4": {4, F32, nil},
	"f8": {8, F64, nil},
}

// npyNames are what elements are called in files that are written.
var npyNames = map[DType]string{
	Bool: "|b1", I8: "|i1", U8: "|u1", I16: "<i2", U16: "<u2", I32: "<i4", U32: "<u4", I64: "<i8", U64: "<u8", F16: "<f2", F32: "<f4", F64: "<f8",
}

// ReadNpy reads a NumPy array from a .npy file of version 1 to 3 to a new tensor, in pieces
// and no further than the array goes. Arrays of either byte order and of Fortran's element
// order will do: the latter becomes a view whose first dimension runs fastest.
//
// Errors: ErrUnsupported for other element types, ErrArgument for data that is not such a file, ErrShape for one that
// ends too early, those of the reader, and as for Empty.
func ReadNpy(r io.Reader, dev *Device) (*Tensor, error) {
	const op = "read npy"
	if err := dev.check(op); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fault.New(ErrArgument, op, "the reader is nil").For("r")
	}
	h, err := npy.Read(r)
	if errors.Is(err, npy.ErrFormat) {
		return nil, fault.New(ErrArgument, op, "%v", err)
	} else if err != nil {
		return nil, err
	}
	kind, ok := npyType{}, false
	if h.Descr != "" {
		kind, ok = npyTypes[h.Descr[1:]]
		ok = ok && (slices.Contains([]byte("<>="), h.Descr[0]) || h.Descr[0] == '|' && kind.size == 1)
	}
	if !ok {
		return nil, fault.New(ErrUnsupported, op, "elements of type %q are not supported", h.Descr)
	}
	if h.Fortran {
		slices.Reverse(h.Shape)
	}
	l, err := layout.Contiguous(h.Shape...)
	if err != nil {
		return nil, named(op, err)
	}
	source := npySource{r, kind, h.Descr[0] == '>'}
	all, err := source.vector(dev, l.Len())
	if err != nil {
		return nil, err
	}
	defer all.Close() // the view stays
	t, err := all.Reshape(h.Shape...)
	if err != nil {
		return nil, err
	}
	if !h.Fortran {
		return t, nil
	}
	defer t.Close() // the view stays
	dims := make([]int, t.Rank())
	for i := range dims {
		dims[i] = t.Rank() - 1 - i
	}
	return t.Permute(dims...)
}

// npySource is the part of a file after its header.
type npySource struct {
	r       io.Reader
	kind    npyType
	swapped bool // big endian
}

// ends is the error of a file that ends after so many of n elements.
func (s npySource) ends(after int64, n int) error {
	return fault.New(ErrShape, "read npy", "the file ends after %d of %s", after, fault.Count(n, "element"))
}

// read reads the elements from at on, of n: as many as a piece has.
func (s npySource) read(at, n int) ([]byte, error) {
	raw := make([]byte, min(n-at, npyChunk/s.kind.size)*s.kind.size)
	if got, err := io.ReadFull(s.r, raw); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, s.ends(int64(at+got/s.kind.size), n)
	} else if err != nil {
		return nil, err
	}
	if s.swapped {
		for i := 0; i < len(raw); i += s.kind.size {
			slices.Reverse(raw[i : i+s.kind.size])
		}
	}
	if s.kind.convert == nil {
		return raw, nil
	}
	out := make([]byte, len(raw)/s.kind.size*s.kind.elem.Size())
	s.kind.convert(out, raw)
	return out, nil
}

// npyAhead is how many times as much memory as was read is asked for at most, so that a few bytes cannot claim much.
const npyAhead = 16

// vector reads n elements into a tensor, which grows with what was read.
func (s npySource) vector(dev *Device, n int) (t *Tensor, err error) {
	if err := s.checkLength(n); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			t.Close()
			t = nil
		}
	}()
	for at := 0; at < n || t == nil; {
		raw, err := s.read(at, n)
		if err != nil {
			return t, err
		}
		end := at + len(raw)/s.kind.elem.Size()
		if t == nil || end > t.Len() {
			larger, err := Empty(dev, s.kind.elem, min(n, end*npyAhead))
			if err != nil {
				return t, err
			}
			if t != nil {
				err = larger.copyPart(t, 0, at)
				t.Close()
			}
			if t = larger; err != nil {
				return t, err
			}
		}
		if err := t.upload("read npy", int64(at)*int64(s.kind.elem.Size()), raw); err != nil {
			return t, err
		}
		at = end
	}
	return t, nil
}

// checkLength asks a file for its length, before anything is made of it.
func (s npySource) checkLength(n int) error {
	file, ok := s.r.(io.Seeker)
	if !ok {
		return nil
	}
	at, err := file.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe, say
		return nil
	}
	end, err := file.Seek(0, io.SeekEnd)
	if _, back := file.Seek(at, io.SeekStart); back != nil {
		return back
	}
	if err != nil || end < at {
		return nil
	}
	if left := (end - at) / int64(s.kind.size); left < int64(n) {
		return s.ends(left, n)
	}
	return nil
}

// WriteNpy writes a tensor, any view, to a .npy file that numpy.load reads, in row-major order and little endian.
//
// Errors: ErrUnsupported for BF16, which NumPy lacks (Cast to F32 keeps every value),
// ErrClosed, those of the writer, and what went wrong on the device since it was last asked.
func WriteNpy(w io.Writer, t *Tensor) error {
	const op = "write npy"
	if err := t.hold(op, "t"); err != nil {
		return err
	}
	defer t.mem.release()
	if w == nil {
		return fault.New(ErrArgument, op, "the writer is nil").For("w")
	}
	descr, ok := npyNames[t.elem]
	if !ok {
		return fault.New(ErrUnsupported, op, "the tensor holds %v, which .npy files do not have", t.elem).For("t")
	}
	dense, err := t.Contiguous()
	if err != nil {
		return err
	}
	defer dense.Close()
	if err := npy.Write(w, npy.Header{Descr: descr, Shape: t.Shape()}); err != nil {
		return err
	}
	step := npyChunk / t.elem.Size()
	raw := make([]byte, min(step, dense.Len())*t.elem.Size())
	for at := 0; at < dense.Len(); at += step {
		part := raw[:min(step, dense.Len()-at)*t.elem.Size()]
		if err := dense.download(op, part, dense.layout.Offset()+at); err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
