module github.com/weftgpu/weft

go 1.26

require (
	github.com/cogentcore/webgpu v0.23.0
	github.com/ebitengine/purego v0.11.3
	github.com/gogpu/naga v0.19.0
	github.com/goki/vulkan v1.0.8
	github.com/google/go-cmp v0.7.0
	github.com/sbinet/npyio v0.9.0
	github.com/x448/float16 v0.8.4
	gonum.org/v1/gonum v0.17.0
	pgregory.net/rapid v1.2.0
)

require (
	github.com/nlpodyssey/gopickle v0.3.0 // indirect
	golang.org/x/text v0.23.0 // indirect
)
