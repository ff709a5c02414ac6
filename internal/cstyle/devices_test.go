package cstyle_test

import (
	_ "github.com/weftgpu/weft/backend/vulkan"
	_ "github.com/weftgpu/weft/backend/webgpu"
)
