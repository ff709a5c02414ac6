package result

import "strings"

// TunedSuffix is what follows the name of a device, in Who, whose configs were tuned for each work before it was measured. The device
// without it leaves all choices to rules in the same run.
const TunedSuffix = " tuned"

// Tuned is a work by a device whose configs follow rules, and by the same device with tuned ones.
type Tuned struct {
	Rule, Tuned Result
}

// Times is how many times as long the work takes without tuning.
func (t Tuned) Times() float64 { return t.Rule.Median() / t.Tuned.Median() }

// Tunings lists the works that devices did in both ways.
func Tunings(results []Result) (list []Tuned) {
	type key struct{ who, work string }
	tuned := map[key]Result{}
	for _, r := range results {
		if who, is := strings.CutSuffix(r.Who, TunedSuffix); is && r.OK() {
			tuned[key{who, r.Work}] = r
		}
	}
	for _, r := range results {
		if t, is := tuned[key{r.Who, r.Work}]; is && r.OK() {
			list = append(list, Tuned{r, t})
		}
	}
	return list
}
