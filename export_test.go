package weft

// References returns a function that counts the references to a tensor's memory
// without holding the tensor.
func References(t *Tensor) func() int64 {
	m := t.mem
	return func() int64 { return m.refs.Load() }
}

// BuiltConfigs is how many configs of a kernel are kept.
func BuiltConfigs[C comparable](k *Kernel[C]) int { return k.built.Len() }
