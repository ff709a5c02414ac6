package backend

import (
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// CheckLaunch validates a launch against a kernel's source and a device's
// limits, as OwnLaunch does for a backend before its driver sees the launch. empty
// reports that the grid holds no workgroup, so there is nothing to do.
func CheckLaunch(src Source, caps target.Caps, l Launch) (empty bool, err error) {
	return checkLaunch(&src, &caps, &l)
}

func checkLaunch(src *Source, caps *target.Caps, l *Launch) (empty bool, err error) {
	fail := func(kind error, format string, args ...any) (bool, error) {
		return false, fault.New(kind, "launch "+src.Entry, format, args...)
	}
	if len(l.Buffers) != len(src.Bindings) {
		return fail(fault.ErrArgument, "%s given, the kernel has %s", fault.Count(len(l.Buffers), "buffer"), fault.Count(len(src.Bindings), "binding"))
	}
	if l.Ranges != nil && len(l.Ranges) != len(l.Buffers) {
		return fail(fault.ErrArgument, "%s given for %s", fault.Count(len(l.Ranges), "range"), fault.Count(len(l.Buffers), "buffer"))
	}
	if len(l.Maps) != len(src.Maps) {
		return fail(fault.ErrArgument, "%s given for tensor maps, the kernel has %s", fault.Count(len(l.Maps), "region"), fault.Count(len(src.Maps), "tensor map"))
	}
	if len(l.Words) != src.Words {
		return fail(fault.ErrArgument, "%s given, the kernel has %d", fault.Count(len(l.Words), "parameter word"), src.Words)
	}
	for i, b := range l.Buffers {
		name := src.Bindings[i].Name
		if b == nil {
			return fail(fault.ErrArgument, "binding %s has no buffer", name)
		}
		if j := slices.Index(l.Buffers[:i], b); j >= 0 {
			return fail(fault.ErrUnsupported, "bindings %s and %s are the same buffer, want different ones", src.Bindings[j].Name, name)
		}
		limit := caps.MaxBindingBytes
		if src.DeviceAddresses {
			limit = 0
		}
		if err := l.RangeOf(i).check(src.Entry, name, b.Bytes(), limit); err != nil {
			return false, err
		}
	}
	for i := range l.Maps {
		m := &src.Maps[i]
		if err := m.check("launch", *src); err != nil {
			return false, err
		}
		if err := l.Maps[i].check(src.Entry, m, l.Buffers[m.Binding].Bytes()); err != nil {
			return false, err
		}
	}
	for axis, n := range l.Grid {
		if n < 0 {
			return fail(fault.ErrShape, "grid %v has a negative dimension", l.Grid)
		}
		if caps.MaxGrid[axis] > 0 && n > caps.MaxGrid[axis] {
			return fail(fault.ErrLimit, "grid %v is too large: in dimension %d the device allows %d workgroups at most", l.Grid, axis, caps.MaxGrid[axis])
		}
	}
	return l.Grid[0] == 0 || l.Grid[1] == 0 || l.Grid[2] == 0, nil
}

// check validates a binding's range of a buffer; limit is the most that a binding reaches, 0 for no limit.
func (r Range) check(entry, binding string, bytes, limit int64) error {
	switch {
	case r.Offset < 0 || r.Bytes < 0 || r.Bytes > bytes-r.Offset || r.Offset > 0 && r.Offset == bytes:
		return fault.New(fault.ErrShape, "launch "+entry, "binding %s has %d bytes from byte %d on, the buffer has %d bytes", binding, r.Bytes, r.Offset, bytes)
	case r.Offset%RangeAlign != 0 || r.Offset > 0 && limit == 0:
		return fault.New(fault.ErrUnsupported, "launch "+entry, "binding %s begins at byte %d, want a multiple of %d", binding, r.Offset, RangeAlign)
	case limit > 0 && r.Bytes > limit:
		return fault.New(fault.ErrLimit, "launch "+entry, "binding %s has %d bytes, the device allows %d at most", binding, r.Bytes, limit)
	}
	return nil
}

// CheckSource validates a kernel's needs against a device's limits; every
// backend calls it from Load.
func CheckSource(src Source, caps target.Caps) error {
	type need struct {
		what      string
		got, have int
	}
	if src.Language != caps.Language {
		return fault.New(fault.ErrUnsupported, "load "+src.Entry, "the source is %v, the device takes %v", src.Language, caps.Language)
	}
	if src.DeviceAddresses && !caps.DeviceAddresses {
		return fault.New(fault.ErrUnsupported, "load "+src.Entry, "the kernel has addresses of its buffers, which the device does not give")
	}
	if err := checkMaps(src, caps.TensorMaps); err != nil {
		return err
	}
	for _, n := range []need{
		{"parameter words", src.Words, 0},
		{"threads of a workgroup", src.Threads, caps.MaxThreads},
		{"bytes of shared memory", src.Shared, caps.SharedBytes},
		{"storage bindings", len(src.Bindings), caps.MaxBindings},
	} {
		if n.got < 0 {
			return fault.New(fault.ErrKernel, "load "+src.Entry, "the kernel needs %d %s, want 0 or more", n.got, n.what)
		}
		if n.have > 0 && n.got > n.have {
			return fault.New(fault.ErrLimit, "load "+src.Entry, "the kernel needs %d %s, the device has %d", n.got, n.what, n.have)
		}
	}
	return nil
}

// CheckRange validates the byte range of an upload or download: n bytes from offset on of a buffer of size bytes.
func CheckRange(op string, size, offset int64, n int) error {
	if n < 0 || offset < 0 || offset > size || int64(n) > size-offset {
		return fault.New(fault.ErrShape, op, "bytes %d to %d are outside of the buffer, which has %d bytes", offset, offset+int64(n), size)
	}
	return nil
}
