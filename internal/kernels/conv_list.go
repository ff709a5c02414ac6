package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// List has the algorithms that a shape has, each with other tiles.
func (p ConvProblem) List(caps target.Caps) []Conv2DConfig {
	s, choice := p.Shape, p.Rule(caps)
	list := []Conv2DConfig{choice}
	product := s.AsProduct(caps, p.Elem)
	for _, a := range []ConvAlgorithm{ConvDirect, ConvIm2Col, ConvImplicit} {
		if a == ConvIm2Col && s.Volume.Is() {
			continue
		}
		cfg := choice
		cfg.Algorithm = a
		cfg.Size(caps, s, product)
		if cfg != choice {
			list = append(list, cfg)
		}
		switch a {
		case ConvDirect:
			for _, other := range p.direct(caps, cfg) {
				list = appendNew(list, other)
			}
		case ConvImplicit:
			for _, other := range p.implicit(caps, cfg, product) {
				if other != choice {
					list = append(list, other)
				}
			}
		}
	}
	return list
}

// direct are other configs of ConvDirect: blocks of other areas by shifts, and windows and loops in place of them.
func (p ConvProblem) direct(caps target.Caps, cfg Conv2DConfig) (list []Conv2DConfig) {
	s := p.Shape
	if cfg.Shifts {
		for _, area := range []int{1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15} {
			cfg.shiftBlock(s, area)
			list = append(list, cfg)
		}
		cfg.Transposed = !cfg.Transposed
		cfg.shiftBlock(s, 1<<13)
		list = append(list, cfg)
		cfg.Shifts, cfg.Transposed, cfg.Channels = false, false, 0
		cfg.sizeDirect(caps, s)
		list = append(list, cfg)
	}
	if !caps.WholeTiles && !s.Volume.Is() {
		list = append(list, cfg.directConfigs(caps, s)...)
	}
	return list
}

// implicit are other configs of ConvImplicit: with tiles as products of that size have them, and with x copied or not.
func (p ConvProblem) implicit(caps target.Caps, cfg Conv2DConfig, product MatMulConfig) (list []Conv2DConfig) {
	s := p.Shape
	if s.GroupFilters() <= MaxRowByRow {
		return nil
	}
	cfg.Parts = 0
	if other := cfg; product.IsMatrix(caps) && s.scattered(p.Elem) {
		other.repack(s, !cfg.Repacked)
		list = append(list, other)
	}
	tiles := matMulTiles(caps, weft.F32, s.GroupFilters(), s.Pixels(), s.Terms())
	if product.IsMatrix(caps) {
		caps.TensorMaps = false // which copy views and no windows of images
		tiles = product.matrixTiles(caps, 1, s.GroupFilters(), s.Pixels(), s.Terms())
	}
	for _, t := range tiles {
		if t.RowByRow {
			continue
		}
		cfg.setTiles(t)
		cfg.PixelsFirst = s.ChannelsLast && !cfg.wideAcross(caps)
		cfg.fitChannels(s)
		most, parts := 0, []int{0}
		if caps.WarpGroups && product.IsMatrix(caps) && t.Stages > 2 {
			most = 2
		}
		if !caps.WholeTiles {
			parts = append(parts, cfg.partsToTry(caps, s)...)
		}
		for _, cfg.Parts = range parts {
			for cfg.InFlight = range most + 1 {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// Fit sets what follows from a shape.
func (cfg *Conv2DConfig) Fit(s Conv2DShape) {
	if cfg.Algorithm == ConvImplicit {
		cfg.repack(s, cfg.Repacked)
	}
	if cfg.ByChannels {
		cfg.Repacked = s.scattered(cfg.Elem)
		cfg.BP, cfg.BK = max(cfg.BP, cfg.ThreadColumns), max(cfg.BK, vectorOf(cfg.Elem))
		return
	}
	if cfg.ThreadRows > 1 {
		cfg.ThreadRows = cfg.Block.Size[3]
	}
	if cfg.Block.Size[4] < cfg.lanes() {
		cfg.ThreadColumns, cfg.Lead = 0, 0
	}
}

func (p ConvProblem) Legal(caps target.Caps, cfg Conv2DConfig) error {
	s := p.Shape
	if cfg.Elem != p.Elem || cfg.Kernel != s.Kernel || cfg.Stride != s.Stride || cfg.Dilation != s.Dilation || cfg.Depth != s.Volume.ConvDepth || cfg.Bias || cfg.Steps[0] != nil {
		return fmt.Errorf("the config is for %v, a kernel of %v, stride %v, dilation %v", cfg.Elem, cfg.Kernel, cfg.Stride, cfg.Dilation)
	}
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	switch cfg.Algorithm {
	case ConvIm2Col:
		if s.Volume.Is() {
			return fmt.Errorf("volumes have no columns")
		}
		return nil
	case ConvImplicit:
		tiles := MatMulConfig{Elem: cfg.Elem, Precision: cfg.precision(), BM: cfg.BO, BN: cfg.BP, BK: cfg.BK, Threads: cfg.Threads, Stages: cfg.Stages}
		switch {
		case cfg.PixelsFirst && !s.ChannelsLast:
			return fmt.Errorf("the config is for another order of the dimensions")
		case cfg.Repacked && !s.scattered(cfg.Elem):
			return fmt.Errorf("channels are neighbours without a copy")
		case cfg.Parts < 0 || cfg.Parts > MostConvParts:
			return fmt.Errorf("%d parts, want 0 to %d", cfg.Parts, MostConvParts)
		case cfg.InFlight < 0 || cfg.InFlight > 2:
			return fmt.Errorf("%d steps of outstanding products, want 0 to 2", cfg.InFlight)
		}
		return tiles.Legal(caps, cfg.BO)
	case ConvDirect:
		if s.Volume.Is() && (cfg.Shifts || cfg.ThreadRows > 0 || cfg.ByChannels) {
			return fmt.Errorf("volumes are for loops alone")
		}
		if cfg.Shifts {
			if err := cfg.legalShifts(s); err != nil {
				return err
			}
		}
		if cfg.ThreadRows > 0 {
			if err := cfg.legalWindow(s); err != nil {
				return err
			}
		}
		if cfg.ByChannels {
			return cfg.legalChannels(s)
		}
		return cfg.Block.Legal(caps, cfg.Threads)
	}
	return fmt.Errorf("%v is not an algorithm", cfg.Algorithm)
}
