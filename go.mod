module github.com/weftgpu/weft

go 1.26

require (
	github.com/campoy/embedmd v1.0.0 // indirect
	github.com/cogentcore/webgpu v0.23.0 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/gogpu/naga v0.19.0 // indirect
	github.com/goki/vulkan v1.0.8 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/nlpodyssey/gopickle v0.3.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/sbinet/npyio v0.9.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/sync v0.12.0 // indirect
	golang.org/x/text v0.23.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
	pgregory.net/rapid v1.2.0 // indirect
)
