package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	_ "github.com/weftgpu/weft/backend/all"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	device, a, b, out, dump string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.device, "device", "", "`name` of the device, such as vulkan or cuda:1, or \"all\" (default: the best, or $"+weft.DeviceEnv+")")
	flags.StringVar(&o.a, "a", "", "multiply the matrix in this .npy `file` ...")
	flags.StringVar(&o.b, "b", "", "... by the matrix in this .npy `file`")
	flags.StringVar(&o.out, "o", "", "write the product to this .npy `file`")
	flags.StringVar(&o.dump, "dump", "", "write all stages of each kernel to this `directory`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q; see -help", flags.Arg(0))
	case (o.a == "") != (o.b == ""):
		return o, errors.New("-a and -b go together")
	case o.out != "" && o.a == "":
		return o, errors.New("-o needs -a and -b")
	case o.out != "" && o.device == "all":
		return o, errors.New("-o needs one device, not all")
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.dump != "" {
		return dump(stdout, o.dump)
	}
	var a, b *weft.Tensor
	if o.a != "" { // before anything is printed: the likeliest mistakes are here
		host, err := weft.Open("cpu")
		if err != nil {
			return err
		}
		defer host.Close()
		if a, err = readMatrix(host, o.a); err == nil {
			b, err = readMatrix(host, o.b)
		}
		if err != nil {
			return err
		}
		if a.Dim(1) != b.Dim(0) {
			return fmt.Errorf("%s is %d × %d and %s is %d × %d: the first needs as many columns as the second has rows",
				o.a, a.Dim(0), a.Dim(1), o.b, b.Dim(0), b.Dim(1))
		}
	}
	all := weft.Devices()
	chosen, err := choose(all, o.device)
	if err != nil {
		return err
	}
	printDevices(stdout, all, chosen)
	var failed error
	for _, d := range chosen {
		if err := onDevice(stdout, d, o, a, b); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", d.Spec(), err))
		}
	}
	fmt.Fprint(stdout, legend)
	return failed
}

// onDevice opens one device and does there what was asked for.
func onDevice(w io.Writer, d weft.DeviceInfo, o options, a, b *weft.Tensor) error {
	dev, err := weft.Open(d.Spec())
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Fprintf(w, "\n%s  %s\n", d.Spec(), d.Name)
	jobs := demos(d.Kind)
	var product *weft.Tensor
	if o.a != "" {
		jobs = []job{multiply(a, b, &product)}
	}
	if err := table(w, dev, jobs); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeMatrix(o.out, product); err != nil {
			return err
		}
		fmt.Fprintf(w, "\nwrote %s: %d × %d, float32\n", o.out, a.Dim(0), b.Dim(1))
	}
	return nil
}

// choose opens the device that was asked for, to see that it can be, and returns
// it; all that can be used for "all".
func choose(all []weft.DeviceInfo, name string) ([]weft.DeviceInfo, error) {
	if name == "all" {
		var usable []weft.DeviceInfo
		for _, d := range all {
			if d.Refused == nil {
				usable = append(usable, d)
			}
		}
		return usable, nil
	}
	dev, err := weft.Open(name)
	if err != nil {
		return nil, err
	}
	return []weft.DeviceInfo{dev.Info()}, dev.Close()
}

// printDevices lists the devices and says why each is or is not used.
func printDevices(w io.Writer, all, chosen []weft.DeviceInfo) {
	used := map[string]bool{}
	for _, d := range chosen {
		used[d.Spec()] = true
	}
	fmt.Fprintln(w, "devices, the best first")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range all {
		mark, why := " ", "not used: "
		switch {
		case d.Refused != nil:
			why += strings.Join(strings.Fields(backend.Reason(d.Refused, d.Backend)), " ")
		case used[d.Spec()]:
			mark, why = "*", "used"
		case d.Spec() == all[0].Spec():
			why += "another was asked for"
		default:
			why += "not the best; -device " + d.Spec() + " uses it"
		}
		fmt.Fprintf(tw, "%s %s\t%s\t%s\t%s\n", mark, d.Spec(), cmp.Or(d.Name, "-"), d.Kind, why)
	}
	tw.Flush()
}
