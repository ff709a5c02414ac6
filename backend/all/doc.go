// Package all links every backend that this platform can have. A program
// imports it for its effect:
//
//	import _ "github.com/weftgpu/weft/backend/all"
//
// Browsers get cpu and webgpu; everything else gets cuda and vulkan besides.
// What a build or a machine lacks, such as cgo or a driver, is no reason to leave
// a backend out: it lists a candidate that says what is missing.
package all

import (
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/backend/webgpu"
)
