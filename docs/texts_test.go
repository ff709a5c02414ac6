package docs_test

import (
	"maps"
	"testing"
)

// texts are the blocks that are generated: what the compiler makes of a kernel.
func texts(t *testing.T) map[string]string {
	all := loweringTexts(t)
	maps.Copy(all, productTexts(t))
	maps.Copy(all, kernelTexts(t))
	maps.Copy(all, machineTexts(t))
	return all
}
