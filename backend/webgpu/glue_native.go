//go:build cgo && !js

package webgpu

/*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The part of wgpu-native's C interface that its Go binding leaves out or
// cannot use safely. The binding links the library; these declarations follow
// its header webgpu.h.

typedef struct { void const *next; uint32_t type; } chain;

typedef struct {
	uint32_t maxTextureDimension1D, maxTextureDimension2D, maxTextureDimension3D, maxTextureArrayLayers;
	uint32_t maxBindGroups, maxBindGroupsPlusVertexBuffers, maxBindingsPerBindGroup;
	uint32_t maxDynamicUniformBuffers, maxDynamicStorageBuffers;
	uint32_t maxSampledTextures, maxSamplers, maxStorageBuffers, maxStorageTextures, maxUniformBuffers;
	uint64_t maxUniformBinding, maxStorageBinding;
	uint32_t minUniformAlignment, minStorageAlignment, maxVertexBuffers;
	uint64_t maxBufferSize;
	uint32_t maxVertexAttributes, maxVertexBufferArrayStride, maxInterStageComponents, maxInterStageVariables;
	uint32_t maxColorAttachments, maxColorAttachmentBytes;
	uint32_t maxWorkgroupStorage, maxInvocations, maxSizeX, maxSizeY, maxSizeZ, maxWorkgroups;
} limits;

typedef struct { void const *next; limits limits; } chainedLimits;

typedef struct {
	chain chain;
	uint32_t backends, flags;
	int32_t dx12Compiler, gles3Minor;
	char const *dxilPath, *dxcPath;
} instanceExtras;

typedef struct {
	void const *next;
	char const *label;
	size_t featureCount;
	uint32_t const *features;
	chainedLimits const *limits;
	struct { void const *next; char const *label; } queue;
	void (*lost)(int32_t reason, char const *message, void *user);
	void *lostUser;
	struct { void const *next; void (*error)(int32_t kind, char const *message, void *user); void *user; } uncaptured;
} deviceDescriptor;

typedef struct { void *set; uint32_t begin, end; } timestampWrites;
typedef struct { void const *next; char const *label; timestampWrites const *timestamps; } passDescriptor;

extern void *wgpuCreateInstance(void const *descriptor);
extern uint32_t wgpuAdapterGetLimits(void *adapter, chainedLimits *out);
extern void wgpuAdapterRequestDevice(void *adapter, deviceDescriptor const *descriptor,
	void (*done)(int32_t status, void *device, char const *message, void *user), void *user);
extern void wgpuBufferMapAsync(void *buffer, uint32_t mode, size_t offset, size_t size,
	void (*done)(int32_t status, void *user), void *user);
extern void wgpuQueueOnSubmittedWorkDone(void *queue, void (*done)(int32_t status, void *user), void *user);
extern void *wgpuCommandEncoderBeginComputePass(void *encoder, passDescriptor const *descriptor);
extern void wgpuComputePassEncoderEnd(void *pass);
extern void wgpuComputePassEncoderRelease(void *pass);

// A sink keeps the first error that the library reports outside an error
// scope; without it the library aborts the process. Callbacks may come from
// any thread.
enum { empty, filling, full };
typedef struct {
	int state;
	int32_t kind;
	char message[4000];
} sink;

static void fill(sink *s, int32_t kind, char const *message) {
	int want = empty;
	if (!__atomic_compare_exchange_n(&s->state, &want, filling, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
	s->kind = kind;
	strncpy(s->message, message ? message : "", sizeof s->message - 1);
	__atomic_store_n(&s->state, full, __ATOMIC_RELEASE);
}

static int sinkFull(sink *s) { return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == full; }
static void sinkReset(sink *s) { __atomic_store_n(&s->state, empty, __ATOMIC_RELEASE); }

static void onError(int32_t kind, char const *message, void *user) { fill(user, kind, message); }

// Reason 2 is the orderly end of a device.
static void onLost(int32_t reason, char const *message, void *user) {
	if (reason != 2) fill(user, 5, message);
}

typedef struct { void *device; char message[1000]; } opened;

static void onDevice(int32_t status, void *device, char const *message, void *user) {
	opened *o = user;
	if (status == 0) o->device = device;
	strncpy(o->message, message ? message : "", sizeof o->message - 1);
}

static void requestDevice(void *adapter, limits const *l, uint32_t feature, sink *s, opened *o) {
	chainedLimits want = { NULL, *l };
	deviceDescriptor d;
	memset(&d, 0, sizeof d);
	if (feature) { d.featureCount = 1; d.features = &feature; }
	d.limits = &want;
	d.lost = onLost;
	d.lostUser = s;
	d.uncaptured.error = onError;
	d.uncaptured.user = s;
	wgpuAdapterRequestDevice(adapter, &d, onDevice, o);
}

static void *createInstance(uint32_t backends) {
	instanceExtras extras;
	memset(&extras, 0, sizeof extras);
	extras.chain.type = 0x00030006;
	extras.backends = backends;
	struct { void const *next; } descriptor = { &extras };
	return wgpuCreateInstance(&descriptor);
}

static void adapterLimits(void *adapter, limits *out) {
	chainedLimits l;
	memset(&l, 0, sizeof l);
	wgpuAdapterGetLimits(adapter, &l);
	*out = l.limits;
}

// onMapped stores 1 for success and 2 for failure.
static void onMapped(int32_t status, void *user) { __atomic_store_n((int *)user, status == 0 ? 1 : 2, __ATOMIC_RELEASE); }

static void mapRead(void *buffer, size_t size, int *done) { wgpuBufferMapAsync(buffer, 1, 0, size, onMapped, done); }
static int mapState(int *done) { return __atomic_load_n(done, __ATOMIC_ACQUIRE); }

// onDone counts a submission that is over, whatever came of it.
static void onDone(int32_t status, void *user) { __atomic_fetch_add((uint64_t *)user, 1, __ATOMIC_ACQ_REL); }

static void countDone(void *queue, uint64_t *count) { wgpuQueueOnSubmittedWorkDone(queue, onDone, count); }
static uint64_t doneCount(uint64_t *count) { return __atomic_load_n(count, __ATOMIC_ACQUIRE); }

static void writeTimestamp(void *encoder, void *set, uint32_t index) {
	timestampWrites w = { set, index, 0xffffffffu };
	passDescriptor d = { NULL, NULL, &w };
	void *pass = wgpuCommandEncoderBeginComputePass(encoder, &d);
	if (!pass) return;
	wgpuComputePassEncoderEnd(pass);
	wgpuComputePassEncoderRelease(pass);
}
*/
import "C"

import (
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
)

// handle is the C pointer inside a binding object whose only or first field it is.
func handle[T any](object *T) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(object)) }

// wrap makes a binding object around a C pointer.
func wrap[T any](pointer unsafe.Pointer) *T {
	object := new(T)
	*(*unsafe.Pointer)(unsafe.Pointer(object)) = pointer
	return object
}

// createInstance starts the library. The binding's own function leaves the
// flags uninitialised, so that debugging layers come and go by chance.
func createInstance(backends wgpu.InstanceBackend) *wgpu.Instance {
	p := C.createInstance(C.uint32_t(backends))
	if p == nil {
		return nil
	}
	return wrap[wgpu.Instance](p)
}

// adapterLimits reads what an adapter supports.
func adapterLimits(a *wgpu.Adapter) C.limits {
	var l C.limits
	C.adapterLimits(handle(a), &l)
	return l
}

// sink receives the errors of one device. Its C memory is never freed: the
// library may report to it as long as the process lives.
type sink struct{ c *C.sink }

func newSink() sink { return sink{(*C.sink)(C.calloc(1, C.sizeof_sink))} }

// take returns the first error since the last take; kind is the library's.
func (s sink) take() (kind int, message string, ok bool) {
	if C.sinkFull(s.c) == 0 {
		return 0, "", false
	}
	kind, message = int(s.c.kind), C.GoString(&s.c.message[0])
	C.sinkReset(s.c)
	return kind, message, true
}

// requestDevice opens an adapter with limits and at most one feature.
func requestDevice(a *wgpu.Adapter, l C.limits, feature wgpu.FeatureName, s sink) (*wgpu.Device, string) {
	o := (*C.opened)(C.calloc(1, C.sizeof_opened))
	defer C.free(unsafe.Pointer(o))
	C.requestDevice(handle(a), &l, C.uint32_t(feature), s.c, o)
	if o.device == nil {
		return nil, C.GoString(&o.message[0])
	}
	return wrap[wgpu.Device](o.device), ""
}

// finished counts the submissions of a device that are over. Its C memory is never freed, as that of a sink.
type finished struct{ c *C.uint64_t }

func newFinished() finished { return finished{(*C.uint64_t)(C.calloc(1, C.sizeof_uint64_t))} }

// add has the last submission counted when it is over. The binding's own function leaves its callback data to the garbage collector.
func (f finished) add(q *wgpu.Queue) { C.countDone(second(q), f.c) }

func (f finished) count() uint64 { return uint64(C.doneCount(f.c)) }

// mapping is a buffer that is being mapped for the host.
type mapping struct{ done *C.int }

// mapRead starts to map the first n bytes of a buffer. The binding's own
// function leaves its callback data to the garbage collector.
func mapRead(b *wgpu.Buffer, n int) mapping {
	m := mapping{(*C.int)(C.calloc(1, C.sizeof_int))}
	C.mapRead(second(b), C.size_t(n), m.done)
	return m
}

// finish reports whether the buffer is mapped and ends the mapping's life;
// pending means that the library has not decided yet.
func (m mapping) finish() (mapped, pending bool) {
	state := C.mapState(m.done)
	if state == 0 {
		return false, true
	}
	C.free(unsafe.Pointer(m.done))
	return state == 1, false
}

// second is the C pointer inside a binding object whose second field it is: a queue, a buffer, an encoder.
func second[T any](object *T) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(object))[1] }

// writeTimestamp records an empty compute pass that notes when it begins.
func writeTimestamp(e *wgpu.CommandEncoder, set *wgpu.QuerySet, index int) {
	C.writeTimestamp(second(e), handle(set), C.uint32_t(index))
}
