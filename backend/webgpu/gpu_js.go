//go:build js

package webgpu

import (
	"cmp"
	"errors"
	"sync"
	"syscall/js"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

const libraryVersion = "browser"

// gpuExtra is what a browser's device has beyond the common part.
type gpuExtra struct{ uncaptured *uncaptured }

// uncaptured keeps the first error that reached no caller.
type uncaptured struct {
	listener js.Func
	text     string
	lost     bool
}

// submission stands for all work so far: browsers tell no more.
type submission struct{}

// querySet does not exist: the binding has none for browsers, so that events
// take the host's time.
type querySet struct{}

func (querySet) Release() {}

// value is the JavaScript object inside a binding object, its only field.
func value[T any](object *T) js.Value { return *(*js.Value)(unsafe.Pointer(object)) }

// await blocks until a promise is settled.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 1)
	first := func(args []js.Value) js.Value {
		if len(args) == 0 {
			return js.Undefined()
		}
		return args[0]
	}
	resolve := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- outcome{value: first(args)}
		return nil
	})
	defer resolve.Release()
	reject := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- outcome{err: errors.New(js.Global().Get("String").Invoke(first(args)).String())}
		return nil
	})
	defer reject.Release()
	promise.Call("then", resolve, reject)
	o := <-done
	return o.value, o.err
}

// requestAdapter asks the browser for its adapter, which serves for one device.
func requestAdapter() (js.Value, error) {
	navigator := js.Global().Get("navigator")
	if !navigator.Truthy() || !navigator.Get("gpu").Truthy() {
		return js.Value{}, errors.New("this browser has no WebGPU")
	}
	a, err := await(navigator.Get("gpu").Call("requestAdapter", map[string]any{"powerPreference": "high-performance"}))
	if err == nil && !a.Truthy() {
		err = errors.New("the browser reports no adapter")
	}
	return a, err
}

// adapters asks the browser for its adapter; the error says why there is none.
var adapters = sync.OnceValues(func() ([]adapter, error) {
	a, err := requestAdapter()
	if err != nil {
		return nil, err
	}
	info := js.Global().Get("Object").New()
	if v := a.Get("info"); v.Truthy() {
		info = v
	}
	text := func(key string) string {
		if v := info.Get(key); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	kind := backend.GPU
	if info.Get("isFallbackAdapter").Truthy() || a.Get("isFallbackAdapter").Truthy() {
		kind = backend.Software
	}
	return []adapter{{
		Info: backend.Info{
			Backend: name, Kind: kind,
			Name:   cmp.Or(text("description"), text("device"), text("architecture"), text("vendor"), "adapter"),
			Driver: cmp.Or("browser, "+text("vendor")+" "+text("architecture"), "browser"),
		},
		open: openAdapter,
	}}, nil
})

// openAdapter opens a device with all that the adapter can do for compute.
func openAdapter() (*gpu, error) {
	a, err := requestAdapter()
	if err != nil {
		return nil, fault.New(fault.ErrDevice, name, "%v", err)
	}
	want := map[string]any{}
	for _, key := range []string{
		"maxBufferSize", "maxStorageBufferBindingSize", "maxStorageBuffersPerShaderStage",
		"maxComputeInvocationsPerWorkgroup", "maxComputeWorkgroupSizeX", "maxComputeWorkgroupStorageSize",
		"maxComputeWorkgroupsPerDimension", "minUniformBufferOffsetAlignment",
	} {
		want[key] = a.Get("limits").Get(key)
	}
	features := []any{}
	f16 := a.Get("features").Call("has", "shader-f16").Truthy()
	if f16 {
		features = append(features, "shader-f16")
	}
	v, err := await(a.Call("requestDevice", map[string]any{"requiredLimits": want, "requiredFeatures": features}))
	if err != nil {
		return nil, fault.New(fault.ErrDevice, name, "the adapter returned no device").Because(err)
	}
	u := &uncaptured{}
	u.listener = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if u.text == "" {
			u.text = args[0].Get("error").Get("message").String()
		}
		args[0].Call("preventDefault") // the browser would print it
		return nil
	})
	v.Call("addEventListener", "uncapturederror", u.listener)
	go u.watch(v)
	device := wgpu.NewDevice(v)
	limit := func(key string) int { return v.Get("limits").Get(key).Int() }
	return &gpu{
		device: &device,
		queue:  device.GetQueue(),
		limits: limits{
			buffer: int64(limit("maxBufferSize")), binding: int64(limit("maxStorageBufferBindingSize")),
			uniform:  int64(limit("maxUniformBufferBindingSize")),
			threads:  min(limit("maxComputeInvocationsPerWorkgroup"), limit("maxComputeWorkgroupSizeX")),
			shared:   limit("maxComputeWorkgroupStorageSize"),
			bindings: limit("maxStorageBuffersPerShaderStage"), groups: limit("maxComputeWorkgroupsPerDimension"),
			uniformAlignment: limit("minUniformBufferOffsetAlignment"),
			f16:              f16,
			kind:             target.Integrated, // browsers do not tell
		},
		gpuExtra: gpuExtra{u},
	}, nil
}

// watch waits until the device is lost or destroyed.
func (u *uncaptured) watch(device js.Value) {
	info, err := await(device.Get("lost"))
	if err == nil && info.Get("reason").String() != "destroyed" {
		u.text, u.lost = cmp.Or(info.Get("message").String(), "device lost"), true
	}
}

func (g *gpu) release() {
	v := value(g.device)
	v.Call("removeEventListener", "uncapturederror", g.uncaptured.listener)
	v.Call("destroy")
	g.uncaptured.listener.Release()
}

// takeError returns the first error that reached no caller.
func (g *gpu) takeError() (err error, lost bool) {
	u := g.uncaptured
	if u.text == "" {
		return nil, false
	}
	err = errors.New(u.text)
	u.text = ""
	return err, u.lost
}

// checked runs make and returns what the browser says against it, since the
// binding's own functions report nothing there.
func (g *gpu) checked(make func() error) error {
	v := value(g.device)
	scopes := []string{"out-of-memory", "validation"}
	for _, s := range scopes {
		v.Call("pushErrorScope", s)
	}
	err := make()
	for i := len(scopes) - 1; i >= 0; i-- {
		problem, failed := await(v.Call("popErrorScope"))
		switch {
		case err != nil:
		case failed != nil:
			err = failed
		case problem.Truthy() && scopes[i] == "out-of-memory":
			err = errors.New("out of memory: " + problem.Get("message").String())
		case problem.Truthy():
			err = errors.New(problem.Get("message").String())
		}
	}
	return err
}

func endPass(p *wgpu.ComputePassEncoder) error {
	p.End()
	return nil
}

func (g *gpu) submit(c *wgpu.CommandBuffer) submission {
	g.queue.Submit(c)
	return submission{}
}

// write copies data, a positive multiple of 4 bytes long, to an offset that is one.
func (g *gpu) write(b rawBuffer, offset int64, data []byte) error {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	value(g.queue).Call("writeBuffer", value(b), offset, array)
	return nil
}

// flushWrites does nothing: browsers start writes themselves.
func (g *gpu) flushWrites() submission { return submission{} }

// wait blocks until the device has finished everything submitted.
func (g *gpu) wait(submission) {
	// A device that is lost rejects the promise; takeError tells.
	_, _ = await(value(g.queue).Call("onSubmittedWorkDone"))
}

// read passes the first n bytes of a staging buffer to use.
func (g *gpu) read(b rawBuffer, n int, use func([]byte)) error {
	v := value(b)
	if _, err := await(v.Call("mapAsync", uint32(wgpu.MapModeRead), 0, n)); err != nil {
		return err
	}
	data := make([]byte, n)
	js.CopyBytesToGo(data, js.Global().Get("Uint8Array").New(v.Call("getMappedRange", 0, n)))
	v.Call("unmap")
	use(data)
	return nil
}

var errNoTimestamps = fault.New(fault.ErrUnsupported, name, "timestamps are not available in browsers")

func (g *gpu) newQuerySet(int) (querySet, error) { return querySet{}, errNoTimestamps }

func (b *batch) timestamp(querySet, int) error { return errNoTimestamps }

func (b *batch) resolve(querySet, int, rawBuffer, int64) error { return errNoTimestamps }
