package simt

func (p *parser) parseKernel() {
	k := p.kernel
	p.skipLines()
	p.expect("workgroup")
	k.Name = p.name("a name")
	p.expect("threads")
	p.expect("=")
	k.Threads = p.integer()
	if p.option("producers") {
		k.Producers = p.integer()
	}
	if p.option("consumers") {
		k.Consumers = p.integer()
	}
	if p.option("cluster") {
		k.Cluster = p.integer()
	}
	if p.option("resident") {
		k.Resident = p.integer()
	}
	k.DeviceAddresses = p.accept("addresses")
	if p.option("registers") {
		k.Registers.Producer = p.integer()
		p.expect(",")
		k.Registers.Consumer = p.integer()
	}
	p.expect("{")
	p.endLine()
	for p.skipLines(); p.declaration(); p.skipLines() {
	}
	k.Body = p.block(nil)
	p.endLine()
	p.skipLines()
	if t := p.peek(); t.kind != theEnd {
		t.fail("want the end, found %v", t)
	}
}

// declared reads "as u32x4 atomic", if that follows.
func (p *parser) declared() (d Declaration) {
	if p.accept("as") {
		d.Type, d.Atomic = p.registerType(), p.accept("atomic")
	}
	return d
}

// declaration reads a buffer, a word or a shared array, each with its number.
func (p *parser) declaration() bool {
	k := p.kernel
	count := func(n int) {
		if i := p.integer(); i != n {
			p.failBack("number %d, want %d", i, n)
		}
	}
	switch {
	case p.accept("buffer"):
		count(len(k.Buffers))
		b := &Buffer{Name: p.name("a name")}
		p.expect(":")
		b.Elem = p.elem()
		b.Read, b.Write, b.Streamed = p.accept("read"), p.accept("write"), p.accept("streamed")
		b.Declared = p.declared()
		k.Buffers = append(k.Buffers, b)
	case p.accept("map"):
		count(len(k.Maps))
		k.Maps = append(k.Maps, p.tensorMap())
	case p.accept("cooperative"):
		count(len(k.Cooperative))
		name := p.name("a name")
		p.expect(":")
		k.Cooperative = append(k.Cooperative, p.cooperative(name))
	case p.accept("word"):
		count(len(k.Words))
		w := Word{Name: p.name("a name")}
		p.expect(":")
		w.Elem = p.elem()
		w.Size = p.accept("size")
		k.Words = append(k.Words, w)
	case p.accept("shared"):
		count(len(k.Shared))
		s := &Shared{Name: p.name("a name")}
		p.expect(":")
		s.Elem = p.elem()
		p.expect("[")
		s.Len = p.integer()
		p.expect("]")
		if p.option("stages") {
			s.Stages = p.integer()
		}
		s.Late = p.accept("late")
		if p.option("arrivals") {
			s.Arrivals = p.integer()
		}
		s.Declared = p.declared()
		k.Shared = append(k.Shared, s)
		s.Line, s.Note = remark(p.endLine())
		return true
	default:
		return false
	}
	p.endLine()
	return true
}

func (p *parser) tensorMap() *TensorMap {
	m := &TensorMap{Name: p.name("a name")}
	p.expect(":")
	m.Buffer = memory(p, p.kernel.Buffers, bufferName)
	p.expect("of")
	p.expect("view")
	m.View = p.integer()
	p.expect("dims")
	m.Dims = p.integers()
	p.expect("box")
	m.Box = p.integers()
	return m
}
