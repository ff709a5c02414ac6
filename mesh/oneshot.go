package mesh

// oneShot runs small all-reduces.
type oneShot struct{}

func (o *oneShot) close() error                          { return nil }
func (o *oneShot) start(g *Group, c *call) (bool, error) { return false, nil }
