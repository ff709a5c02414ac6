package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// A kernel by shifts reads x in blocks, one for each position in the convolution's kernel, instead of computing where each element is: at one position
// all pixels of a block read pixels that are as far from each other, strides apart. So x is seen through a view for each phase: the rows, and the
// columns, that differ by multiples of the stride. Blocks begin anywhere in them, also before the first row, where they are zero.

// Shifts are the positions of a kernel along one dimension of images.
type Shifts struct{ Kernel, Stride, Dilation, Padding int }

// Phases are the distances of positions from the kernel's first one, modulo the stride.
func (s Shifts) Phases() (list []int) {
	for i := range s.Kernel {
		if p := i * s.Dilation % s.Stride; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// at is the phase of a position, by its number, and how many elements of it the position is after its begin.
func (s Shifts) at(position int) (phase, shift int) {
	distance := position * s.Dilation
	return slices.Index(s.Phases(), distance%s.Stride), distance / s.Stride
}

// View is the part of x that a phase has, by its first element in n, and how many elements of the phase are before that.
func (s Shifts) View(phase, n int) (first, before int) {
	before = max(CeilDiv(s.Padding-phase, s.Stride), 0)
	return min(phase-s.Padding+before*s.Stride, n), before
}

// Along are the kernel's positions along the rows' dimension and the columns', for paddings above and on the left.
func (cfg Conv2DConfig) Along(top, left int) [2]Shifts {
	return [2]Shifts{{cfg.Kernel[0], cfg.Stride[0], cfg.Dilation[0], top}, {cfg.Kernel[1], cfg.Stride[1], cfg.Dilation[1], left}}
}

// The most positions, whose loads are described one by one, and phases, which are views, of kernels by shifts.
const (
	maxShifts = 64
	maxPhases = 16
)

// byShifts reports whether a kernel may be by shifts.
func byShifts(kernel, stride, dilation [2]int) bool {
	along := Conv2DConfig{Kernel: kernel, Stride: stride, Dilation: dilation}.Along(0, 0)
	return kernel[0]*kernel[1] <= maxShifts && len(along[0].Phases())*len(along[1].Phases()) <= maxPhases
}

// checkShifts says why a kernel by shifts is refused that has its blocks in an order of memory and one element along a dimension.
func checkShifts(s Conv2DShape, b ImageBlock, memory [5]int, one int) error {
	switch {
	case !byShifts(s.Kernel, s.Stride, s.Dilation):
		return fmt.Errorf("shifts of a kernel of %v, stride %v, dilation %v, want at most %d positions in %d phases", s.Kernel, s.Stride, s.Dilation, maxShifts, maxPhases)
	case b.Memory != memory:
		return fmt.Errorf("blocks in the order %v, want %v", b.Memory, memory)
	case one >= 0 && b.Size[one] != 1:
		return fmt.Errorf("blocks of %v with %d along dimension %d, want 1", b.Size, b.Size[one], one)
	}
	return nil
}

// shifted is x by its phases, and where blocks of it begin.
type shifted struct {
	along  [2]Shifts
	views  [][]*tile.View   // by the phases of rows and of columns
	before [2][]*tile.Value // elements of a phase that are not in its view
}

// shifted declares x's views, of five dimensions.
func (cfg Conv2DConfig) shifted(k *tile.Builder) *shifted {
	s := &shifted{along: cfg.Along(0, 0)}
	for range s.along[0].Phases() {
		var row []*tile.View
		for range s.along[1].Phases() {
			row = append(row, k.In(numbered("x", len(s.views)*len(s.along[1].Phases())+len(row)), cfg.Elem, 5))
		}
		s.views = append(s.views, row)
	}
	return s
}

// declareScalars declares how many elements of each phase are before its view.
func (s *shifted) declareScalars(k *tile.Builder) {
	for d, name := range []string{"top", "left"} {
		for i := range s.along[d].Phases() {
			s.before[d] = append(s.before[d], k.Scalar(numbered(name, i), dtype.I32))
		}
	}
}

func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprint(name, i)
}

// start is where a block of x begins.
type start struct {
	view        *tile.View
	row, column *tile.Value
}

// starts are the views and the beginnings of blocks at all positions of the kernel, for the result's pixel at a row and a column.
func (s *shifted) starts(row, column *tile.Value) (list []start) {
	begin := func(d int, at *tile.Value) (phases []int, values []*tile.Value) {
		for i := range s.along[d].Kernel {
			phase, shift := s.along[d].at(i)
			v := at.Sub(s.before[d][phase])
			if shift > 0 {
				v = v.Add(shift)
			}
			phases, values = append(phases, phase), append(values, v)
		}
		return phases, values
	}
	rowPhases, rows := begin(0, row)
	columnPhases, columns := begin(1, column)
	for i, r := range rows {
		for j, c := range columns {
			list = append(list, start{s.views[rowPhases[i]][columnPhases[j]], r, c})
		}
	}
	return list
}

// describeConvShifts adds products to blocks of the result, of one filter in each group. The weights are [C/G,G,O/G,KH·KW,1], and
// all views but the bias have their dimensions in the order of Block.Memory.
func describeConvShifts(k *tile.Builder, cfg Conv2DConfig) {
	s := cfg.shifted(k)
	c := &conv{Conv2DConfig: cfg, k: k, weight: k.In("weight", cfg.Elem, 5)}
	if cfg.Bias {
		c.bias = k.In("bias", cfg.Elem, 2)
	}
	c.out = k.Out("out", cfg.Elem, 5)
	s.declareScalars(k)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	b := cfg.Block
	filters := b.Size[2]
	at := k.ProgramTile(c.out, b.shape()...)
	b.Size[2] = 1
	begin := func(d int) *tile.Value { return b.begin(k, at, d) }
	image, group, first := begin(0), begin(1), k.Int(filters).Mul(b.coordinate(at, 2))
	starts := s.starts(begin(3), begin(4))

	sums := make([]*tile.Var, filters)
	clear := func() {
		for f := range sums {
			sums[f] = k.Var(k.Zeros(c.wide(), b.shape()...))
		}
	}
	add := func(channel *tile.Value, weights [][]*tile.Value) {
		for i, at := range starts {
			x := at.view.Block(b.shape()...).LoadAt(b.ordered(image, group, channel, at.row, at.column)...).Cast(c.wide())
			for f := range sums {
				sums[f].Set(weights[f][i].Broadcast(b.shape()...).FMA(x, sums[f].Get()))
			}
		}
	}
	if cfg.Channels > 0 { // weights come before the rest, which is one loop
		var weights [][][]*tile.Value
		for channel := range cfg.Channels {
			weights = append(weights, c.weightsAt(b, group, first, k.Int(channel), len(starts)))
		}
		clear()
		for channel, w := range weights {
			add(k.Int(channel), w)
		}
	} else {
		clear()
		for channel := range k.Range(c.weight.Dim(slices.Index(b.Memory[:], 0))) {
			add(channel, c.weightsAt(b, group, first, channel, len(starts)))
		}
	}
	groups := b.index(k, at, 1)
	for f, sum := range sums {
		filter := first.Add(f)
		c.out.Block(b.shape()...).StoreAt(c.finish(sum.Get(), groups, filter), b.ordered(image, group, filter, begin(3), begin(4))...)
	}
}

// weightsAt are those of one channel for some filters, at all positions.
func (c *conv) weightsAt(b ImageBlock, group, filter, channel *tile.Value, positions int) [][]*tile.Value {
	b.Size = [5]int{1, b.Size[1], 1, 1, 1}
	list := make([][]*tile.Value, c.Block.Size[2])
	for f := range list {
		for i := range positions {
			w := c.weight.Block(b.shape()...).LoadAt(b.ordered(channel, group, filter.Add(f), c.k.Int(i), c.k.Int(0))...)
			list[f] = append(list[f], w.Cast(c.wide()))
		}
	}
	return list
}
