package weft_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/testenv"
)

// What NumPy 2.4 prints of the same arrays; nil stands for 0, 1, 2, …
var printed = []struct {
	elem  weft.DType
	shape []int
	x     []float64
	want  string
}{
	{weft.F32, []int{2, 2}, []float64{1.0, 2.5, -3.0, 10000000000.0}, `[[ 1.0e+00  2.5e+00]
 [-3.0e+00  1.0e+10]]`},
	{weft.F32, []int{3}, []float64{math.NaN(), 1.0, math.Inf(-1)}, `[ nan   1. -inf]`},
	{weft.F32, []int{0, 3}, []float64{}, `[]`},
	{weft.F32, []int{}, []float64{3.5}, `3.5`},
	{weft.F32, []int{}, []float64{3.0}, `3.0`},
	{weft.I32, []int{2, 3, 4}, []float64{0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0}, `[[[ 0  1  2  3]
  [ 4  5  6  7]
  [ 8  9 10 11]]

 [[12 13 14 15]
  [16 17 18 19]
  [20 21 22 23]]]`},
	{weft.F32, []int{30}, []float64{0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0}, `[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.
 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29.]`},
	{weft.Bool, []int{3}, []float64{1.0, 0.0, 1.0}, `[ True False  True]`},
	{weft.F32, []int{2}, []float64{1e-05, 1.0}, `[1.e-05 1.e+00]`},
	{weft.F32, []int{3}, []float64{0.1, 0.25, 0.3333333333333333}, `[0.1        0.25       0.33333334]`},
	{weft.F16, []int{4}, []float64{0.1, 0.3333333333333333, 65504.0, 2.0}, `[9.998e-02 3.333e-01 6.550e+04 2.000e+00]`},
	{weft.F32, []int{4}, []float64{0.001, 1.0, 1.5, 0.0}, `[1.0e-03 1.0e+00 1.5e+00 0.0e+00]`},
	{weft.U8, []int{2, 2}, []float64{1.0, 200.0, 30.0, 4.0}, `[[  1 200]
 [ 30   4]]`},
	{weft.I64, []int{2}, []float64{-5.0, 1099511627776.0}, `[           -5 1099511627776]`},
	{weft.F32, []int{2, 1, 2}, []float64{1.0, 2.0, 3.0, 4.0}, `[[[1. 2.]]

 [[3. 4.]]]`},
	{weft.F32, []int{6}, []float64{1.25e-07, 300000.0, math.Inf(1), math.NaN(), 0.0, -1.0}, `[ 1.25e-07  3.00e+05       inf       nan  0.00e+00 -1.00e+00]`},
	{weft.F32, []int{5}, []float64{1234.5678, 0.001, 7.0, -12.0, 123456.0}, `[ 1.2345677e+03  1.0000000e-03  7.0000000e+00 -1.2000000e+01
  1.2345600e+05]`},
	{weft.F32, []int{1, 20}, []float64{0.0, 0.14285714285714285, 0.2857142857142857, 0.42857142857142855, 0.5714285714285714, 0.7142857142857143, 0.8571428571428571, 1.0, 1.1428571428571428, 1.2857142857142858, 1.4285714285714286, 1.5714285714285714, 1.7142857142857142, 1.8571428571428572, 2.0, 2.142857142857143, 2.2857142857142856, 2.4285714285714284, 2.5714285714285716, 2.7142857142857144}, `[[0.         0.14285715 0.2857143  0.42857143 0.5714286  0.71428573
  0.85714287 1.         1.1428572  1.2857143  1.4285715  1.5714285
  1.7142857  1.8571428  2.         2.142857   2.2857144  2.4285715
  2.5714285  2.7142856 ]]`},
	{weft.I8, []int{2, 1, 1, 2}, []float64{1.0, -128.0, 3.0, 4.0}, `[[[[   1 -128]]]


 [[[   3    4]]]]`},
	{weft.F32, []int{2}, []float64{0.0, math.Copysign(0, -1)}, `[ 0. -0.]`},
	{weft.F32, []int{2}, []float64{100000000.0, 1.0}, `[1.e+08 1.e+00]`},
	{weft.F16, []int{2}, []float64{1e-05, 1.0}, `[1.e-05 1.e+00]`},
	{weft.I32, []int{20, 100}, nil, `[[   0    1    2 ...   97   98   99]
 [ 100  101  102 ...  197  198  199]
 [ 200  201  202 ...  297  298  299]
 ...
 [1700 1701 1702 ... 1797 1798 1799]
 [1800 1801 1802 ... 1897 1898 1899]
 [1900 1901 1902 ... 1997 1998 1999]]`},
	{weft.F32, []int{1001}, nil, `[   0.    1.    2. ...  998.  999. 1000.]`},
	{weft.F32, []int{4, 300}, nil, `[[0.000e+00 1.000e+00 2.000e+00 ... 2.970e+02 2.980e+02 2.990e+02]
 [3.000e+02 3.010e+02 3.020e+02 ... 5.970e+02 5.980e+02 5.990e+02]
 [6.000e+02 6.010e+02 6.020e+02 ... 8.970e+02 8.980e+02 8.990e+02]
 [9.000e+02 9.010e+02 9.020e+02 ... 1.197e+03 1.198e+03 1.199e+03]]`},
	{weft.I32, []int{7, 3, 70}, nil, `[[[   0    1    2 ...   67   68   69]
  [  70   71   72 ...  137  138  139]
  [ 140  141  142 ...  207  208  209]]

 [[ 210  211  212 ...  277  278  279]
  [ 280  281  282 ...  347  348  349]
  [ 350  351  352 ...  417  418  419]]

 [[ 420  421  422 ...  487  488  489]
  [ 490  491  492 ...  557  558  559]
  [ 560  561  562 ...  627  628  629]]

 ...

 [[ 840  841  842 ...  907  908  909]
  [ 910  911  912 ...  977  978  979]
  [ 980  981  982 ... 1047 1048 1049]]

 [[1050 1051 1052 ... 1117 1118 1119]
  [1120 1121 1122 ... 1187 1188 1189]
  [1190 1191 1192 ... 1257 1258 1259]]

 [[1260 1261 1262 ... 1327 1328 1329]
  [1330 1331 1332 ... 1397 1398 1399]
  [1400 1401 1402 ... 1467 1468 1469]]]`},
	{weft.I32, []int{300, 4}, nil, `[[   0    1    2    3]
 [   4    5    6    7]
 [   8    9   10   11]
 ...
 [1188 1189 1190 1191]
 [1192 1193 1194 1195]
 [1196 1197 1198 1199]]`},
}

func TestPrintsAsNumPy(t *testing.T) {
	dev := open(t)
	for _, c := range printed {
		x := c.x
		if x == nil {
			n := 1
			for _, s := range c.shape {
				n *= s
			}
			for i := range n {
				x = append(x, float64(i))
			}
		}
		flat := ok[*weft.Tensor](t)(weft.FromFloats(dev, c.elem, x, len(x)))
		tensor := ok[*weft.Tensor](t)(flat.Reshape(c.shape...))
		if got := tensor.String(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", tensor.Describe(), got, c.want)
		}
		if c.elem != weft.Bool && len(c.shape) > 1 { // a view prints as what it shows
			turned := ok[*weft.Tensor](t)(tensor.T().Contiguous())
			if got := turned.T().String(); got != c.want {
				t.Errorf("turned twice, %s:\n%s\nwant\n%s", tensor.Describe(), got, c.want)
			}
		}
	}
}

func TestFormat(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1.0 / 3, 2, -1.5}, 3))
	b := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.BF16, []float64{0.1, math.Inf(1)}, 2))
	closed := ok[*weft.Tensor](t)(x.Slice(0, 0, 2))
	closed.Close()
	var none *weft.Tensor
	for _, c := range []struct{ format, want string }{
		{fmt.Sprintf("%v", x), "[ 0.33333334  2.         -1.5       ]"},
		{fmt.Sprintf("%.2v", x), "[ 0.33  2.   -1.5 ]"},
		{fmt.Sprintf("%+.1s|%.0v", x, x), "[ 0.3  2.  -1.5]|[ 0.  2. -2.]"},
		{fmt.Sprintf("%+v", b), "bf16[2] on cpu:0\n[0.1 inf]"},
		{fmt.Sprintf("%d", x), "%!d(f32[3] on cpu:0)"},
		{fmt.Sprint(none), "nil tensor"},
		{closed.Describe(), "f32[2] on cpu:0"},
	} {
		if c.format != c.want {
			t.Errorf("%q, want %q", c.format, c.want)
		}
	}
	if s := closed.String(); !strings.HasPrefix(s, "f32[2] on cpu:0 (") || !strings.Contains(s, "closed") {
		t.Errorf("a closed tensor prints %q", s)
	}
}

// Of a large tensor only the edges are read, whatever its strides.
func TestPrintsEdgesOfViews(t *testing.T) {
	dev := open(t)
	one := ok[*weft.Tensor](t)(weft.Full(dev, weft.I64, math.MinInt64, 1))
	huge := ok[*weft.Tensor](t)(one.Broadcast(1<<30, 1<<20))
	row := "-9223372036854775808 -9223372036854775808 -9223372036854775808"
	if s := huge.String(); strings.Count(s, "-9223372036854775808") != 36 || !strings.Contains(strings.ReplaceAll(s, "\n ", ""), row) {
		t.Errorf("a trillion elements print as %s", s)
	}
	many := ok[*weft.Tensor](t)(one.Broadcast(slices.Repeat([]int{6}, 24)...))
	if s := many.String(); !strings.Contains(s, many.Describe()+" (weft: print: the edges of 24 dimensions") {
		t.Errorf("edges beyond memory print as %s", s)
	}
	wide := ok[*weft.Tensor](t)(weft.Arange(dev, weft.I32, 0, 3<<20, 1))
	steps := ok[*weft.Tensor](t)(wide.SliceStep(0, 3<<20-1, -1, -1<<10)) // far apart: brought together first
	if s := steps.String(); s != "[3145727 3144703 3143679 ...    3071    2047    1023]" {
		t.Errorf("every 1024th, backwards: %s", s)
	}
}

// Elements that are farther apart than kernels reach are printed as others are.
func TestPrintsBeyondKernels(t *testing.T) {
	dev := open(t)
	huge, err := weft.Empty(dev, weft.U8, 2, 1<<31) // of which a few pages are used
	if err != nil {
		testenv.Skip(t, "memory", err.Error())
	}
	defer huge.Close()
	head := ok[*weft.Tensor](t)(huge.Slices(weft.Span(0, 1), weft.Span(0, 3)))
	if err := head.CopyFrom(ok[*weft.Tensor](t)(weft.FromSlice(dev, []uint8{1, 2, 3}))); err != nil {
		t.Fatal(err)
	}
	rows := ok[*weft.Tensor](t)(huge.Slices(weft.All(), weft.Span(0, 3)))
	for _, x := range []*weft.Tensor{rows, rows.T(), huge} {
		s := x.String()
		if first := strings.Fields(strings.TrimLeft(s, "[")); !strings.HasPrefix(s, "[[") || first[0] != "1" {
			t.Errorf("%s prints as %s", x.Describe(), s)
		}
	}
}
