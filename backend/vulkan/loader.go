//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"errors"
	"strings"
	"sync"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/setting"
)

// ValidationEnv turns on the Khronos validation layer if it is "1" at the
// first use of the package.
const ValidationEnv = "WEFT_VULKAN_VALIDATION"

var validation = setting.New(ValidationEnv, "0", "1")

// The binding hands out-parameters to C as unsafe pointers, of which cgo checks
// the whole Go object around them. So every out-parameter in this package is a
// local variable, not a field of a struct that holds Go pointers.

// loader is the process's one Vulkan instance. It is made at the first use and
// lives as long as the process: the binding keeps its function pointers in
// globals, so a second instance would gain nothing.
var loader struct {
	once       sync.Once
	err        error
	getProc    unsafe.Pointer // vkGetInstanceProcAddr
	instance   vk.Instance
	validating bool
}

// load makes the instance, or says why there is none.
func load() error {
	loader.once.Do(func() { loader.err = loadOnce() })
	return loader.err
}

func loadOnce() error {
	var failures []error
	for _, name := range libraryNames() {
		addr, err := symbol(name, "vkGetInstanceProcAddr")
		if err == nil {
			loader.getProc = *(*unsafe.Pointer)(unsafe.Pointer(&addr))
			return makeInstance()
		}
		failures = append(failures, err)
	}
	return fault.New(fault.ErrUnsupported, "vulkan", "no Vulkan loader was found").Because(errors.Join(failures...))
}

func makeInstance() error {
	vk.SetGetInstanceProcAddr(loader.getProc)
	if err := vk.Init(); err != nil {
		return fault.New(fault.ErrUnsupported, "vulkan", "the Vulkan loader could not be started").Because(err)
	}
	loader.validating = validation.Value() == "1"
	var validate C.int
	if loader.validating {
		validate = 1
	}
	var instance unsafe.Pointer
	switch r := vk.Result(C.weft_instance(loader.getProc, validate, &instance)); r {
	case vk.Success:
	case vk.ErrorIncompatibleDriver:
		return fault.New(fault.ErrUnsupported, "vulkan", "no Vulkan driver (ICD) is installed")
	case vk.ErrorLayerNotPresent, vk.ErrorExtensionNotPresent:
		return fault.New(fault.ErrUnsupported, "vulkan", "%s asks for VK_LAYER_KHRONOS_validation, which is not installed", ValidationEnv)
	default:
		return failure("vkCreateInstance", r)
	}
	loader.instance = *(*vk.Instance)(unsafe.Pointer(&instance))
	if err := vk.InitInstance(loader.instance); err != nil {
		return fault.New(fault.ErrUnsupported, "vulkan", "the functions of the Vulkan instance could not be loaded").Because(err)
	}
	if loader.validating {
		return failure("vkCreateDebugReportCallbackEXT", vk.Result(C.weft_watch(loader.getProc, instance)))
	}
	return nil
}

// complaints returns the validation layer's messages since the last call as
// an error. The layer serves the whole process, so the messages may stem from
// any device of it.
func complaints() error {
	if !loader.validating {
		return nil
	}
	text := make([]byte, 1<<16)
	n := C.weft_messages((*C.char)(unsafe.Pointer(&text[0])), C.int(len(text)))
	if n == 0 {
		return nil
	}
	said := strings.TrimSpace(string(text[:n]))
	logging.Logger().Warn("Vulkan validation", "message", said)
	return fault.New(fault.ErrUnsupported, "vulkan", "validation: %s", said)
}

// failure turns a result into an error of weft; nil for success.
func failure(call string, r vk.Result) error {
	kind := fault.ErrUnsupported
	switch r {
	case vk.Success:
		return nil
	case vk.ErrorOutOfHostMemory, vk.ErrorOutOfDeviceMemory, vk.ErrorTooManyObjects, vk.ErrorMemoryMapFailed:
		kind = fault.ErrOutOfMemory
	case vk.ErrorDeviceLost:
		kind = fault.ErrDeviceLost
	}
	return fault.New(kind, "vulkan: "+call, "the driver returned result %d", int(r)).Because(vk.Error(r))
}
