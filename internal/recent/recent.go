// Package recent provides a bounded map of what was asked for recently.
package recent

import "sync"

// Map remembers values by key until there is no room for them. It has two generations: when the
// younger one is full it becomes the older one, whose values are forgotten unless they were asked
// for since. The zero Map has no room. A Map may be used by many at once.
type Map[V any] struct {
	max int // cost of a generation

	mu         sync.RWMutex // guards what follows
	young, old map[string]entry[V]
	cost       int // of the young ones
}

type entry[V any] struct {
	value V
	cost  int
}

// keyCost is about what an entry takes beside key and value.
const keyCost = 64

// New returns a Map that takes about as many bytes, by what Put is told.
func New[V any](maxBytes int) *Map[V] {
	return &Map[V]{max: maxBytes / 2, young: map[string]entry[V]{}}
}

// Get returns the value of a key. It does not allocate for one that was asked for not long ago.
func (m *Map[V]) Get(key []byte) (value V, ok bool) {
	m.mu.RLock()
	e, young := m.young[string(key)]
	old := false
	if !young {
		e, old = m.old[string(key)]
	}
	m.mu.RUnlock()
	if old {
		m.put(string(key), e)
	}
	return e.value, young || old
}

// Put sets the value of a key; bytes is what the value takes. One that takes more than a generation
// is not kept.
func (m *Map[V]) Put(key string, value V, bytes int) {
	m.put(key, entry[V]{value, len(key) + bytes + keyCost})
}

func (m *Map[V]) put(key string, e entry[V]) {
	if e.cost > m.max {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, ok := m.young[key]; ok {
		m.cost -= before.cost
	}
	if m.cost+e.cost > m.max {
		m.old, m.young, m.cost = m.young, map[string]entry[V]{}, 0
	}
	m.young[key] = e
	m.cost += e.cost
}
