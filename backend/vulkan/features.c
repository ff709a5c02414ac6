//go:build linux || windows || (darwin && weft_moltenvk)

// Features beyond core 1.0: what a physical device offers, and turning it on. The structs
// are chained by hand since the Go binding does not know them. As in shim.c, names and
// layouts are the standard's. Which of them are turned on is decided in features.go.
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
	type_bfloat16 = 1000141000,
	type_subgroup_types = 1000175000,
	type_storage_8bit = 1000177000,
	type_float_controls = 1000197000,
	type_memory_model = 1000211000,
	type_size_control_properties = 1000225000,
	type_size_control = 1000225002,
	type_addresses = 1000257000,
	type_atomic_float = 1000260000,
	type_shared_layout = 1000336000,
	type_cooperative = 1000506000,
	type_cooperative_row = 1000506001,
	type_cooperative2 = 1000593000,
	type_flexible_row = 1000593001,

	version_1_1 = 1u << 22 | 1u << 12,
	version_1_2 = 1u << 22 | 2u << 12,
	version_1_3 = 1u << 22 | 3u << 12,
	never = ~0u,

	incomplete = 5,
	max_flags = 64,
};

// The structs of features, each of which is a list of flags: the version of Vulkan that has one, or else the extension.
static const struct {
	int type;
	uint32_t since;
	const char *extension;
} structs[weft_feature_structs] = {
	[weft_core] = {type_features2, version_1_1, NULL},
	[weft_storage_16bit] = {type_storage_16bit, version_1_1, NULL},
	[weft_storage_8bit] = {type_storage_8bit, version_1_2, NULL},
	[weft_float16_int8] = {type_float16_int8, version_1_2, NULL},
	[weft_subgroup_types] = {type_subgroup_types, version_1_2, NULL},
	[weft_memory_model] = {type_memory_model, version_1_2, NULL},
	[weft_addresses] = {type_addresses, version_1_2, NULL},
	[weft_size_control] = {type_size_control, version_1_3, NULL},
	[weft_shared_layout] = {type_shared_layout, never, "VK_KHR_workgroup_memory_explicit_layout"},
	[weft_atomic_float] = {type_atomic_float, never, "VK_EXT_shader_atomic_float"},
	[weft_bfloat16] = {type_bfloat16, never, "VK_KHR_shader_bfloat16"},
	[weft_cooperative] = {type_cooperative, never, "VK_KHR_cooperative_matrix"},
	[weft_cooperative2] = {type_cooperative2, never, "VK_NV_cooperative_matrix2"},
};

typedef struct { int type; void *next; uint32_t flags[max_flags]; } flags; // larger than each of the standard's structs
typedef struct { int type; void *next; uint64_t properties[512]; } properties2;
typedef struct { int type; void *next; uint32_t size, stages, operations, quads; } subgroup;
typedef struct { int type; void *next; uint32_t min, max, most, stages; } size_properties;
typedef struct { int type; void *next; uint32_t denorm_independence, rounding_independence, preserve[3], denorm[3], flush[3], nearest[3], to_zero[3]; } float_controls;
typedef struct { char name[256]; uint32_t version; } extension;
typedef struct { int type; void *next; weft_matrix row; } matrix_row; // both of the standard's structs: the smaller one ends in padding

typedef weft_pfn (API *get_proc)(void *, const char *);

// mark_extensions sets the bit of each struct whose extension a device has.
static uint32_t mark_extensions(void *get, void *instance, void *physical) {
	int (API *list)(void *, const char *, uint32_t *, extension *) = (void *)((get_proc)get)(instance, "vkEnumerateDeviceExtensionProperties");
	uint32_t n = 0, marks = 0;
	if (list == NULL || list(physical, NULL, &n, NULL) != 0 || n == 0) {
		return 0;
	}
	extension *all = calloc(n, sizeof *all);
	if (all != NULL && list(physical, NULL, &n, all) >= 0) {
		for (uint32_t i = 0; i < n; i++) {
			for (int s = 0; s < weft_feature_structs; s++) {
				if (structs[s].extension != NULL && strcmp(all[i].name, structs[s].extension) == 0) {
					marks |= 1u << s;
				}
			}
		}
	}
	free(all);
	return marks;
}

// weft_features fills in what kernels can use beyond core 1.0.
void weft_features(void *get, void *instance, void *physical, uint32_t version, weft_facts *facts) {
	void (API *get_features)(void *, flags *) = (void *)((get_proc)get)(instance, "vkGetPhysicalDeviceFeatures2");
	void (API *get_properties)(void *, properties2 *) = (void *)((get_proc)get)(instance, "vkGetPhysicalDeviceProperties2");
	if (get_features == NULL || get_properties == NULL || version < version_1_2) {
		return; // float controls, without which nobody knows how f16 rounds, came with 1.2
	}
	uint32_t marks = mark_extensions(get, instance, physical);
	flags chain[weft_feature_structs] = {0}, *last = chain;
	for (int i = 0; i < weft_feature_structs; i++) {
		chain[i].type = structs[i].type;
		if (i > 0 && (version >= structs[i].since || marks >> i & 1)) {
			last = last->next = &chain[i];
		}
	}
	get_features(physical, chain);
	for (int i = 0; i < weft_feature_structs; i++) {
		for (int f = 0; f < max_flags; f++) {
			facts->features[i] |= (uint64_t)(chain[i].flags[f] != 0) << f;
		}
	}

	size_properties size = {.type = type_size_control_properties};
	float_controls floats = {.type = type_float_controls, .next = version >= version_1_3 ? &size : NULL};
	subgroup group = {.type = type_subgroup, .next = &floats};
	properties2 *p = calloc(1, sizeof *p);
	if (p == NULL) {
		return;
	}
	p->type = type_properties2;
	p->next = &group;
	get_properties(physical, p);
	free(p);
	facts->subgroup_size = group.size;
	facts->subgroup_stages = group.stages;
	facts->subgroup_operations = group.operations;
	facts->subgroup_min = size.min;
	facts->subgroup_max = size.max;
	facts->subgroup_settable = size.stages;
	facts->max_subgroups = size.most;
	facts->rounding_independence = floats.rounding_independence;
	facts->denorm_independence = floats.denorm_independence;
	for (int i = 0; i < 3; i++) {
		facts->preserve[i] = floats.preserve[i];
		facts->denorm[i] = floats.denorm[i];
		facts->nearest[i] = floats.nearest[i];
	}
}

// weft_matrices lists the products of cooperative matrices of a device, or those that stand for all of their multiples. It returns how many it
// stored, at most max, and a number below 0 if that failed.
int weft_matrices(void *get, void *instance, void *physical, int flexible, weft_matrix *rows, int max) {
	int (API *list)(void *, uint32_t *, matrix_row *) = (void *)((get_proc)get)(instance,
		flexible ? "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV" : "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
	matrix_row *all = calloc(max, sizeof *all);
	uint32_t n = max;
	if (list == NULL || all == NULL) {
		free(all);
		return -1;
	}
	for (int i = 0; i < max; i++) {
		all[i].type = flexible ? type_flexible_row : type_cooperative_row;
	}
	int r = list(physical, &n, all);
	for (uint32_t i = 0; i < n && (r == 0 || r == incomplete); i++) {
		rows[i] = all[i].row;
	}
	free(all);
	return r == 0 || r == incomplete ? (int)n : r;
}

int weft_create_device(void *get, void *instance, void *physical, uint32_t family, const void *features, const char *const *extensions, uint32_t extension_count, void **device);

// weft_device opens a device with some features on, which it has.
int weft_device(void *get, void *instance, void *physical, uint32_t family, const uint64_t *on, void **device) {
	flags chain[weft_feature_structs] = {0}, *last = NULL;
	const char *extensions[weft_feature_structs];
	uint32_t n = 0;
	for (int i = 0; i < weft_feature_structs; i++) {
		if (on[i] == 0) {
			continue;
		}
		chain[i].type = structs[i].type;
		chain[i].next = last;
		last = &chain[i];
		for (int f = 0; f < max_flags; f++) {
			chain[i].flags[f] = on[i] >> f & 1;
		}
		if (structs[i].extension != NULL) {
			extensions[n++] = structs[i].extension;
		}
	}
	return weft_create_device(get, instance, physical, family, last, extensions, n, device);
}
