//go:build linux || windows || (darwin && weft_moltenvk)

// Features beyond core 1.0: what a physical device offers, and turning it on. The structs
// are chained by hand since the Go binding does not know them. As in shim.c, names and
// layouts are the standard's.
#include "shim.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32) && !defined(_WIN64)
#define API __stdcall
#else
#define API
#endif

enum {
	type_features2 = 1000059000,
	type_properties2 = 1000059001,
	type_float16_int8 = 1000082000,
	type_storage_16bit = 1000083000,
	type_subgroup = 1000094000,
	type_float_controls = 1000197000,
	type_size_control_properties = 1000225000,
	type_size_control = 1000225002,

	version_1_2 = 1u << 22 | 2u << 12,
	version_1_3 = 1u << 22 | 3u << 12,

	compute = 0x20,           // VkShaderStageFlagBits
	shuffle = 0x10,           // VkSubgroupFeatureFlagBits
	independence_none = 2,    // VkShaderFloatControlsIndependence
};

typedef struct { int type; void *next; uint32_t storage, uniform, push, in_out; } storage_16bit;
typedef struct { int type; void *next; uint32_t float16, int8; } float16_int8;
typedef struct { int type; void *next; uint32_t control, full; } size_control;
typedef struct { int type; void *next; uint32_t features[64]; } features2; // larger than the standard's struct
typedef struct { int type; void *next; uint64_t properties[512]; } properties2;
typedef struct { int type; void *next; uint32_t size, stages, operations, quads; } subgroup;
typedef struct { int type; void *next; uint32_t min, max, most, stages; } size_properties;
typedef struct { int type; void *next; uint32_t denorm_independence, rounding_independence, preserve[3], denorm[3], flush[3], nearest[3], to_zero[3]; } float_controls;

typedef weft_pfn (API *get_proc)(void *, const char *);

// weft_features fills in what kernels can use of f16 and of subgroups.
void weft_features(void *get, void *instance, void *physical, uint32_t version, weft_facts *facts) {
	void (API *get_features)(void *, features2 *) = (void *)((get_proc)get)(instance, "vkGetPhysicalDeviceFeatures2");
	void (API *get_properties)(void *, properties2 *) = (void *)((get_proc)get)(instance, "vkGetPhysicalDeviceProperties2");
	if (get_features == NULL || get_properties == NULL || version < version_1_2) {
		return; // float controls, without which nobody knows how f16 rounds, came with 1.2
	}
	int sizes = version >= version_1_3; // and control over subgroups with 1.3
	size_control control = {type_size_control, NULL, 0, 0};
	float16_int8 half = {type_float16_int8, sizes ? &control : NULL, 0, 0};
	storage_16bit storage = {type_storage_16bit, &half, 0, 0, 0, 0};
	features2 features = {.type = type_features2, .next = &storage};
	get_features(physical, &features);

	size_properties size = {.type = type_size_control_properties};
	float_controls floats = {.type = type_float_controls, .next = sizes ? &size : NULL};
	subgroup group = {.type = type_subgroup, .next = &floats};
	properties2 *p = calloc(1, sizeof *p);
	if (p == NULL) {
		return;
	}
	p->type = type_properties2;
	p->next = &group;
	get_properties(physical, p);
	free(p);

	facts->f16 = half.float16 && storage.storage && floats.nearest[0] && floats.rounding_independence != independence_none;
	if (!control.control || !control.full || !(group.stages & compute) || !(group.operations & shuffle)) {
		return;
	}
	int settable = (size.stages & compute) != 0;
	if (settable || size.min == size.max) {
		facts->subgroup = group.size;
	}
	if (size.min != size.max) {
		facts->subgroup_settable = settable;
		facts->max_subgroups = size.most;
	}
}

int weft_create_device(void *get, void *instance, void *physical, uint32_t family, const void *features, void **device);

// weft_device opens a device with those features on.
int weft_device(void *get, void *instance, void *physical, uint32_t family, const weft_facts *facts, void **device) {
	size_control control = {type_size_control, NULL, 1, 1};
	float16_int8 half = {type_float16_int8, NULL, 1, 0};
	storage_16bit storage = {type_storage_16bit, &half, 1, 0, 0, 0};
	void *chain = NULL;
	if (facts->f16) {
		chain = &storage;
	}
	if (facts->subgroup) {
		control.next = chain;
		chain = &control;
	}
	return weft_create_device(get, instance, physical, family, chain, device);
}
