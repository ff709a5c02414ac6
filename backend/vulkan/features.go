//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
)

// feature is a flag of one of the structs of features.c, by its place in the standard's struct.
type feature struct {
	in, flag int
	name     string
}

// The features that kernels have a use for.
var (
	float64s    = feature{C.weft_core, 39, "shaderFloat64"}
	int64s      = feature{C.weft_core, 40, "shaderInt64"}
	int16s      = feature{C.weft_core, 41, "shaderInt16"}
	storage16   = feature{C.weft_storage_16bit, 0, "storageBuffer16BitAccess"}
	storage8    = feature{C.weft_storage_8bit, 0, "storageBuffer8BitAccess"}
	float16s    = feature{C.weft_float16_int8, 0, "shaderFloat16"}
	int8s       = feature{C.weft_float16_int8, 1, "shaderInt8"}
	groupTypes  = feature{C.weft_subgroup_types, 0, "shaderSubgroupExtendedTypes"}
	addresses   = feature{C.weft_addresses, 0, "bufferDeviceAddress"}
	memoryModel = feature{C.weft_memory_model, 0, "vulkanMemoryModel"}
	deviceScope = feature{C.weft_memory_model, 1, "vulkanMemoryModelDeviceScope"}
	sizeControl = feature{C.weft_size_control, 0, "subgroupSizeControl"}
	fullGroups  = feature{C.weft_size_control, 1, "computeFullSubgroups"}

	sharedLayout   = feature{C.weft_shared_layout, 0, "workgroupMemoryExplicitLayout"}
	sharedLayout8  = feature{C.weft_shared_layout, 2, "workgroupMemoryExplicitLayout8BitAccess"}
	sharedLayout16 = feature{C.weft_shared_layout, 3, "workgroupMemoryExplicitLayout16BitAccess"}
	atomicFloats   = feature{C.weft_atomic_float, 0, "shaderBufferFloat32Atomics"}
	atomicAdd      = feature{C.weft_atomic_float, 1, "shaderBufferFloat32AtomicAdd"}
	bfloat16s      = feature{C.weft_bfloat16, 0, "shaderBFloat16Type"}
	bfloat16Matrix = feature{C.weft_bfloat16, 2, "shaderBFloat16CooperativeMatrix"}
	cooperative    = feature{C.weft_cooperative, 0, "cooperativeMatrix"}

	// VK_NV_cooperative_matrix2.
	workgroupMatrix = feature{C.weft_cooperative2, 0, "cooperativeMatrixWorkgroupScope"}
	flexibleMatrix  = feature{C.weft_cooperative2, 1, "cooperativeMatrixFlexibleDimensions"}
	reductions      = feature{C.weft_cooperative2, 2, "cooperativeMatrixReductions"}
	conversions     = feature{C.weft_cooperative2, 3, "cooperativeMatrixConversions"}
	perElement      = feature{C.weft_cooperative2, 4, "cooperativeMatrixPerElementOperations"}
	tensors         = feature{C.weft_cooperative2, 5, "cooperativeMatrixTensorAddressing"}
	blockLoads      = feature{C.weft_cooperative2, 6, "cooperativeMatrixBlockLoads"}
)

var (
	// wgslFeatures are what kernels in WGSL use. That they are there is asked with more that they need, see physical.f16
	// and physical.subgroup.
	wgslF16       = []feature{storage16, float16s}
	wgslSubgroups = []feature{sizeControl, fullGroups}
	// spirvNeeds are what each kernel in SPIR-V may use, and spirvFeatures what one may use where it is there.
	spirvNeeds    = []feature{int16s, int8s, storage16, storage8, memoryModel, deviceScope}
	spirvFeatures = []feature{int64s, float64s, addresses, float16s, groupTypes, sizeControl, fullGroups, sharedLayout, sharedLayout8, sharedLayout16, atomicFloats, atomicAdd,
		bfloat16s, cooperative}
	// matrixFeatures are there for cooperative matrices alone.
	matrixFeatures = []feature{bfloat16Matrix, workgroupMatrix, flexibleMatrix, reductions, conversions, perElement, tensors, blockLoads}
)

// has reports whether the device has all of some features.
func (p *physical) has(list ...feature) bool {
	for _, f := range list {
		if p.facts.features[f.in]>>f.flag&1 == 0 {
			return false
		}
	}
	return true
}

// lacks says why the device takes no SPIR-V from the compiler; "" if it does.
func (p *physical) lacks() string {
	if v := p.properties.ApiVersion; v < version13 {
		return fmt.Sprintf("Vulkan 1.3 (it has %d.%d)", v>>22&0x7f, v>>12&0x3ff)
	}
	var list []string
	for _, f := range spirvNeeds {
		if !p.has(f) {
			list = append(list, f.name)
		}
	}
	return strings.Join(list, ", ")
}

const version13 = 1<<22 | 3<<12

// features are the flags to turn on for kernels in a language, by struct.
func (p *physical) features(language target.Language) (on [C.weft_feature_structs]C.uint64_t) {
	var list []feature
	if language == target.SPIRV {
		list = append(append(list, spirvNeeds...), spirvFeatures...)
		if p.has(cooperative) {
			list = append(list, matrixFeatures...)
		}
	} else {
		if p.f16() {
			list = append(list, wgslF16...)
		}
		if p.subgroup() != 0 {
			list = append(list, wgslSubgroups...)
		}
	}
	for _, f := range list {
		if p.has(f) {
			on[f.in] |= 1 << f.flag
		}
	}
	return on
}

// independenceNone says that floats of all sizes have one mode.
const independenceNone = 2

// f16 reports whether kernels may hold 16-bit floats, in storage buffers too, and round to the nearest, ties to even.
func (p *physical) f16() bool {
	return p.has(storage16, float16s) && p.facts.nearest[0] != 0 && p.facts.rounding_independence != independenceNone
}

// floatModes are the types whose modes a kernel can choose apart from those of others.
func (p *physical) floatModes() (nan, denormals, nearest target.Types) {
	f := &p.facts
	for i, e := range []dtype.Type{dtype.F16, dtype.F32, dtype.F64} {
		one := target.TypesOf(e)
		if f.preserve[i] != 0 {
			nan |= one
		}
		if f.denorm[i] != 0 && f.denorm_independence != independenceNone {
			denormals |= one
		}
		if f.nearest[i] != 0 && f.rounding_independence != independenceNone {
			nearest |= one
		}
	}
	return nan, denormals, nearest
}

const (
	stageCompute = 0x20 // VkShaderStageFlagBits
	shuffles     = 0x10 // VkSubgroupFeatureFlagBits
)

// settable reports whether pipelines have to ask for the size of subgroups: there are several.
func (p *physical) settable() bool {
	return p.facts.subgroup_min != p.facts.subgroup_max && p.facts.subgroup_settable&stageCompute != 0
}

// full is the threads of full subgroups that exchange registers, 0 if pipelines cannot insist on them.
func (p *physical) full() int {
	f := &p.facts
	if !p.has(sizeControl, fullGroups) || f.subgroup_stages&stageCompute == 0 || f.subgroup_operations&shuffles == 0 {
		return 0
	}
	if f.subgroup_min != f.subgroup_max && !p.settable() {
		return 0
	}
	return int(f.subgroup_size)
}

// digest is what a fingerprint says of the features that are on.
func (p *physical) digest(language target.Language) string {
	var b strings.Builder
	for i, flags := range p.features(language) {
		if flags != 0 {
			fmt.Fprintf(&b, " %d:%x", i, uint64(flags))
		}
	}
	return b.String()
}
