package gemm

import (
	"sync/atomic"
	"unsafe"

	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
)

// A kernel of tiles adds a @ b to a tile of c by AMX: of up to two tiles of 16 rows and two of 16 columns, for a whose rows are pairs of BF16, and rows of pairs of b. Each step
// multiplies 16 pairs along k.

const (
	tileRows    = 16 // of a tile, and words of a row
	tilesPerDim = 2
)

// tileKernels has them by their tiles of rows and of columns.
var tileKernels [tilesPerDim + 1][tilesPerDim + 1]atomic.Pointer[native.Function]

// The words of their frames are those of other micro-kernels, and the first lanes' one is the address of the tiles' configuration.

func tileKernel(rows, columns int) *native.Function {
	at := &tileKernels[rows][columns]
	f := at.Load()
	if f == nil {
		var err error
		if f, err = native.NewFunction(generateTiles(rows, columns)); err != nil {
			return nil
		}
		at.Store(f)
	}
	return f
}

// The numbers of tiles: of sums, then of a and of b.
func sumTile(row, column int) amd64.Tile { return amd64.Tile(tilesPerDim*row + column) }
func aTile(row int) amd64.Tile           { return amd64.Tile(4 + row) }
func bTile(column int) amd64.Tile        { return amd64.Tile(6 + column) }

func generateTiles(rows, columns int) []byte {
	const rowBytes = 4 * tileRows
	g := assembler{Asm: amd64.Asm{Wide: true}}
	load := func(d amd64.Reg, word int) { g.MovLoad(d, g.word(word)) }
	at := func(base, step amd64.Reg, disp int) amd64.Mem {
		return amd64.Mem{Base: base, Index: step, Scale: 1, Disp: int32(disp)}
	}
	// second makes a register lead to the second tile of rows.
	second := func(d, first, step amd64.Reg) {
		if g.MovReg(d, step); rows > 1 {
			for range 4 {
				g.Add(d, d)
			}
			g.Add(d, first)
		}
	}
	load(amd64.RBX, framePart)
	g.ConfigureTiles(amd64.Mem{Base: amd64.RBX})
	load(count, frameK)
	load(bases[0], frameA)
	load(aRow, frameARow)
	second(bases[1], bases[0], aRow)
	load(atB, frameB)
	load(bStep, frameBStep)
	load(bases[2], frameC)
	load(aTriple, frameCRow)
	second(bases[3], bases[2], aTriple)
	g.MovReg(bAdvance, bStep)
	for range 4 {
		g.Add(bAdvance, bAdvance)
	}
	sums := func(each func(t amd64.Tile, m amd64.Mem)) {
		for r := range rows {
			for c := range columns {
				each(sumTile(r, c), at(bases[2+r], aTriple, c*rowBytes))
			}
		}
	}
	sums(g.LoadTile)
	g.loop(1, func(int) {
		for c := range columns {
			g.LoadTile(bTile(c), at(atB, bStep, c*rowBytes))
		}
		for r := range rows {
			g.LoadTile(aTile(r), at(bases[r], aRow, 0))
			for c := range columns {
				g.AddBFloatTiles(sumTile(r, c), aTile(r), bTile(c))
			}
		}
	}, func(int) {
		for r := range rows {
			g.AddConst(bases[r], rowBytes)
		}
		g.Add(atB, bAdvance)
	})
	sums(func(t amd64.Tile, m amd64.Mem) { g.StoreTile(m, t) })
	g.ReleaseTiles()
	g.Return()
	return g.Code()
}

// tileSizes is the configuration of a kernel's tiles.
type tileSizes [64]byte

func (t *tileSizes) set(n amd64.Tile, rows, words int) {
	t[16+2*n], t[48+n] = byte(4*words), byte(rows)
}

// configure sets the tiles for so many rows and columns of c.
func (t *tileSizes) configure(m, n int) {
	t[0] = 1 // the only palette
	for r := range tilesPerDim {
		rows := min(max(m-tileRows*r, 1), tileRows)
		t.set(aTile(r), rows, tileRows)
		for c := range tilesPerDim {
			columns := min(max(n-tileRows*c, 1), tileRows)
			t.set(sumTile(r, c), rows, columns)
			t.set(bTile(c), tileRows, columns)
		}
	}
}

// addTiles multiplies steps of 16 pairs along k, and reports whether there are kernels for it.
func (w *Multiplier) addTiles(m, n, steps int, a, b Matrix, c unsafe.Pointer, ldc int) bool {
	f := &w.frame
	f[frameK], f[frameARow], f[frameBStep], f[frameCRow] = uint64(steps), uint64(a.Row), uint64(b.Row), uint64(4*ldc)
	f[framePart] = address(unsafe.Pointer(&w.tiles))
	const side = tilesPerDim * tileRows
	for col := 0; col < n; col += side {
		for row := 0; row < m; row += side {
			rows, columns := min(side, m-row), min(side, n-col)
			kernel := tileKernel((rows+tileRows-1)/tileRows, (columns+tileRows-1)/tileRows)
			if kernel == nil {
				return false
			}
			w.tiles.configure(rows, columns)
			f[frameA] = address(unsafe.Add(a.At, row*a.Row))
			f[frameB] = address(unsafe.Add(b.At, 4*col))
			f[frameC] = address(unsafe.Add(c, 4*(row*ldc+col)))
			kernel.Call(&f[0])
		}
	}
	return true
}
