package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// keySize is the length of a key: that of an ordinary Kubernetes key, /registry/KIND/NAMESPACE/NAME.
const keySize = 48

// valueHeadSize is the part of a value that tells writes apart: key number and sequence, in hex.
const valueHeadSize = 16

// pageSize is how many keys one read of a scan asks for.
const pageSize = 2000

// keyspace says what the keys and values of a run are. Key i with sequence s always has the same
// value, so that what etcd kept can be checked without remembering it.
type keyspace struct {
	keys      int
	valueSize int
	prefix    string
}

func (space keyspace) key(i int) string {
	return fmt.Sprintf("%s%0*d", space.prefix, max(1, keySize-len(space.prefix)), i)
}

// filler is incompressible text that values are cut from.
var filler = func() []byte {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 1<<16)
	for i := range text {
		text[i] = letters[random.IntN(len(letters))]
	}
	return text
}()

func (space keyspace) value(i int, sequence uint32) string {
	value := make([]byte, 0, space.valueSize)
	value = fmt.Appendf(value, "%08x%08x", uint32(i), sequence)
	from := (i*7919 + int(sequence)*104729) % len(filler)
	for len(value) < space.valueSize {
		value = append(value, filler[from:min(len(filler), from+space.valueSize-len(value))]...)
		from = 0
	}
	return string(value)
}

// sequenceOf reads the head of a value; ok says whether the value as a whole is the one that was
// written for this key.
func (space keyspace) sequenceOf(i int, value string) (sequence uint32, ok bool) {
	if len(value) < valueHeadSize {
		return 0, false
	}
	head, err := strconv.ParseUint(value[:valueHeadSize], 16, 64)
	if err != nil || head>>32 != uint64(i) {
		return 0, false
	}
	sequence = uint32(head)
	return sequence, value == space.value(i, sequence)
}

// kept is what etcd holds for one key; modRevision 0: no such key.
type kept struct {
	modRevision int64
	sequence    uint32
}

// readAll reads every key at one revision and checks each value. It answers the state of every
// key by its number.
func (space keyspace) readAll(ctx context.Context, client *clientv3.Client) ([]kept, error) {
	state := make([]kept, space.keys)
	end := clientv3.GetPrefixRangeEnd(space.prefix)
	from, revision := space.prefix, int64(0)
	for {
		page, err := client.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(pageSize), clientv3.WithRev(revision))
		if err != nil {
			return nil, fmt.Errorf("read back from %s: %w", from, err)
		}
		revision = page.Header.Revision
		for _, pair := range page.Kvs {
			i, err := strconv.Atoi(string(pair.Key[len(space.prefix):]))
			if err != nil || i < 0 || i >= space.keys || string(pair.Key) != space.key(i) {
				return nil, fmt.Errorf("etcd holds the key %s, which this run does not write", pair.Key)
			}
			sequence, ok := space.sequenceOf(i, string(pair.Value))
			if !ok {
				return nil, fmt.Errorf("the value of %s is not one that was written for it", pair.Key)
			}
			state[i] = kept{pair.ModRevision, sequence}
		}
		if !page.More {
			return state, nil
		}
		from = string(page.Kvs[len(page.Kvs)-1].Key) + "\x00"
	}
}
