package weft

import "github.com/weftgpu/weft/backend"

type capture struct{}

func (d *Device) capturing() *capture { return nil }

func (c *capture) keep([]*memory) {}

func (c *capture) Launch(backend.Program, backend.Launch) error { return nil }
