//go:build linux || windows || (darwin && weft_moltenvk)

// The Go binding copies structs that hold arrays into memory whose finalizer
// may free it while the driver still reads it, and each such call allocates.
// So the calls that take arrays of structs or of strings are made here, from
// structs on the C stack, and the calls of one launch cross from Go once.
//
// Only what is used of Vulkan's headers is declared, under the standard's names
// without their prefix; the layouts are the standard's ABI.
#include "shim.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32) && !defined(_WIN64)
#define API __stdcall
#else
#define API
#endif

enum {
	type_application = 0,
	type_instance = 1,
	type_device_queue = 2,
	type_device = 3,
	type_submit = 4,
	type_shader_stage = 18,
	type_compute_pipeline = 29,
	type_pipeline_layout = 30,
	type_set_layout = 32,
	type_descriptor_pool = 33,
	type_set_allocate = 34,
	type_write_set = 35,
	type_memory_barrier = 46,
	type_debug_report = 1000011000,
	type_properties2 = 1000059001,
	type_allocate_flags = 1000060000,
	type_maintenance3 = 1000168000,
	type_driver = 1000196000,
	type_required_subgroup = 1000225001,
	type_address_info = 1000244001,
	type_validation_features = 1000247000,
	type_maintenance4 = 1000413001,

	stage_compute = 0x800,
	stage_transfer = 0x1000,
	stage_host = 0x4000,
	access_shader_read = 0x20,
	access_shader_write = 0x40,
	access_transfer_read = 0x800,
	access_transfer_write = 0x1000,
	access_host_read = 0x2000,

	descriptor_storage = 7,
	descriptor_uniform_dynamic = 8,
	shader_compute = 0x20,
	stage_full_subgroups = 2,
	bind_compute = 1,
	allocate_address = 2,
	success = 0,
	initialization_failed = -3,
};

typedef struct { int type; const void *next; const char *app; uint32_t app_version; const char *engine; uint32_t engine_version, api; } application_info;
typedef struct { int type; const void *next; uint32_t flags; const application_info *app; uint32_t layer_count; const char *const *layers; uint32_t extension_count; const char *const *extensions; } instance_info;
typedef struct { int type; const void *next; uint32_t enabled_count; const int *enabled; uint32_t disabled_count; const int *disabled; } validation_features;
typedef struct { int type; const void *next; uint32_t flags; void *callback; void *user; } debug_report_info;
typedef struct { uint32_t flags, count, timestamp_bits, granularity[3]; } queue_family;
typedef struct { int type; const void *next; uint32_t flags, family, count; const float *priorities; } device_queue_info;
typedef struct { int type; const void *next; uint32_t flags, queue_count; const device_queue_info *queues; uint32_t layer_count; const char *const *layers; uint32_t extension_count; const char *const *extensions; const void *features; } device_info;
typedef struct { int type; void *next; uint64_t properties[512]; } properties2; // larger than the standard's struct
typedef struct { int type; void *next; uint32_t set_descriptors; uint64_t allocation; } maintenance3;
typedef struct { int type; void *next; uint64_t buffer; } maintenance4;
typedef struct { int type; void *next; int id; char name[256], info[256]; uint8_t conformance[4]; } driver_properties;
typedef struct { uint32_t binding; int type; uint32_t count, stages; const void *samplers; } set_binding;
typedef struct { int type; const void *next; uint32_t flags, count; const set_binding *bindings; } set_layout_info;
typedef struct { int type; const void *next; uint32_t flags, set_count; const uint64_t *sets; uint32_t range_count; const void *ranges; } layout_info;
typedef struct { int type; const void *next; uint32_t flags, stage; uint64_t module; const char *name; const void *special; } stage_info;
typedef struct { int type; const void *next; uint32_t size; } subgroup_info;
typedef struct { int type; const void *next; uint32_t flags; stage_info stage; uint64_t layout, base; int32_t base_index; } pipeline_info;
typedef struct { int type; uint32_t count; } pool_size;
typedef struct { int type; const void *next; uint32_t flags, sets, size_count; const pool_size *sizes; } pool_info;
typedef struct { int type; const void *next; uint64_t pool; uint32_t count; const uint64_t *layouts; } set_info;
typedef struct { int type; const void *next; uint32_t source, target; } memory_barrier;
typedef struct { uint64_t buffer, offset, range; } buffer_range;
typedef struct { int type; const void *next; uint64_t set; uint32_t binding, element, count; int descriptor; const void *images; const buffer_range *buffers; const void *texels; } write_set;
typedef struct { int type; const void *next; uint64_t buffer; } address_info;
typedef struct { uint64_t from, to, bytes; } copy_region;
typedef struct { int type; const void *next; uint32_t wait_count; const void *waits, *stages; uint32_t count; void *const *commands; uint32_t signal_count; const void *signals; } submit_info;

typedef weft_pfn (API *get_proc)(void *, const char *);
typedef int (API *create_from)(void *, const void *, const void *, uint64_t *);

struct weft_calls {
	void (API *bind_pipeline)(void *, int, uint64_t);
	void (API *bind_sets)(void *, int, uint64_t, uint32_t, uint32_t, const uint64_t *, uint32_t, const uint32_t *);
	void (API *dispatch)(void *, uint32_t, uint32_t, uint32_t);
	void (API *barrier)(void *, uint32_t, uint32_t, uint32_t, uint32_t, const memory_barrier *, uint32_t, const void *, uint32_t, const void *);
	void (API *execute)(void *, uint32_t, void *const *);
	void (API *copy)(void *, uint64_t, uint64_t, uint32_t, const copy_region *);
	void (API *update_sets)(void *, uint32_t, const write_set *, uint32_t, const void *);
	int (API *submit)(void *, uint32_t, const submit_info *, uint64_t);
	create_from create_set_layout, create_layout, create_pool;
	int (API *allocate_sets)(void *, const set_info *, uint64_t *);
	int (API *create_pipelines)(void *, uint64_t, uint32_t, const pipeline_info *, const void *, uint64_t *);
	void (API *destroy_set_layout)(void *, uint64_t, const void *);
	void (API *destroy_layout)(void *, uint64_t, const void *);
	uint64_t (API *address)(void *, const address_info *); // NULL where there are none
};

// Messages of the validation layer, one a line, until weft_messages takes them.
static struct {
	volatile int lock;
	int used;
	char text[1 << 16];
} messages;

static void lock_messages(void) {
	while (__sync_lock_test_and_set(&messages.lock, 1)) {
	}
}

static void unlock_messages(void) { __sync_lock_release(&messages.lock); }

static uint32_t API on_message(uint32_t flags, int object_type, uint64_t object, size_t location, int32_t code, const char *prefix, const char *text, void *user) {
	(void)flags, (void)object_type, (void)object, (void)location, (void)code, (void)prefix, (void)user;
	int n = (int)strlen(text);
	lock_messages();
	int room = (int)sizeof messages.text - messages.used - 1;
	if (n > room) {
		n = room;
	}
	if (n > 0) {
		memcpy(messages.text + messages.used, text, n);
		messages.used += n;
		messages.text[messages.used++] = '\n';
	}
	unlock_messages();
	return 0;
}

// weft_messages moves up to bytes of collected messages to text.
int weft_messages(char *text, int bytes) {
	lock_messages();
	int n = messages.used < bytes ? messages.used : bytes;
	memcpy(text, messages.text, n);
	memmove(messages.text, messages.text + n, messages.used - n);
	messages.used -= n;
	unlock_messages();
	return n;
}

int weft_instance(void *get, int validate, void **instance) {
	int (API *create)(const void *, const void *, void **) = (void *)((get_proc)get)(NULL, "vkCreateInstance");
	if (create == NULL) {
		return initialization_failed;
	}
	static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
	static const char *const extensions[] = {"VK_EXT_debug_report", "VK_EXT_validation_features"};
	static const int enabled[] = {4}; // synchronisation
	validation_features features = {type_validation_features, NULL, 1, enabled, 0, NULL};
	application_info app = {type_application, NULL, "weft", 1, "weft", 1, 1u << 22 | 3u << 12};
	instance_info info = {type_instance, NULL, 0, &app, 0, NULL, 0, NULL};
	if (validate) {
		info.next = &features;
		info.layer_count = 1;
		info.layers = layers;
		info.extension_count = 2;
		info.extensions = extensions;
	}
	return create(&info, NULL, instance);
}

int weft_watch(void *get, void *instance) {
	create_from create = (create_from)((get_proc)get)(instance, "vkCreateDebugReportCallbackEXT");
	if (create == NULL) {
		return initialization_failed;
	}
	debug_report_info info = {type_debug_report, NULL, 2 | 8, (void *)on_message, NULL}; // warnings and errors
	uint64_t callback;
	return create(instance, &info, NULL, &callback);
}

int weft_queue_families(void *get, void *instance, void *physical, uint32_t *flags, uint32_t *timestamp_bits, int max) {
	void (API *list)(void *, uint32_t *, queue_family *) = (void *)((get_proc)get)(instance, "vkGetPhysicalDeviceQueueFamilyProperties");
	queue_family families[32];
	uint32_t n = 32;
	list(physical, &n, families);
	int i = 0;
	for (; i < (int)n && i < max; i++) {
		flags[i] = families[i].flags;
		timestamp_bits[i] = families[i].timestamp_bits;
	}
	return i;
}

void weft_physical_facts(void *get, void *instance, void *physical, uint32_t version, weft_facts *facts) {
	void (API *properties)(void *, properties2 *) = (void *)((get_proc)get)(instance, "vkGetPhysicalDeviceProperties2");
	memset(facts, 0, sizeof *facts);
	if (properties == NULL) {
		return;
	}
	maintenance4 m4 = {type_maintenance4, NULL, 0};
	driver_properties driver = {.type = type_driver};
	maintenance3 m3 = {type_maintenance3, NULL, 0, 0};
	if (version >= (1u << 22 | 2u << 12)) {
		m3.next = &driver;
	}
	if (version >= (1u << 22 | 3u << 12)) {
		driver.next = &m4;
	}
	properties2 *p = calloc(1, sizeof *p);
	if (p == NULL) {
		return;
	}
	p->type = type_properties2;
	p->next = &m3;
	properties(physical, p);
	free(p);
	facts->max_allocation = m3.allocation;
	facts->max_buffer = m4.buffer;
	memcpy(facts->driver_name, driver.name, sizeof facts->driver_name);
	memcpy(facts->driver_info, driver.info, sizeof facts->driver_info);
}

int weft_create_device(void *get, void *instance, void *physical, uint32_t family, const void *features, const char *const *extensions, uint32_t extension_count, void **device) {
	int (API *create)(void *, const void *, const void *, void **) = (void *)((get_proc)get)(instance, "vkCreateDevice");
	float priority = 1;
	device_queue_info queue = {type_device_queue, NULL, 0, family, 1, &priority};
	device_info info = {type_device, features, 0, 1, &queue, 0, NULL, extension_count, extensions, NULL};
	return create(physical, &info, NULL, device);
}

weft_calls *weft_load(void *get, void *instance, void *device) {
	get_proc of_device = (get_proc)((get_proc)get)(instance, "vkGetDeviceProcAddr");
	weft_calls *c = calloc(1, sizeof *c);
	if (c == NULL || of_device == NULL) {
		free(c);
		return NULL;
	}
	struct {
		const char *name;
		void *slot;
	} calls[] = {
		{"vkCmdBindPipeline", &c->bind_pipeline},
		{"vkCmdBindDescriptorSets", &c->bind_sets},
		{"vkCmdDispatch", &c->dispatch},
		{"vkCmdPipelineBarrier", &c->barrier},
		{"vkCmdExecuteCommands", &c->execute},
		{"vkCmdCopyBuffer", &c->copy},
		{"vkUpdateDescriptorSets", &c->update_sets},
		{"vkQueueSubmit", &c->submit},
		{"vkCreateDescriptorSetLayout", &c->create_set_layout},
		{"vkCreatePipelineLayout", &c->create_layout},
		{"vkCreateComputePipelines", &c->create_pipelines},
		{"vkCreateDescriptorPool", &c->create_pool},
		{"vkAllocateDescriptorSets", &c->allocate_sets},
		{"vkDestroyDescriptorSetLayout", &c->destroy_set_layout},
		{"vkDestroyPipelineLayout", &c->destroy_layout},
	};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		weft_pfn f = of_device(device, calls[i].name);
		if (f == NULL) {
			free(c);
			return NULL;
		}
		memcpy(calls[i].slot, &f, sizeof f);
	}
	weft_pfn address = of_device(device, "vkGetBufferDeviceAddress"); // of Vulkan 1.2
	memcpy(&c->address, &address, sizeof address);
	return c;
}

// weft_build makes a pipeline and its layouts. Every subgroup of it is full if asked
// for, and has the size subgroup unless that is 0.
int weft_build(weft_calls *c, void *device, uint64_t module, const char *entry, uint32_t buffers, int uniform, int full_subgroups, uint32_t subgroup, weft_pipeline *out) {
	set_binding bindings[weft_max_bindings + 1];
	for (uint32_t i = 0; i <= buffers; i++) {
		set_binding b = {i, i < buffers ? descriptor_storage : descriptor_uniform_dynamic, 1, shader_compute, NULL};
		bindings[i] = b;
	}
	set_layout_info set = {type_set_layout, NULL, 0, buffers + (uniform != 0), bindings};
	int r = c->create_set_layout(device, &set, NULL, &out->set_layout);
	if (r != success) {
		return r;
	}
	layout_info layout = {type_pipeline_layout, NULL, 0, 1, &out->set_layout, 0, NULL};
	r = c->create_layout(device, &layout, NULL, &out->layout);
	if (r == success) {
		subgroup_info size = {type_required_subgroup, NULL, subgroup};
		stage_info stage = {type_shader_stage, subgroup ? &size : NULL, full_subgroups ? stage_full_subgroups : 0, shader_compute, module, entry, NULL};
		pipeline_info pipeline = {type_compute_pipeline, NULL, 0, stage, out->layout, 0, -1};
		r = c->create_pipelines(device, 0, 1, &pipeline, NULL, &out->pipeline);
		if (r == success) {
			return r;
		}
		c->destroy_layout(device, out->layout, NULL);
	}
	c->destroy_set_layout(device, out->set_layout, NULL);
	return r;
}

// weft_sets makes a pool and count sets in it, at most weft_max_sets. If
// only the sets fail, the pool is given back all the same.
int weft_sets(weft_calls *c, void *device, uint64_t set_layout, uint32_t buffers, int uniform, uint32_t count, uint64_t *pool, uint64_t *sets) {
	pool_size sizes[2];
	uint32_t n = 0;
	if (buffers > 0) {
		pool_size p = {descriptor_storage, buffers * count};
		sizes[n++] = p;
	}
	if (uniform) {
		pool_size p = {descriptor_uniform_dynamic, count};
		sizes[n++] = p;
	}
	pool_info info = {type_descriptor_pool, NULL, 0, count, n, sizes};
	int r = c->create_pool(device, &info, NULL, pool);
	if (r != success) {
		return r;
	}
	uint64_t layouts[weft_max_sets];
	for (uint32_t i = 0; i < count; i++) {
		layouts[i] = set_layout;
	}
	set_info allocate = {type_set_allocate, NULL, *pool, count, layouts};
	return c->allocate_sets(device, &allocate, sets);
}

// weft_barrier orders all commands after it to run after all commands before it, of
// earlier batches too, and makes their writes visible.
void weft_barrier(weft_calls *c, void *commands) {
	const uint32_t stages = stage_compute | stage_transfer;
	const uint32_t writes = access_shader_write | access_transfer_write;
	memory_barrier b = {type_memory_barrier, NULL, writes, writes | access_shader_read | access_transfer_read};
	c->barrier(commands, stages, stages, 0, 1, &b, 0, NULL, 0, NULL);
}

// weft_address_flags are the flags of memory whose buffers have addresses, for the chain of an allocation.
const void *weft_address_flags(void) {
	static const struct { int type; const void *next; uint32_t flags, mask; } flags = {type_allocate_flags, NULL, allocate_address, 0};
	return &flags;
}

uint64_t weft_address(weft_calls *c, void *device, uint64_t buffer) {
	address_info info = {type_address_info, NULL, buffer};
	return c->address(device, &info);
}

void weft_dispatch(weft_calls *c, const weft_dispatch_args *a) {
	if (a->update) {
		buffer_range ranges[weft_max_bindings + 1];
		for (uint32_t i = 0; i < a->count; i++) {
			buffer_range r = {a->buffers[i], a->offsets[i], a->ranges[i]};
			ranges[i] = r;
		}
		buffer_range u = {a->uniform, 0, (4 * (uint64_t)a->words + 15) / 16 * 16};
		ranges[a->count] = u;
		// One write runs on over consecutive bindings of one type.
		write_set writes[2];
		uint32_t n = 0;
		if (a->count > 0) {
			write_set w = {type_write_set, NULL, a->set, 0, 0, a->count, descriptor_storage, NULL, ranges, NULL};
			writes[n++] = w;
		}
		if (a->words > 0) {
			write_set w = {type_write_set, NULL, a->set, a->count, 0, 1, descriptor_uniform_dynamic, NULL, ranges + a->count, NULL};
			writes[n++] = w;
		}
		c->update_sets(a->device, n, writes, 0, NULL);
	}
	if (a->barrier) {
		weft_barrier(c, a->commands);
	}
	c->bind_pipeline(a->commands, bind_compute, a->pipeline);
	if (a->set != 0) {
		c->bind_sets(a->commands, bind_compute, a->layout, 0, 1, &a->set, a->words > 0, &a->offset);
	}
	c->dispatch(a->commands, a->x, a->y, a->z);
}

void weft_copy(weft_calls *c, void *commands, int barrier, uint64_t from, uint64_t to, uint64_t from_offset, uint64_t to_offset, uint64_t bytes, int to_host) {
	if (barrier) {
		weft_barrier(c, commands);
	}
	copy_region region = {from_offset, to_offset, bytes};
	c->copy(commands, from, to, 1, &region);
	if (to_host) {
		memory_barrier b = {type_memory_barrier, NULL, access_transfer_write, access_host_read};
		c->barrier(commands, stage_transfer, stage_host, 0, 1, &b, 0, NULL, 0, NULL);
	}
}

// weft_execute runs a secondary command buffer.
void weft_execute(weft_calls *c, void *commands, int barrier, void *secondary) {
	if (barrier) {
		weft_barrier(c, commands);
	}
	c->execute(commands, 1, &secondary);
}

int weft_submit(weft_calls *c, void *queue, void *commands, uint64_t fence) {
	submit_info info = {type_submit, NULL, 0, NULL, NULL, 1, &commands, 0, NULL};
	return c->submit(queue, 1, &info, fence);
}
