// The calls that the Go binding cannot make safely or cheaply, see shim.c.
// Handles are passed as pointers (dispatchable) or 64-bit numbers (the others).
#ifndef WEFT_VULKAN_SHIM_H
#define WEFT_VULKAN_SHIM_H

#include <stdint.h>

typedef void (*weft_pfn)(void);
typedef struct weft_calls weft_calls;

// What a physical device tells beyond its core 1.0 properties.
typedef struct {
	uint64_t max_allocation; // bytes, 0 if unknown
	uint64_t max_buffer;     // bytes, 0 if unknown
	uint32_t f16;               // kernels may hold 16-bit floats, in storage buffers too, and round to nearest even
	uint32_t subgroup;          // threads of a full subgroup that has shuffles, 0 if pipelines cannot insist on it
	uint32_t subgroup_settable; // a pipeline has to ask for this size; else there is no other
	uint32_t max_subgroups;     // of one workgroup then
	char driver_name[256];
	char driver_info[256];
} weft_facts;

typedef struct {
	uint64_t set_layout, layout, pipeline;
} weft_pipeline;

enum { weft_max_bindings = 64, weft_max_sets = 64 };

// Everything of one dispatch. The set is written first if update is not 0;
// a kernel without parameters has set 0.
typedef struct {
	void *device, *commands;
	uint64_t pipeline, layout, set;
	// Storage buffers, and which of their bytes are bound.
	uint64_t buffers[weft_max_bindings], offsets[weft_max_bindings], ranges[weft_max_bindings];
	uint32_t count;                                                 // of storage buffers
	uint32_t words, offset;                                         // scalar words, and where in the uniform buffer
	uint64_t uniform;
	uint32_t update, barrier;
	uint32_t x, y, z;
} weft_dispatch_args;

int weft_instance(void *get, int validate, void **instance);
int weft_watch(void *get, void *instance);
int weft_messages(char *text, int bytes);
int weft_queue_families(void *get, void *instance, void *physical, uint32_t *flags, uint32_t *timestamp_bits, int max);
void weft_physical_facts(void *get, void *instance, void *physical, uint32_t version, weft_facts *facts);
void weft_features(void *get, void *instance, void *physical, uint32_t version, weft_facts *facts);
int weft_device(void *get, void *instance, void *physical, uint32_t family, const weft_facts *facts, void **device);

weft_calls *weft_load(void *get, void *instance, void *device);
int weft_build(weft_calls *c, void *device, uint64_t module, const char *entry, uint32_t buffers, int uniform, int full_subgroups, uint32_t subgroup, weft_pipeline *out);
int weft_sets(weft_calls *c, void *device, uint64_t set_layout, uint32_t buffers, int uniform, uint32_t count, uint64_t *pool, uint64_t *sets);
void weft_barrier(weft_calls *c, void *commands);
void weft_dispatch(weft_calls *c, const weft_dispatch_args *a);
void weft_copy(weft_calls *c, void *commands, int barrier, uint64_t from, uint64_t to, uint64_t from_offset, uint64_t to_offset, uint64_t bytes, int to_host);
void weft_execute(weft_calls *c, void *commands, int barrier, void *secondary);
int weft_submit(weft_calls *c, void *queue, void *commands, uint64_t fence);

#endif
