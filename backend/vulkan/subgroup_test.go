//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import "testing"

func TestZZ(t *testing.T) {
	d := openDevice(t)
	t.Logf("%+v", d.Caps())
	t.Logf("%+v", d.(*device).phys.facts)
}
