//go:build !linux && !darwin && !windows

package native

func executable([]byte) ([]byte, error) { return nil, ErrNoCode }

func free([]byte) {}
