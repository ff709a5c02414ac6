// The calls that the Go binding cannot make safely or cheaply, see shim.c.
// Handles are passed as pointers (dispatchable) or 64-bit numbers (the others).
#ifndef WEFT_VULKAN_SHIM_H
#define WEFT_VULKAN_SHIM_H

#include <stdint.h>

typedef void (*weft_pfn)(void);
typedef struct weft_calls weft_calls;

// The structs of features, see features.c.
enum {
	weft_core,
	weft_storage_16bit,
	weft_storage_8bit,
	weft_float16_int8,
	weft_subgroup_types,
	weft_memory_model,
	weft_addresses,
	weft_size_control,
	weft_shared_layout,
	weft_atomic_float,
	weft_bfloat16,
	weft_cooperative,
	weft_cooperative2,
	weft_feature_structs
};

// One product of cooperative matrices, as the standard lists it.
typedef struct {
	uint32_t m, n, k;
	int a, b, c, result;
	uint32_t saturating;
	int scope;
	uint32_t threads; // of a workgroup, where the sizes are those whose multiples are there
} weft_matrix;

// What a physical device tells beyond its core 1.0 properties.
typedef struct {
	uint64_t max_allocation; // bytes, 0 if unknown
	uint64_t max_buffer;     // bytes, 0 if unknown
	uint64_t features[weft_feature_structs]; // the flags that a struct has
	uint32_t subgroup_size, subgroup_stages, subgroup_operations;
	uint32_t subgroup_min, subgroup_max;
	uint32_t subgroup_settable; // the stages whose pipelines can ask for a size
	uint32_t max_subgroups;     // of one workgroup then
	uint32_t rounding_independence, denorm_independence;
	uint32_t preserve[3], denorm[3], nearest[3]; // of floats of 16, 32 and 64 bits: infinities and NaN, denormals, rounding to the nearest
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
int weft_matrices(void *get, void *instance, void *physical, int flexible, weft_matrix *rows, int max);
int weft_device(void *get, void *instance, void *physical, uint32_t family, const uint64_t *on, void **device);

weft_calls *weft_load(void *get, void *instance, void *device);
int weft_build(weft_calls *c, void *device, uint64_t module, const char *entry, uint32_t buffers, int uniform, int full_subgroups, uint32_t subgroup, weft_pipeline *out);
int weft_sets(weft_calls *c, void *device, uint64_t set_layout, uint32_t buffers, int uniform, uint32_t count, uint64_t *pool, uint64_t *sets);
const void *weft_address_flags(void);
uint64_t weft_address(weft_calls *c, void *device, uint64_t buffer);
void weft_barrier(weft_calls *c, void *commands);
void weft_dispatch(weft_calls *c, const weft_dispatch_args *a);
void weft_copy(weft_calls *c, void *commands, int barrier, uint64_t from, uint64_t to, uint64_t from_offset, uint64_t to_offset, uint64_t bytes, int to_host);
void weft_execute(weft_calls *c, void *commands, int barrier, void *secondary);
int weft_submit(weft_calls *c, void *queue, void *commands, uint64_t fence);

#endif
