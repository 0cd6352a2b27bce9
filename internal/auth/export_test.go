package auth

// Kept returns how many answers of the store each generation has.
func (g *Gate) Kept() (young, old int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.young), len(g.old)
}
