//go:build cgo || js

package webgpu

import (
	"math/bits"

	"github.com/weftgpu/weft/fault"
)

// Upload copies src to the device. WebGPU writes whole words: at an end that
// is inside a word the word is read back first, which waits for the device,
// unless the rest of the word is beyond the buffer's length.
func (b *buffer) Upload(offset int64, src []byte) error {
	const op = "upload"
	d := b.device
	d.transfer.Lock()
	defer d.transfer.Unlock()
	if err := b.enter(op, offset, len(src)); err != nil {
		return err
	}
	defer d.mu.Unlock()
	if len(src) == 0 {
		return nil
	}
	d.flush()
	if err := b.write(offset, src); err != nil {
		return fail(op, fault.ErrUnsupported, err)
	}
	return nil
}

func (b *buffer) write(offset int64, src []byte) error {
	if at := offset % 4; at != 0 {
		n := min(int(4-at), len(src))
		if err := b.patch(offset-at, int(at), src[:n]); err != nil {
			return err
		}
		offset, src = offset+int64(n), src[n:]
	}
	for len(src) >= 4 {
		n := min(len(src)&^3, chunkBytes)
		if err := b.device.write(b.raw, offset, src[:n]); err != nil {
			return err
		}
		offset, src = offset+int64(n), src[n:]
	}
	if len(src) > 0 {
		return b.patch(offset, 0, src)
	}
	return nil
}

// patch replaces bytes of the word at offset, from byte at on.
func (b *buffer) patch(offset int64, at int, src []byte) error {
	var word [4]byte
	if at > 0 || offset+int64(len(src)) < b.bytes {
		s, err := b.device.stage(0, b.raw, offset, 4)
		if err != nil {
			return err
		}
		b.device.gpu.wait(s)
		if err := b.device.readStage(0, word[:], 0); err != nil {
			return err
		}
	}
	copy(word[at:], src)
	return b.device.write(b.raw, offset, word[:])
}

// write queues a write and submits what is queued before it takes too much memory.
func (d *device) write(raw rawBuffer, offset int64, data []byte) error {
	if err := d.gpu.write(raw, offset, data); err != nil {
		return err
	}
	d.queue.queued += len(data) + writeAccount
	if d.queue.queued >= chunkBytes {
		d.submitted(d.gpu.flushWrites())
	}
	return nil
}

// stagingBuffer is memory that the host can read.
type stagingBuffer struct {
	raw   rawBuffer
	bytes int64
}

// stage starts a copy of n bytes at offset, both multiples of 4, to a staging
// buffer, which grows as needed.
func (d *device) stage(i int, raw rawBuffer, offset, n int64) (submission, error) {
	if err := d.growStage(i, n); err != nil {
		return submission{}, err
	}
	batch, err := d.gpu.newBatch()
	if err != nil {
		return submission{}, err
	}
	if err := batch.copyBuffer(d.staging[i].raw, 0, raw, offset, n); err != nil {
		batch.discard()
		return submission{}, err
	}
	s, err := batch.submit()
	d.queue.queued = 0
	return s, err
}

func (d *device) growStage(i int, n int64) error {
	s := &d.staging[i]
	if s.bytes >= n {
		return nil
	}
	if s.raw != nil {
		s.raw.Release()
		*s = stagingBuffer{}
	}
	size := max(64<<10, int64(1)<<bits.Len64(uint64(n-1)))
	raw, err := d.gpu.newBuffer(size, stagingUsage)
	if err != nil {
		return err
	}
	*s = stagingBuffer{raw, size}
	return nil
}

// readStage fills dst from byte skip of a staging buffer whose copy is done.
func (d *device) readStage(i int, dst []byte, skip int) error {
	n := int(roundUp(int64(skip+len(dst)), 8))
	return d.gpu.read(d.staging[i].raw, n, func(data []byte) { copy(dst, data[skip:]) })
}

// Download fills dst. While one chunk is copied to the host the device already
// stages the next.
func (b *buffer) Download(offset int64, dst []byte) error {
	const op = "download"
	d := b.device
	d.transfer.Lock()
	defer d.transfer.Unlock()
	if err := b.enter(op, offset, len(dst)); err != nil {
		return err
	}
	defer d.mu.Unlock()
	if len(dst) == 0 {
		return nil
	}
	d.flush()
	w := window{b, offset &^ 3, offset + int64(len(dst))}
	staged, err := w.stage(0)
	for i := 0; err == nil && i < w.chunks(); i++ {
		now := staged
		if i+1 < w.chunks() {
			staged, err = w.stage(i + 1)
		}
		d.waitUnlocked(now)
		if err := b.open(op); err != nil {
			return err
		}
		if err == nil {
			from, to := w.chunk(i)
			start := max(from, offset)
			err = d.readStage(i%2, dst[start-offset:to-offset], int(start-from))
		}
	}
	if err != nil {
		return fail(op, fault.ErrOutOfMemory, err)
	}
	d.collect()
	return d.failed
}

// window is the bytes of a buffer that a download reads, in chunks from a word's start on.
type window struct {
	buffer   *buffer
	from, to int64
}

func (w window) chunks() int { return int((w.to - w.from + chunkBytes - 1) / chunkBytes) }

func (w window) chunk(i int) (from, to int64) {
	from = w.from + int64(i)*chunkBytes
	return from, min(from+chunkBytes, w.to)
}

// stage starts to copy a chunk to one of the two staging buffers.
func (w window) stage(i int) (submission, error) {
	from, to := w.chunk(i)
	return w.buffer.device.stage(i%2, w.buffer.raw, from, roundUp(to-from, 4))
}
