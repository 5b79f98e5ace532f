package main

import "sync"

// counter counts what a cache tells of.
type counter struct {
	mutex                   sync.Mutex
	added, updated, deleted int
}

func (c *counter) OnAdd(object any, _ bool) { c.count(object, &c.added) }
func (c *counter) OnUpdate(_, object any)   { c.count(object, &c.updated) }
func (c *counter) OnDelete(object any)      { c.count(object, &c.deleted) }

// The map that a controller puts into every namespace is not ours.
func (c *counter) count(object any, counted *int) {
	if named, ok := object.(interface{ GetName() string }); ok && named.GetName() == "kube-root-ca.crt" {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	*counted++
}

func (c *counter) is(added, updated, deleted int) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.added == added && c.updated == updated && c.deleted == deleted
}
