module github.com/weftgpu/weft/gomlx

go 1.26.0

require (
	github.com/gomlx/gomlx v0.26.0
	github.com/pkg/errors v0.9.1
	github.com/weftgpu/weft v0.0.0
	github.com/x448/float16 v0.8.4
)

require (
	github.com/cogentcore/webgpu v0.23.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/go-logr/logr v1.4.3 // indirect
	github.com/gogpu/naga v0.19.0 // indirect
	github.com/goki/vulkan v1.0.8 // indirect
	golang.org/x/exp v0.0.0-20250819193227-8b4c13bb791b // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
	k8s.io/klog/v2 v2.130.1 // indirect
)

replace github.com/weftgpu/weft => ../
