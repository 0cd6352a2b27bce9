package importer

import "terse"

const (
	// maxPlanned bounds the memory for the addresses that a dry run remembers. Beyond, it does not
	// notice that links of the body have the same one.
	maxPlanned = 48 << 20
	// plannedBytes is what an address takes beside its text and the URL.
	plannedBytes = 256
)

// plan remembers a link that a dry run has not created.
func (j *job) plan(o *outcome) {
	keys := o.link.Addresses()
	for i, address := range keys {
		keys[i] = j.importer.Manager.Key(address)
	}
	if o.task.link.Key() == "" {
		keys = append(keys, newest(o.owner, o.link.Code.Domain(), o.link.URL))
	}
	link := terse.Link{
		Code: o.link.Code, URL: o.link.URL,
		CreatedBy: o.link.CreatedBy, CreatedAt: o.link.CreatedAt,
	}
	if j.Conflict == Overwrite {
		link.Options = o.link.Options // to compare
	}
	for _, key := range keys {
		size := plannedBytes + len(key) + len(link.URL) + len(link.Options)
		if old, known := j.planned[key]; known {
			size -= plannedBytes + len(key) + len(old.URL) + len(old.Options)
		}
		if j.plannedSize+size <= maxPlanned {
			j.planned[key] = link
			j.plannedSize += size
		}
	}
}

// planAliases remembers the aliases that a dry run has not given to a link.
func (j *job) planAliases(o *outcome) {
	if j.plannedSize > maxPlanned {
		return
	}
	for _, address := range o.link.Addresses() {
		key := j.importer.Manager.Key(address)
		j.planned[key] = o.link
		j.plannedSize += plannedBytes + len(key)
	}
	j.plannedSize += len(o.link.URL) + len(o.link.Options)
	if o.link.ID != 0 {
		if j.grown == nil {
			j.grown = map[terse.LinkID]terse.EncodedOptions{}
		}
		j.grown[o.link.ID] = o.link.Options
	}
}

// maxTried bounds the links, instants and days of clicks that a dry run remembers, at some 50 bytes
// each. Beyond, it does not notice that clicks of a link are in the body twice.
const maxTried = 1 << 20

// triedOf returns what a dry run would have added to a link.
func (j *job) triedOf(link terse.LinkRef) *terse.Tried {
	tried := j.tried[link]
	if tried == nil {
		tried = &terse.Tried{}
		if j.triedRoom > 0 {
			j.tried[link] = tried
			j.triedRoom--
		}
	}
	return tried
}

// newest is the key of an owner's newest link on a domain to a URL. It is that of no address.
func newest(owner string, on terse.Domain, url terse.URL) string {
	return "\x00" + owner + "\x00" + on.Key("\x00"+string(url))
}
