package docs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/layout"
)

// threadColours are light enough for black text, and stand out on white and on black pages.
var threadColours = []string{"#9ecae9", "#ffbf79", "#88d27a", "#f2cf5b", "#ff9d98", "#d6a5c9", "#9bd6c9", "#d8b5a5"}

// picture draws who holds the elements of a matrix: a colour for each thread, the register in each cell.
func picture(l layout.Linear) string {
	const cell, gap, top = 52, 3, 30
	shape := l.Shape()
	places := need(l.Inverse())
	width, height := shape[1]*cell+gap+30, shape[0]*cell+gap+top
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="ui-monospace, Menlo, Consolas, monospace" text-anchor="middle">`+"\n",
		width, height, width, height)
	label := func(x, y int, text string) {
		fmt.Fprintf(&out, `<text x="%d" y="%d" font-size="13" fill="#808080">%s</text>`+"\n", x, y, text)
	}
	for c := range shape[1] {
		label(30+c*cell+cell/2, top-10, fmt.Sprint(c))
	}
	for r := range shape[0] {
		label(14, top+r*cell+cell/2+4, fmt.Sprint(r))
		for c := range shape[1] {
			at := places.Eval(r, c)
			x, y := 30+c*cell, top+r*cell
			fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%d" height="%d" rx="5" fill="%s"/>`+"\n", x, y, cell-gap, cell-gap, threadColours[at[1]%len(threadColours)])
			mid := x + (cell-gap)/2
			fmt.Fprintf(&out, `<text x="%d" y="%d" font-size="15" font-weight="bold" fill="#000">t%d</text>`+"\n", mid, y+22, at[1])
			fmt.Fprintf(&out, `<text x="%d" y="%d" font-size="12" fill="#333">r%d</text>`+"\n", mid, y+39, at[0])
		}
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// Pictures of layouts are drawn from the layouts.
func TestPictures(t *testing.T) {
	for path, l := range map[string]layout.Linear{
		"images/distribution.svg": layout.Blocked([]int{4, 8}, 8, []int{1, 0}, []int{1, 2}), // that of Example_distribution
	} {
		same(t, path, picture(l))
	}
}
