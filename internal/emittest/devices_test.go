package emittest

import (
	_ "github.com/weftgpu/weft/backend/vulkan"
	_ "github.com/weftgpu/weft/backend/webgpu"
)
