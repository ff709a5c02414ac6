package tilepass

import (
	"testing"

	"github.com/weftgpu/weft/internal/lower/pass"
)

func TestTilePassOrder(t *testing.T) {
	var names []string
	for _, p := range passes {
		names = append(names, p.name)
	}
	for _, o := range pass.Broken(names, order) {
		t.Errorf("%s does not run after %s: %s", o.After, o.Before, o.Why)
	}
}
