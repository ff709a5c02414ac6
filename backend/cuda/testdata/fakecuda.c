/* A CUDA driver without a GPU, for the tests of package cuda.
 *
 * It is as strict and as lazy as the interface allows: every call checks that
 * the context is current on its thread, work on a stream runs only when someone
 * waits for it (so pageable memory is read late), memory is poisoned when
 * allocated and freed in stream order, and a kernel that leaves its buffers is
 * a fatal error. Kernels are known by name. WITH_HEADER checks the prototypes
 * against NVIDIA's cuda.h.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_HEADER
#include <cuda.h>
#else
typedef unsigned CUresult, CUdevice_attribute, CUfunction_attribute, CUmemPool_attribute;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraph_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct { unsigned char from_port, to_port, type, reserved[5]; } CUgraphEdgeData;
typedef struct {
	CUfunction func;
	unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	void **kernelParams, **extra;
	void *kern;
	CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct { unsigned id, pad; union { int programmaticStreamSerializationAllowed; char bytes[64]; } value; } CUlaunchAttribute;
typedef struct {
	unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	unsigned numAttrs;
} CUlaunchConfig;
typedef struct { _Alignas(64) uint64_t opaque[16]; } CUtensorMap;
typedef unsigned CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill;
typedef struct { char bytes[16]; } CUuuid;
typedef struct { int location[2], flags; } CUmemAccessDesc;
typedef union { uint64_t pad[6]; } CUstreamBatchMemOpParams;
typedef struct { uint64_t words[4]; } CUDA_BATCH_MEM_OP_NODE_PARAMS;
typedef unsigned CUstreamCaptureMode;
typedef struct { uint32_t type, handles, location, id; void *security; size_t max; unsigned char rest[56]; } CUmemPoolProps;
#endif

enum { OK = 0, INVALID_VALUE = 1, NO_MEMORY = 2, NOT_INITIALIZED = 3, NO_CONTEXT = 201, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700 };

/* What a test sets and reads through fake_set and fake_get. */
enum { INIT_STATUS, CAPABILITY, MEMORY, POOLS, VERSION, COUNT, LIVE_BYTES, LIVE_OBJECTS, CONTEXTS, WAITS, ANY_KERNEL, ENCODED, ENCODE_STATUS, DEPENDENT, PEERS, NCCL_CALLS, NCCL_ERROR, SETTINGS };
static int64_t state[SETTINGS] = {[CAPABILITY] = 90, [MEMORY] = 64 << 20, [POOLS] = 1, [VERSION] = 12090, [COUNT] = 1, [PEERS] = 1};

struct CUctx_st { int unused; };
struct CUmod_st { int unused; };
struct CUfunc_st { const char *name; int pointers, words, maps; };

/* What a tensor map of this driver holds. */
struct map { uint64_t address, sizes[5], strides[4]; uint16_t box[5]; uint8_t rank, size; };
_Static_assert(sizeof(struct map) <= 128, "size of a tensor map");
struct mark { int done; CUstream stream; }; /* one record of an event; never freed, as others may still wait for it */
struct CUevent_st { double ms; struct mark *mark; unsigned flags; };
struct CUmemPoolHandle_st { int64_t spare; int shared; };
struct CUstream_st { struct op *first, *last, *captured; int capturing; struct CUstream_st *next; };

enum kind { COPY, KERNEL, FREE, EVENT, WAIT, WAIT_WORD, WRITE_WORD, COLLECTIVE };
struct op {
	struct op *next;
	enum kind kind;
	void *dst;
	const void *src, *device; /* which of the two is on the device */
	size_t size;
	const char *kernel;
	uint64_t args[8];
	struct map map;
	unsigned threads;
	CUevent event;
	struct mark *mark;
	uint32_t value;
	struct group *group;
	int round; /* of the group, which a graph may start again and again */
};
struct block { struct block *next; char *mem; size_t size; CUmemoryPool pool; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st context;
static struct block *blocks;
static __thread CUcontext current;
static CUresult sticky;
static int initialised;
static double clock_ms;

int fake_set(int what, int64_t value) { state[what] = value; return 0; }
int fake_get(int what, int64_t *value) { *value = state[what]; return 0; }

/* Every call but a few begins with ENTER and returns through LEAVE. */
#define ENTER pthread_mutex_lock(&lock); CUresult status = current == &context && state[CONTEXTS] > 0 ? sticky : NO_CONTEXT
#define LEAVE pthread_mutex_unlock(&lock); return status

static int inside(const void *p, size_t size) {
	for (struct block *b = blocks; b; b = b->next)
		if ((char *)p >= b->mem && (char *)p + size <= b->mem + b->size) return 1;
	return 0;
}

/* Signals cannot be in memory of a pool. */
static int word(const void *p) {
	for (struct block *b = blocks; b; b = b->next)
		if ((char *)p >= b->mem && (char *)p + 4 <= b->mem + b->size) return !b->pool;
	return 0;
}

static void unmap(void *p) {
	for (struct block **at = &blocks; *at; at = &(*at)->next)
		if ((*at)->mem == p) {
			struct block *b = *at;
			*at = b->next;
			state[LIVE_BYTES] -= b->size;
			if (b->pool) b->pool->spare += b->size; /* until trimmed */
			memset(b->mem, 0xEE, b->size);
			free(b->mem);
			free(b);
			return;
		}
	sticky = ILLEGAL_ADDRESS;
}

static CUresult map(CUdeviceptr *p, size_t size, CUmemoryPool pool) {
	if (size == 0) return INVALID_VALUE;
	if (state[LIVE_BYTES] + (pool ? pool->spare : 0) + (int64_t)size > state[MEMORY]) return NO_MEMORY;
	struct block *b = malloc(sizeof *b);
	*b = (struct block){blocks, malloc(size), size, pool};
	memset(b->mem, 0xCD, size);
	blocks = b;
	state[LIVE_BYTES] += size;
	*p = (uintptr_t)b->mem;
	return OK;
}

/* Copies the block of a map at three coordinates, with zeros where the map has no elements. */
static CUresult block3(const struct map *m, char *out, const int32_t *at) {
	if (m->rank != 3 || !inside(out, (size_t)m->box[0] * m->box[1] * m->box[2] * m->size)) return ILLEGAL_ADDRESS;
	for (int z = 0; z < m->box[2]; z++)
		for (int y = 0; y < m->box[1]; y++)
			for (int x = 0; x < m->box[0]; x++, out += m->size) {
				int64_t i = at[0] + x, j = at[1] + y, k = at[2] + z;
				if (i < 0 || j < 0 || k < 0 || i >= (int64_t)m->sizes[0] || j >= (int64_t)m->sizes[1] || k >= (int64_t)m->sizes[2]) {
					memset(out, 0, m->size);
					continue;
				}
				const char *from = (char *)m->address + i * m->size + j * m->strides[0] + k * m->strides[1];
				if (!inside(from, m->size)) return ILLEGAL_ADDRESS;
				memcpy(out, from, m->size);
			}
	return OK;
}

/* vadd(a, b, out, n); dependent, likewise, of a and b from their ends; words(out, x, y, z); nothing(); crash(p); block(map, src, out, x, y, z, lines) */
static CUresult kernel(const struct op *o) {
	if (!strcmp(o->kernel, "vadd") || !strcmp(o->kernel, "dependent")) {
		const float *a = (void *)o->args[0], *b = (void *)o->args[1];
		float *out = (void *)o->args[2];
		size_t n = (uint32_t)o->args[3], bytes = 4 * n;
		if (n && (!inside(a, bytes) || !inside(b, bytes) || !inside(out, bytes))) return ILLEGAL_ADDRESS;
		for (size_t i = 0; i < n && i < o->threads; i++) {
			size_t from = *o->kernel == 'd' ? n - 1 - i : i;
			out[i] = a[from] + b[from];
		}
		return OK;
	}
	if (!strcmp(o->kernel, "words")) {
		uint32_t *out = (void *)o->args[0];
		if (!inside(out, 12)) return ILLEGAL_ADDRESS;
		for (int i = 0; i < 3; i++) out[i] = (uint32_t)o->args[1 + i];
		return OK;
	}
	if (!strcmp(o->kernel, "block")) {
		int32_t at[3] = {(int32_t)o->args[2], (int32_t)o->args[3], (int32_t)o->args[4]};
		return block3(&o->map, (char *)o->args[1], at);
	}
	return !strcmp(o->kernel, "nothing") ? OK : ILLEGAL_ADDRESS;
}

static CUstream streams;
static int collect(struct op *o); /* whether it could run */

/* Runs the first op of a stream if it need not wait. */
static int step(CUstream s) {
	struct op *o = s->first;
	if (!o) return 0;
	if (o->kind == WAIT && !o->mark->done) return 0;
	if (o->kind == WAIT_WORD && (int32_t)(*(volatile uint32_t *)o->dst - o->value) < 0) return 0;
	if (o->kind == COLLECTIVE && o->group) { /* all of a group's run together, and go with the last */
		if (!collect(o)) return 0;
	}
	clock_ms += 0.25;
	if (!sticky && o->kind == COPY && !inside(o->device, o->size)) sticky = ILLEGAL_ADDRESS;
	if (!sticky && o->kind == COPY) memcpy(o->dst, o->src, o->size);
	if (!sticky && o->kind == KERNEL) sticky = kernel(o);
	if (!sticky && o->kind == FREE) unmap(o->dst);
	if (!sticky && o->kind == WRITE_WORD) *(volatile uint32_t *)o->dst = o->value;
	if (o->kind == EVENT) o->event->ms = clock_ms, o->mark->done = 1;
	s->first = o->next;
	if (!s->first) s->last = 0;
	free(o);
	return 1;
}

/* Runs a stream to its end, and of others what that waits for. What waits for nothing that will come is a fault. */
static void drain(CUstream s) {
	while (s->first) {
		int ran = step(s);
		for (CUstream t = streams; t && !ran; t = t->next)
			if (t != s) ran = step(t);
		if (!ran) {
			sticky = 999;
			while (s->first) { struct op *o = s->first; s->first = o->next; free(o); }
			s->last = 0;
		}
	}
}

static struct op *push(CUstream s, enum kind kind) {
	struct op *o = calloc(1, sizeof *o);
	o->kind = kind;
	if (s->capturing) {
		struct op **at = &s->captured;
		while (*at) at = &(*at)->next;
		return *at = o;
	}
	if (s->last) s->last->next = o; else s->first = o;
	return s->last = o;
}

/* Takes a kernel's arguments: with tensor maps by their addresses, as real drivers do not find them otherwise, else out of a buffer of them,
   which is of the very length that they have. */
static CUresult take(struct op *o, CUfunction f, void **params, void **extra) {
	size_t size = 128 * f->maps + 8 * f->pointers + 4 * f->words;
	if (!size) return OK; /* or a kernel that does nothing with them */
	if (f->maps) {
		if (!params || extra) return INVALID_VALUE;
		for (int i = 0; i < f->maps; i++) if ((uintptr_t)params[i] % 64) return INVALID_VALUE;
		memcpy(&o->map, params[0], sizeof o->map);
		params += f->maps;
		for (int i = 0; i < f->pointers; i++) memcpy(&o->args[i], params[i], 8);
		for (int i = 0; i < f->words; i++) memcpy(&o->args[f->pointers + i], params[f->pointers + i], 4);
		return OK;
	}
	if (params || !extra || extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] || *(size_t *)extra[3] != size) return INVALID_VALUE;
	const char *at = extra[1];
	for (int i = 0; i < f->pointers; i++) memcpy(&o->args[i], at + 8 * i, 8);
	for (int i = 0; i < f->words; i++) memcpy(&o->args[f->pointers + i], at + 8 * f->pointers + 4 * i, 4);
	return OK;
}

CUresult cuInit(unsigned flags) { initialised = !state[INIT_STATUS]; return flags ? INVALID_VALUE : state[INIT_STATUS]; }
CUresult cuDriverGetVersion(int *v) { *v = state[VERSION]; return OK; }
CUresult cuGetErrorName(CUresult e, const char **s) {
	*s = e == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : e == NO_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" :
	     e == NO_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT" : e == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND" : e == 100 ? "CUDA_ERROR_NO_DEVICE" : 0;
	return *s ? OK : INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult e, const char **s) {
	*s = e == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "some explanation";
	return OK;
}
CUresult cuDeviceGetCount(int *n) { *n = state[COUNT]; return initialised ? OK : NOT_INITIALIZED; }
CUresult cuDeviceGet(CUdevice *d, int i) { *d = i; return i < state[COUNT] ? OK : INVALID_VALUE; }
CUresult cuDeviceGetName(char *s, int n, CUdevice d) { (void)d; strncpy(s, "Fake GPU", n); return OK; }
CUresult cuDeviceGetUuid(CUuuid *u, CUdevice d) { memset(u, 0xA0 + d, 16); return OK; }
CUresult cuDeviceTotalMem_v2(size_t *n, CUdevice d) { (void)d; *n = state[MEMORY]; return OK; }
CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d) {
	(void)d;
	switch ((int)a) {
	case 1: *v = 1024; break;
	case 5: *v = 2147483647; break;
	case 6: case 7: *v = 65535; break;
	case 13: *v = 1000000; break; /* kHz */
	case 16: *v = 10; break;
	case 36: *v = 2000000; break;
	case 37: *v = 1024; break;
	case 38: *v = 3 << 20; break;
	case 39: *v = 2048; break;
	case 81: *v = 233472; break;
	case 82: *v = 65536; break;
	case 97: *v = 232448; break;
	case 10: *v = 32; break;
	case 20: *v = 0; break;
	case 75: *v = state[CAPABILITY] / 10; break;
	case 76: *v = state[CAPABILITY] % 10; break;
	case 115: *v = state[POOLS]; break;
	default: return INVALID_VALUE;
	}
	return OK;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) {
	(void)d;
	if (!initialised) return NOT_INITIALIZED;
	state[CONTEXTS]++;
	*c = &context;
	return OK;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d) { (void)d; state[CONTEXTS]--; sticky = OK; return OK; }
CUresult cuCtxSetCurrent(CUcontext c) { current = c; return OK; }

CUresult cuStreamCreate(CUstream *s, unsigned flags) {
	ENTER;
	if (!status) status = flags > 1 ? INVALID_VALUE : OK;
	if (!status) *s = calloc(1, sizeof **s), (*s)->next = streams, streams = *s, state[LIVE_OBJECTS]++;
	LEAVE;
}
CUresult cuStreamSynchronize(CUstream s) {
	ENTER;
	if (!status) state[WAITS]++, drain(s), status = sticky;
	LEAVE;
}
CUresult cuStreamDestroy_v2(CUstream s) {
	ENTER;
	state[LIVE_OBJECTS]--;
	drain(s);
	for (CUstream *at = &streams; *at; at = &(*at)->next)
		if (*at == s) { *at = s->next; break; }
	free(s);
	LEAVE;
}

CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n) {
	ENTER;
	if (!status) status = map(p, n, 0);
	LEAVE;
}
CUresult cuMemFree_v2(CUdeviceptr p) {
	ENTER;
	if (!status) unmap((void *)p);
	LEAVE;
}
CUresult cuMemPoolCreate(CUmemoryPool *p, const CUmemPoolProps *props) {
	ENTER;
	static const uint32_t want[22] = {1, 0, 1, 0};
	_Static_assert(sizeof want == sizeof *props, "size of CUmemPoolProps");
	if (!status && memcmp(props, want, sizeof want)) status = INVALID_VALUE;
	if (!status && !state[POOLS]) status = 801;
	if (!status) *p = calloc(1, sizeof **p), state[LIVE_OBJECTS]++;
	LEAVE;
}
CUresult cuMemPoolSetAttribute(CUmemoryPool p, CUmemPool_attribute a, void *v) {
	ENTER;
	if (!status && (!p || a != 4 || *(uint64_t *)v != UINT64_MAX)) status = INVALID_VALUE;
	LEAVE;
}
CUresult cuMemPoolTrimTo(CUmemoryPool p, size_t keep) {
	ENTER;
	if (!status && p->spare > (int64_t)keep) p->spare = keep;
	LEAVE;
}
CUresult cuMemPoolDestroy(CUmemoryPool p) {
	ENTER;
	state[LIVE_OBJECTS]--;
	free(p);
	LEAVE;
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *d, size_t n, CUmemoryPool p, CUstream s) {
	ENTER;
	if (!status) status = s ? map(d, n, p) : INVALID_VALUE;
	LEAVE;
}
CUresult cuMemFreeAsync(CUdeviceptr d, CUstream s) {
	ENTER;
	if (!status) push(s, FREE)->dst = (void *)d;
	LEAVE;
}
CUresult cuMemAllocHost_v2(void **p, size_t n) {
	ENTER;
	if (!status) *p = malloc(n), state[LIVE_OBJECTS]++;
	LEAVE;
}
CUresult cuMemFreeHost(void *p) {
	ENTER;
	state[LIVE_OBJECTS]--;
	free(p);
	LEAVE;
}
static CUresult copy(CUstream s, void *dst, const void *src, size_t n, const void *device) {
	if (!n || !inside(device, n)) return INVALID_VALUE; /* nothing or beyond the block */
	struct op *o = push(s, COPY);
	o->dst = dst, o->src = src, o->device = device, o->size = n;
	return OK;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void *h, size_t n, CUstream s) {
	ENTER;
	if (!status) status = copy(s, (void *)d, h, n, (void *)d);
	LEAVE;
}
CUresult cuMemcpyDtoHAsync_v2(void *h, CUdeviceptr d, size_t n, CUstream s) {
	ENTER;
	if (!status) status = copy(s, h, (void *)d, n, (void *)d);
	LEAVE;
}

CUresult cuModuleLoadData(CUmodule *m, const void *image) {
	ENTER;
	if (!status && memcmp(image, "\x7f" "ELF", 4)) status = 200;
	if (!status) *m = calloc(1, sizeof **m), state[LIVE_OBJECTS]++;
	LEAVE;
}
CUresult cuModuleUnload(CUmodule m) {
	ENTER;
	state[LIVE_OBJECTS]--;
	free(m);
	LEAVE;
}
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
	static struct CUfunc_st known[] = {{"vadd", 3, 1}, {"dependent", 3, 1}, {"words", 1, 3}, {"nothing", 0, 0}, {"crash", 1, 0}, {"block", 2, 4, 1}};
	ENTER;
	if (!status && !m) status = INVALID_VALUE;
	if (!status) {
		status = NOT_FOUND;
		for (int i = 0; i < 6; i++)
			if (!strcmp(known[i].name, name)) *f = &known[i], status = OK;
		if (state[ANY_KERNEL]) *f = &known[3], status = OK; /* which does nothing */
	}
	LEAVE;
}
CUresult cuFuncGetAttribute(int *v, CUfunction_attribute a, CUfunction f) {
	(void)f;
	*v = a == 0 ? 512 : 128;
	return a == 0 || a == 4 ? OK : INVALID_VALUE;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int v) {
	(void)f;
	return a == 8 && v <= 232448 ? OK : INVALID_VALUE;
}
/* As strict as its description in the CUDA driver API, for what weft asks for: lines of 128 bytes, exchanged in chunks. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *made, CUtensorMapDataType type, uint32_t rank, void *address, const uint64_t *sizes, const uint64_t *strides,
                                const uint32_t *box, const uint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
	static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
	ENTER;
	if (!status) status = state[ENCODE_STATUS];
	if (!status && ((uintptr_t)made % 64 || type > 9 || rank < 1 || rank > 5 || !address || (uintptr_t)address % 16 || interleave || swizzle != 3 ||
	                promotion > 3 || fill)) status = INVALID_VALUE;
	for (uint32_t i = 0; !status && i < rank; i++)
		if (!sizes[i] || sizes[i] > 1ull << 32 || !box[i] || box[i] > 256 || steps[i] != 1 ||
		    (i && (!strides[i - 1] || strides[i - 1] % 16 || strides[i - 1] >= 1ull << 40))) status = INVALID_VALUE;
	if (!status && box[0] * bytes[type] != 128) status = INVALID_VALUE;
	if (!status) {
		struct map m = {.address = (uintptr_t)address, .rank = rank, .size = bytes[type]};
		for (uint32_t i = 0; i < rank; i++) m.sizes[i] = sizes[i], m.box[i] = box[i];
		for (uint32_t i = 1; i < rank; i++) m.strides[i - 1] = strides[i - 1];
		memset(made, 0xEE, 128);
		memcpy(made, &m, sizeof m);
		state[ENCODED]++;
	}
	LEAVE;
}
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream s, void **params, void **extra) {
	ENTER;
	if (!status && (!gx || !gy || !gz || !bx || by != 1 || bz != 1 || (shared && !state[ANY_KERNEL]) || !s)) status = INVALID_VALUE;
	if (!status) {
		struct op *o = push(s, KERNEL);
		o->kernel = f->name;
		o->threads = gx * gy * gz * bx;
		status = take(o, f, params, extra);
	}
	LEAVE;
}
/* The only attribute is that of a dependent launch, of kernels that wait themselves. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra) {
	if (c->numAttrs != 1 || c->attrs->id != 6 || c->attrs->value.programmaticStreamSerializationAllowed != 1 || (strcmp(f->name, "dependent") && !state[ANY_KERNEL])) return INVALID_VALUE;
	CUresult status = cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes, c->hStream, params, extra);
	if (!status) pthread_mutex_lock(&lock), state[DEPENDENT]++, pthread_mutex_unlock(&lock);
	return status;
}

/* A graph runs its nodes in the order that is furthest from that of their making and keeps to what they wait for. */
struct CUgraphNode_st { struct CUgraphNode_st *before, *waits[16]; int waiting, done; struct op op, *captured; };
struct CUgraph_st { struct CUgraphNode_st *last; };

CUresult cuGraphCreate(CUgraph *g, unsigned flags) {
	ENTER;
	if (!status) status = flags ? INVALID_VALUE : OK;
	if (!status) *g = calloc(1, sizeof **g), state[LIVE_OBJECTS]++;
	LEAVE;
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode *made, CUgraph g, const CUgraphNode *waits, size_t n, const CUDA_KERNEL_NODE_PARAMS *p) {
	ENTER;
	if (!status && (n > 16 || !p->gridDimX || !p->gridDimY || !p->gridDimZ || !p->blockDimX || p->blockDimY != 1 || p->blockDimZ != 1 ||
	                (p->sharedMemBytes && !state[ANY_KERNEL]) || p->kern || p->ctx)) status = INVALID_VALUE;
	if (!status) {
		struct CUgraphNode_st *node = calloc(1, sizeof *node);
		node->before = g->last, node->waiting = n;
		for (size_t i = 0; i < n; i++) node->waits[i] = waits[i];
		node->op.kernel = p->func->name;
		node->op.threads = p->gridDimX * p->gridDimY * p->gridDimZ * p->blockDimX;
		status = take(&node->op, p->func, p->kernelParams, p->extra);
		*made = g->last = node;
	}
	LEAVE;
}
/* Edges of kernels that start early are between kernels, and hold back none that does not wait itself. */
CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t n) {
	ENTER;
	static const CUgraphEdgeData early = {1, 0, 1};
	if (!status && (!g || !n)) status = INVALID_VALUE;
	for (size_t i = 0; !status && i < n; i++) {
		struct CUgraphNode_st *node = to[i];
		if (memcmp(&data[i], &early, sizeof early) || !from[i]->op.kernel || !node->op.kernel || node->waiting == 16) status = INVALID_VALUE;
		for (int j = 0; !status && j < node->waiting; j++)
			if (node->waits[j] == from[i]) status = INVALID_VALUE;
		if (!status) state[DEPENDENT]++;
		if (!status && !strcmp(node->op.kernel, "dependent")) node->waits[node->waiting++] = from[i];
	}
	LEAVE;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *e, CUgraph g, unsigned long long flags) {
	ENTER;
	if (!status && flags) status = INVALID_VALUE;
	if (!status) *e = calloc(1, sizeof **e), (*e)->last = g->last, g->last = 0, state[LIVE_OBJECTS]++;
	LEAVE;
}
static void again(CUstream s, struct op *o); /* pushes a captured op */
CUresult cuGraphLaunch(CUgraphExec e, CUstream s) {
	ENTER;
	if (!status && !s) status = INVALID_VALUE;
	if (!status) {
		struct CUgraphNode_st *node;
		for (node = e->last; node; node = node->before) node->done = 0;
		do {
			for (node = e->last; node; node = node->before) {
				int ready = !node->done;
				for (int i = 0; i < node->waiting; i++) ready = ready && node->waits[i]->done;
				if (ready) break;
			}
			if (node && node->captured) {
				node->done = 1;
				for (struct op *c = node->captured; c; c = c->next) again(s, c);
			} else if (node && !node->op.kernel) {
				node->done = 1;
			} else if (node) {
				struct op *o = push(s, KERNEL);
				o->kernel = node->op.kernel, o->threads = node->op.threads, node->done = 1;
				memcpy(o->args, node->op.args, sizeof o->args);
				o->map = node->op.map;
			}
		} while (node);
	}
	LEAVE;
}
static void destroyGraph(CUgraph g) {
	state[LIVE_OBJECTS]--;
	while (g->last) {
		struct CUgraphNode_st *node = g->last;
		g->last = node->before;
		free(node);
	}
	free(g);
}
CUresult cuGraphExecDestroy(CUgraphExec e) { ENTER; destroyGraph(e); LEAVE; }
CUresult cuGraphDestroy(CUgraph g) { ENTER; destroyGraph(g); LEAVE; }

CUresult cuEventCreate(CUevent *e, unsigned flags) {
	ENTER;
	if (!status) status = flags & ~2u ? INVALID_VALUE : OK;
	if (!status) *e = calloc(1, sizeof **e), (*e)->flags = flags, state[LIVE_OBJECTS]++;
	LEAVE;
}
CUresult cuEventRecord(CUevent e, CUstream s) {
	ENTER;
	if (!status) {
		struct op *o = push(s, EVENT);
		o->event = e, o->mark = e->mark = calloc(1, sizeof *e->mark);
		e->mark->stream = s;
	}
	LEAVE;
}
CUresult cuEventSynchronize(CUevent e) {
	ENTER;
	if (!status && e->mark && !e->mark->done) drain(e->mark->stream), status = sticky;
	LEAVE;
}
/* The first answer is that it is not done; time has passed at the second. */
CUresult cuEventQuery(CUevent e) {
	ENTER;
	if (!status && e->mark && !e->mark->done) drain(e->mark->stream), status = sticky ? sticky : 600;
	LEAVE;
}
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) {
	ENTER;
	if (!status && ((from->flags | to->flags) & 2)) status = INVALID_VALUE;
	if (!status && (!from->mark || !to->mark || !from->mark->done || !to->mark->done)) status = 600;
	if (!status) *ms = to->ms - from->ms;
	LEAVE;
}
CUresult cuEventDestroy_v2(CUevent e) {
	ENTER;
	state[LIVE_OBJECTS]--;
	if (e->mark && !e->mark->done) drain(e->mark->stream); /* a pending record must not write to freed memory */
	free(e);
	LEAVE;
}

/* ---- several devices, which share the context and the memory ---- */

CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags) {
	ENTER;
	if (!status && flags) status = INVALID_VALUE;
	if (!status && e->mark) push(s, WAIT)->mark = e->mark;
	LEAVE;
}
CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice d, CUdevice peer) {
	if (d == peer) return INVALID_VALUE;
	*value = attribute == 3 && state[PEERS] > 1;
	return OK;
}
CUresult cuDeviceCanAccessPeer(int *can, CUdevice d, CUdevice peer) { *can = d != peer && state[PEERS]; return OK; }
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
	static int enabled;
	ENTER;
	if (!status && (flags || peer != &context)) status = INVALID_VALUE;
	if (!status) status = enabled ? 704 : OK, enabled = 1;
	LEAVE;
}
CUresult cuMemPoolSetAccess(CUmemoryPool p, const CUmemAccessDesc *a, size_t n) {
	ENTER;
	const int *desc = (const int *)a;
	if (!status && (!p || n != 1 || desc[0] != 1 || desc[1] >= state[COUNT] || desc[2] != 3)) status = INVALID_VALUE;
	if (!status) p->shared = 1;
	LEAVE;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr d, CUdeviceptr from, size_t n, CUstream s) {
	ENTER;
	if (!status && !inside((void *)from, n)) status = INVALID_VALUE;
	if (!status) status = copy(s, (void *)d, (void *)from, n, (void *)d);
	LEAVE;
}
struct memop { uint32_t operation, pad; uint64_t address, value; uint32_t flags, pad2; uint64_t alias, pad3; };
_Static_assert(sizeof(struct memop) == 48, "size of CUstreamBatchMemOpParams");
CUresult cuStreamBatchMemOp_v2(CUstream s, unsigned n, CUstreamBatchMemOpParams *ops, unsigned flags) {
	ENTER;
	const struct memop *m = (const struct memop *)ops;
	if (!status && (flags || n > 256)) status = INVALID_VALUE;
	for (unsigned i = 0; !status && i < n; i++, m++) {
		if ((m->operation != 1 && m->operation != 2) || m->flags || m->address % 4 || !word((void *)m->address)) status = INVALID_VALUE;
		if (!status) {
			struct op *o = push(s, m->operation == 1 ? WAIT_WORD : WRITE_WORD);
			o->dst = (void *)m->address, o->value = (uint32_t)m->value;
		}
	}
	LEAVE;
}
struct memops { CUcontext ctx; unsigned count, pad; const struct memop *ops; unsigned flags, pad2; };
CUresult cuGraphAddBatchMemOpNode(CUgraphNode *made, CUgraph g, const CUgraphNode *waits, size_t n, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
	ENTER;
	const struct memops *p = (const struct memops *)params;
	if (!status && (waits || n || p->ctx != &context || p->flags || !p->count || g->last)) status = INVALID_VALUE;
	struct op **at = 0;
	if (!status) g->last = *made = calloc(1, sizeof **made), at = &g->last->captured;
	for (unsigned i = 0; !status && i < p->count; i++) {
		const struct memop *m = &p->ops[i];
		if ((m->operation != 1 && m->operation != 2) || m->flags || m->address % 4 || !word((void *)m->address)) status = INVALID_VALUE;
		struct op *o = *at = calloc(1, sizeof *o);
		o->kind = m->operation == 1 ? WAIT_WORD : WRITE_WORD, o->dst = (void *)m->address, o->value = (uint32_t)m->value;
		at = &o->next;
	}
	LEAVE;
}
CUresult cuStreamBeginCapture_v2(CUstream s, CUstreamCaptureMode mode) {
	ENTER;
	if (!status && (mode != 2 || s->capturing || s->first)) status = INVALID_VALUE;
	if (!status) s->capturing = 1;
	LEAVE;
}
CUresult cuStreamEndCapture(CUstream s, CUgraph *g) {
	ENTER;
	if (!status && !s->capturing) status = INVALID_VALUE;
	if (!status) {
		struct CUgraphNode_st *node = calloc(1, sizeof *node);
		node->captured = s->captured, s->captured = 0, s->capturing = 0;
		*g = calloc(1, sizeof **g), (*g)->last = node, state[LIVE_OBJECTS]++;
	}
	LEAVE;
}
CUresult cuGraphAddChildGraphNode(CUgraphNode *made, CUgraph g, const CUgraphNode *waits, size_t n, CUgraph child) {
	ENTER;
	if (!status && (n > 16 || !child->last || child->last->before)) status = INVALID_VALUE;
	if (!status) {
		struct CUgraphNode_st *node = calloc(1, sizeof *node);
		node->before = g->last, node->waiting = n, node->captured = child->last->captured;
		for (size_t i = 0; i < n; i++) node->waits[i] = waits[i];
		*made = g->last = node;
	}
	LEAVE;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *made, CUgraph g, const CUgraphNode *waits, size_t n) {
	struct CUgraphNode_st nothing = {0};
	struct CUgraph_st child = {.last = &nothing};
	return cuGraphAddChildGraphNode(made, g, waits, n, &child);
}

/* ---- NCCL: what is called between ncclGroupStart and ncclGroupEnd runs when all streams have come to it ---- */

enum { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, BROADCAST, SEND, RECV };
struct comm { int rank, ranks; };
struct part { int kind, type, op, peer; const char *src; char *dst; size_t count; struct comm *comm; CUstream stream; };
struct group { int parts; struct part part[256]; int rounds[256]; };
static __thread struct group *building;
static __thread int depth;
static const int sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};

static void again(CUstream s, struct op *o) {
	struct op *copy = push(s, o->kind), *next = copy->next;
	*copy = *o;
	copy->next = next;
	if (o->group) copy->round = o->group->rounds[o->value]++;
}

/* Adds two elements; the tests use these types. */
static void add(int type, char *sum, const char *x) {
	if (type == 7) *(float *)sum += *(const float *)x;
	if (type == 2) *(int32_t *)sum += *(const int32_t *)x;
	if (type == 8) *(double *)sum += *(const double *)x;
}

static struct part *find(struct group *g, int kind, int rank, int peer, int skip) {
	for (int i = 0; i < g->parts; i++)
		if (g->part[i].kind == kind && g->part[i].comm->rank == rank && (peer < 0 || g->part[i].peer == peer) && !skip--) return &g->part[i];
	return 0;
}

static void compute(struct group *g, struct part *p) {
	size_t size = sizes[p->type], bytes = p->count * size;
	int n = p->comm->ranks;
	for (int from = 0; from < n; from++) {
		const struct part *o = find(g, p->kind, from, -1, 0);
		if (p->kind == ALL_GATHER) memcpy(p->dst + from * bytes, o->src, bytes);
		if (p->kind == BROADCAST && from == p->peer) memmove(p->dst, o->src, bytes);
		if (p->kind != ALL_REDUCE && p->kind != REDUCE_SCATTER) continue;
		const char *x = o->src + (p->kind == REDUCE_SCATTER ? p->comm->rank * bytes : 0);
		for (size_t i = 0; i < p->count; i++) {
			if (from == 0) memcpy(p->dst + i * size, x + i * size, size);
			else add(p->type, p->dst + i * size, x + i * size);
		}
	}
}

/* Runs a group if every part's stream has come to it; the parts then have no group and go as they are met. */
static int collect(struct op *o) {
	struct group *g = o->group;
	struct op *heads[256];
	for (int i = 0; i < g->parts; i++) {
		heads[i] = 0;
		for (CUstream t = streams; t; t = t->next)
			for (struct op *h = t->first; h && h->kind == COLLECTIVE && h->group == g; h = h->next)
				if ((int)h->value == i && h->round == o->round) heads[i] = h;
		if (!heads[i]) return 0;
	}
	char *temporary[256] = {0};
	for (int i = 0; i < g->parts; i++) { /* results are apart until all have been computed: they may be in place */
		struct part p = g->part[i];
		size_t bytes = p.count * sizes[p.type] * (p.kind == ALL_GATHER ? p.comm->ranks : 1);
		temporary[i] = malloc(bytes + 1);
		p.dst = temporary[i];
		if (p.kind == RECV) {
			int nth = 0;
			for (int j = 0; j < i; j++) nth += g->part[j].kind == RECV && g->part[j].comm == p.comm && g->part[j].peer == p.peer;
			const struct part *from = find(g, SEND, p.peer, p.comm->rank, nth);
			if (from) memcpy(p.dst, from->src, bytes);
		} else if (p.kind != SEND)
			compute(g, &p);
	}
	for (int i = 0; i < g->parts; i++) {
		const struct part *p = &g->part[i];
		size_t bytes = p->count * sizes[p->type] * (p->kind == ALL_GATHER ? p->comm->ranks : 1);
		if (p->kind != SEND) {
			if (inside(p->dst, bytes)) memcpy(p->dst, temporary[i], bytes);
			else sticky = ILLEGAL_ADDRESS;
		}
		free(temporary[i]);
		heads[i]->group = 0;
	}
	return 1;
}

int ncclGetVersion(int *v) { *v = 22705; return 0; }
const char *ncclGetErrorString(int r) { return r == 6 ? "remote process exited" : "invalid argument"; }
const char *ncclGetLastError(void *comm) { (void)comm; return "what went wrong"; }
int ncclGetUniqueId(char *id) { memset(id, 0xAB, 128); return 0; }
int ncclCommInitAll(struct comm **comms, int n, const int *devices) {
	for (int i = 0; i < n; i++) {
		if (devices[i] >= state[COUNT]) return 4;
		comms[i] = calloc(1, sizeof **comms), comms[i]->rank = i, comms[i]->ranks = n;
		state[LIVE_OBJECTS]++;
	}
	return 0;
}
int ncclCommInitRankScalable(struct comm **comm, int ranks, int rank, int ids, const unsigned char *id, void *config) {
	if (!depth || ids != 1 || id[0] != 0xAB || id[127] != 0xAB || config || current != &context) return 4;
	*comm = calloc(1, sizeof **comm), (*comm)->rank = rank, (*comm)->ranks = ranks, state[LIVE_OBJECTS]++;
	return 0;
}
int ncclCommDestroy(struct comm *c) { pthread_mutex_lock(&lock); state[LIVE_OBJECTS]--; pthread_mutex_unlock(&lock); free(c); return 0; }
int ncclCommAbort(struct comm *c) { return ncclCommDestroy(c); }
int ncclCommGetAsyncError(struct comm *c, int *r) { (void)c; *r = state[NCCL_ERROR]; return 0; }
int ncclGroupStart(void) {
	if (!depth++) building = calloc(1, sizeof *building);
	return 0;
}
static void enqueue(struct group *g) {
	for (int i = 0; i < g->parts; i++) {
		struct op *o = push(g->part[i].stream, COLLECTIVE);
		o->group = g, o->value = i;
		if (!g->part[i].stream->capturing) g->rounds[i]++;
	}
	state[NCCL_CALLS] += g->parts;
}

/* Threads that call for some of the ranks wait until all ranks are there. */
static struct group *meeting;
static int arrived;
static unsigned long meetings;
static pthread_cond_t met = PTHREAD_COND_INITIALIZER;

int ncclGroupEnd(void) {
	if (!depth || --depth) return depth ? 0 : 5;
	struct group *g = building;
	int own = 0, all = g->parts ? g->part[0].comm->ranks : 0;
	for (int rank = 0; rank < all; rank++)
		for (int i = 0, here = 0; i < g->parts; i++)
			if (g->part[i].comm->rank == rank && !here++) own++;
	pthread_mutex_lock(&lock);
	if (own == all) enqueue(g);
	else {
		if (!meeting) meeting = calloc(1, sizeof *meeting);
		for (int i = 0; i < g->parts; i++) meeting->part[meeting->parts++] = g->part[i];
		unsigned long now = meetings;
		if ((arrived += own) == all) {
			enqueue(meeting);
			meeting = 0, arrived = 0, meetings++;
			pthread_cond_broadcast(&met);
		}
		while (now == meetings) pthread_cond_wait(&met, &lock);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}
static int called(struct part p) {
	if (p.type > 9 || !p.comm || !p.stream || (depth && building->parts == 256)) return 4;
	int alone = !depth;
	if (alone) ncclGroupStart();
	building->part[building->parts++] = p;
	return alone ? ncclGroupEnd() : 0;
}
int ncclAllReduce(const void *s, void *d, size_t n, int type, int op, struct comm *c, CUstream q) { return called((struct part){ALL_REDUCE, type, op, -1, s, d, n, c, q}); }
int ncclAllGather(const void *s, void *d, size_t n, int type, struct comm *c, CUstream q) { return called((struct part){ALL_GATHER, type, 0, -1, s, d, n, c, q}); }
int ncclReduceScatter(const void *s, void *d, size_t n, int type, int op, struct comm *c, CUstream q) { return called((struct part){REDUCE_SCATTER, type, op, -1, s, d, n, c, q}); }
int ncclBroadcast(const void *s, void *d, size_t n, int type, int root, struct comm *c, CUstream q) { return called((struct part){BROADCAST, type, 0, root, s, d, n, c, q}); }
int ncclSend(const void *s, size_t n, int type, int peer, struct comm *c, CUstream q) { return called((struct part){SEND, type, 0, peer, s, 0, n, c, q}); }
int ncclRecv(void *d, size_t n, int type, int peer, struct comm *c, CUstream q) { return called((struct part){RECV, type, 0, peer, 0, d, n, c, q}); }
