//go:build !js

package all

import (
	_ "github.com/weftgpu/weft/backend/cuda"
	_ "github.com/weftgpu/weft/backend/vulkan"
)
