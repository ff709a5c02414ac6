package docs_test

import (
	"testing"
)

func texts(t *testing.T) map[string]string { return nil }
