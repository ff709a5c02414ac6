//go:build cgo || js

package webgpu

import (
	"encoding/binary"
	"errors"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

const (
	maxLaunches  = 64       // launches of a batch; more make its start late
	maxInFlight  = 16       // submissions that the host runs ahead of the device
	scalarBytes  = 64 << 10 // scalar blocks of a batch
	chunkBytes   = 16 << 20 // one step of a transfer
	writeAccount = 256      // what a write costs beyond its bytes
)

// queue is the open batch and what was handed to the device lately.
type queue struct {
	batch    *batch // nil if nothing is recorded
	number   uint64 // counts batches; names the open one
	launches int    // recorded in the open batch
	words    []byte // scalar blocks of the open batch
	scalars  rawBuffer
	queued   int // bytes of writes that wait for a submission
	inFlight []submission
}

func (q *queue) init(g *gpu) (err error) {
	q.number = 1
	q.words = make([]byte, 0, scalarBytes)
	q.scalars, err = g.newBuffer(scalarBytes, uniformUsage)
	return err
}

// stream is the device's queue as its users see it.
type stream struct{ d *device }

// Launch records p into the open batch.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	d := s.d
	var room [16]*buffer
	prog, storage, empty, err := backend.OwnLaunch[*program](d, d.info, &d.caps, p, l, room[:0])
	if err != nil {
		return err
	}
	if err := d.enterOrdered("launch " + prog.src.Entry); err != nil {
		return err
	}
	defer d.mu.Unlock()
	if err := backend.OpenLaunch(prog, storage); err != nil || empty {
		return err
	}
	return d.record(prog, storage, l)
}

// record adds a valid launch to the open batch and submits the batch if it is full.
func (d *device) record(p *program, storage []*buffer, l backend.Launch) error {
	q := &d.queue
	group, err := d.groups.get(d, p, storage, &l)
	if err != nil {
		return fail("launch "+p.src.Entry, fault.ErrUnsupported, err)
	}
	if q.launches == maxLaunches || len(q.words)+int(p.stride) > scalarBytes {
		d.flush()
	}
	b, err := d.openBatch()
	if err != nil {
		return fail("launch "+p.src.Entry, fault.ErrUnsupported, err)
	}
	offset := -1
	if p.uniform > 0 {
		offset = len(q.words)
		q.words = q.words[:offset+int(p.stride)]
		for i, w := range l.Words {
			binary.LittleEndian.PutUint32(q.words[offset+4*i:], w)
		}
	}
	b.dispatch(p.pipeline, group, offset, l.Grid)
	q.launches++
	p.used = q.number
	for _, s := range storage {
		s.used = q.number
	}
	if q.launches == maxLaunches {
		d.flush()
	}
	return nil
}

func (d *device) openBatch() (*batch, error) {
	if d.queue.batch == nil {
		b, err := d.gpu.newBatch()
		if err != nil {
			return nil, err
		}
		d.queue.batch = b
	}
	return d.queue.batch, nil
}

// flush hands the open batch to the device. What fails is kept for the next
// call, and the batch is lost.
func (d *device) flush() {
	q := &d.queue
	if q.batch == nil {
		return
	}
	b, words := q.batch, q.words
	q.batch, q.words, q.launches = nil, q.words[:0], 0
	q.number++
	if len(words) > 0 {
		if err := d.gpu.write(q.scalars, 0, words); err != nil {
			b.discard()
			d.keep(fail("launch", fault.ErrUnsupported, err))
			return
		}
		q.queued += len(words)
	}
	s, err := b.submit()
	if err != nil {
		d.keep(fail("launch", fault.ErrKernel, err))
		return
	}
	d.submitted(s)
}

// flushAll submits the open batch and also the writes that no batch has taken along.
func (d *device) flushAll() {
	d.flush()
	if d.queue.queued > 0 {
		d.submitted(d.gpu.flushWrites())
	}
}

// submitted notes a submission and holds the host back if too many are under way.
func (d *device) submitted(s submission) {
	q := &d.queue
	q.queued = 0
	if len(q.inFlight) == maxInFlight {
		d.gpu.wait(q.inFlight[0])
		q.inFlight = append(q.inFlight[:0], q.inFlight[1:]...)
	}
	q.inFlight = append(q.inFlight, s)
}

// Synchronize submits the open batch and waits for everything submitted.
func (s stream) Synchronize() error {
	d := s.d
	if err := d.mu.Enter("synchronize"); err != nil {
		return err
	}
	defer d.mu.Unlock()
	d.flushAll()
	d.waitUnlocked(submission{})
	d.collect()
	err := d.failed
	if !errors.Is(err, fault.ErrDeviceLost) { // a lost device stays lost
		d.failed = nil
	}
	return err
}
