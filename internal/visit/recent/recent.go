// Package recent provides a bounded map of recently used values.
package recent

import "sync"

// Map is a bounded map with two generations. When the younger one is full it becomes the older one;
// the previous older one is dropped, except for values that were read since. The zero Map has no
// room. A Map may be used concurrently.
type Map[V any] struct {
	max int // bound of a generation's cost

	mu         sync.RWMutex // guards the fields below
	young, old map[string]entry[V]
	cost       int // of the younger generation
}

type entry[V any] struct {
	value V
	cost  int
}

// keyCost is roughly the overhead of an entry beyond its key and value, in bytes.
const keyCost = 64

// New returns a Map that takes about maxBytes, if Put gets the values' true sizes.
func New[V any](maxBytes int) *Map[V] {
	return &Map[V]{max: maxBytes / 2, young: map[string]entry[V]{}}
}

// Get returns the value of a key. It does not allocate for keys that were used recently.
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

// Put sets the value of a key; bytes is the value's size. A value larger than a generation is not
// kept.
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
