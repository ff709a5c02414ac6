package amd64

// Tiles are registers of AMX: up to 16 rows of 64 bytes each (volume 1, chapter 18).

// Tile is one of the eight, by its number.
type Tile uint8

var (
	tileConfig  = Inst{none, m0F38, 0x49, false} // also tileRelease, of registers
	tileLoad    = Inst{pF2, m0F38, 0x4b, false}
	tileStore   = Inst{pF3, m0F38, 0x4b, false}
	tileBFloats = Inst{pF3, m0F38, 0x5c, false}
)

// ConfigureTiles sets how many rows tiles have, of how many bytes, from 64 bytes in memory.
func (a *Asm) ConfigureTiles(m Mem) { a.vector(tileConfig, bits128, 0, 0, mem(m), 0) }

// ReleaseTiles ends their use.
func (a *Asm) ReleaseTiles() { a.vector(tileConfig, bits128, 0, 0, operand{}, 0) }

// LoadTile and StoreTile move rows whose distance in bytes is the memory's index, of scale 1.
func (a *Asm) LoadTile(d Tile, m Mem)  { a.vector(tileLoad, bits128, uint8(d), 0, mem(m), 0) }
func (a *Asm) StoreTile(m Mem, x Tile) { a.vector(tileStore, bits128, uint8(x), 0, mem(m), 0) }

// AddBFloatTiles adds to sum the product of tiles of pairs of BF16: of rows of x and of columns of y.
func (a *Asm) AddBFloatTiles(sum, x, y Tile) {
	a.vector(tileBFloats, bits128, uint8(sum), uint8(y), operand{reg: uint8(x)}, 0)
}
