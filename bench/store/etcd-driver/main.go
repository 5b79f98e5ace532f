// Command etcd-driver is the peer side of `npm run bench -- store`: it loads a running etcd with
// etcd's own Go client, checks afterwards that etcd kept what it acknowledged, and prints one line
// of JSON on standard output. Each mode lives in the file of its name; keyspace.go says what a key
// and a value are. The lines "phase NAME" on standard error mark when a phase begins, so that the
// caller can read the CPU time of the etcd process for the measured phase alone.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// version is set by the linker (scripts/assets): the client's version and a hash of these sources.
var version = "unreleased"

const usage = `Usage: etcd-driver MODE --endpoint HOST:PORT [options]

Modes:
  preload   put every key once, many keys in a transaction
  cas       compare-and-set puts: each worker owns a share of the keys
  watch     watchers on all keys, then puts, until every watcher saw every put in order
  verify    read every key back and check its value

Examples:
  etcd-driver cas --endpoint 127.0.0.1:2379 --keys 100000 --in-flight 1024 --seconds 10 --preload
  etcd-driver watch --endpoint 127.0.0.1:2379 --watchers 100 --connections 4 --events 10000
  etcd-driver preload --endpoint 127.0.0.1:2379 --keys 500000

etcd-driver MODE --help lists the options of a mode.
`

// errUsage marks mistakes of the caller; what is wrong has been printed already.
var errUsage = errors.New("usage")

// errHelp is the answer to --help: printed, and no mistake.
var errHelp = errors.New("help")

type mode func(ctx context.Context, args []string) (result any, err error)

var modes = map[string]mode{"preload": preloadMode, "cas": casMode, "watch": watchMode, "verify": verifyMode}

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	switch args[0] {
	case "--version", "-version", "version":
		fmt.Println("etcd-driver", version)
		return 0
	case "--help", "-help", "-h", "help":
		fmt.Print(usage)
		return 0
	}
	chosen, known := modes[args[0]]
	if !known {
		fmt.Fprintf(os.Stderr, "unknown mode %q\n\n%s", args[0], usage)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	result, err := chosen(ctx, args[1:])
	if result != nil {
		line, encodeError := json.Marshal(result)
		if encodeError != nil {
			err = errors.Join(err, encodeError)
		} else {
			fmt.Println(string(line))
		}
	}
	switch {
	case err == nil, errors.Is(err, errHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	default:
		fmt.Fprintln(os.Stderr, "etcd-driver:", err)
		return 1
	}
}

// common are the options that every mode has.
type common struct {
	endpoint    string
	connections int
	space       keyspace
	timeout     time.Duration
}

// parse reads the options of a mode; own adds those that only this mode has, check refuses values
// that make no sense.
func parse(name string, args []string, own func(*flag.FlagSet, *common), check func(*common) string) (common, error) {
	var settings common
	flags := flag.NewFlagSet("etcd-driver "+name, flag.ContinueOnError)
	flags.StringVar(&settings.endpoint, "endpoint", "", "`HOST:PORT` of the etcd to load (required)")
	flags.IntVar(&settings.connections, "connections", 1, "client connections to share the load")
	flags.IntVar(&settings.space.keys, "keys", 100_000, "number of keys")
	flags.IntVar(&settings.space.valueSize, "value-size", 1024, "bytes in a value")
	flags.StringVar(&settings.space.prefix, "prefix", "/registry/bench/", "what every key begins with")
	flags.DurationVar(&settings.timeout, "timeout", 10*time.Minute, "give up after this time")
	own(flags, &settings)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return settings, errHelp
	case err != nil:
		return settings, errUsage
	}
	problem := ""
	switch {
	case flags.NArg() > 0:
		problem = "unexpected: " + strings.Join(flags.Args(), " ")
	case settings.endpoint == "":
		problem = "--endpoint is required"
	case settings.connections < 1:
		problem = fmt.Sprintf("--connections is %d; at least 1 is needed", settings.connections)
	case settings.space.keys < 1:
		problem = fmt.Sprintf("--keys is %d; at least 1 is needed", settings.space.keys)
	case settings.space.valueSize < valueHeadSize:
		problem = fmt.Sprintf("--value-size is %d; at least %d is needed to tell writes apart", settings.space.valueSize, valueHeadSize)
	case check != nil:
		problem = check(&settings)
	}
	if problem != "" {
		fmt.Fprintln(os.Stderr, problem)
		return settings, errUsage
	}
	return settings, nil
}

// connect opens the connections and proves with a read that etcd answers on each. The caller closes them.
func connect(ctx context.Context, settings common) ([]*clientv3.Client, error) {
	clients := make([]*clientv3.Client, 0, settings.connections)
	for range settings.connections {
		client, err := clientv3.New(clientv3.Config{
			Endpoints:   []string{settings.endpoint},
			DialTimeout: 5 * time.Second,
			// Errors are counted and reported; the client would print each as well.
			Logger: zap.NewNop(),
		})
		if err != nil {
			closeAll(clients)
			return nil, fmt.Errorf("connect to %s: %w", settings.endpoint, err)
		}
		clients = append(clients, client)
		reachable, cancel := context.WithTimeout(ctx, 5*time.Second)
		_, err = client.Get(reachable, settings.space.key(0), clientv3.WithCountOnly())
		cancel()
		if err != nil {
			closeAll(clients)
			return nil, fmt.Errorf("no answer from etcd at %s: %w", settings.endpoint, err)
		}
	}
	return clients, nil
}

func closeAll(clients []*clientv3.Client) {
	for _, client := range clients {
		client.Close()
	}
}

func beginPhase(name string) {
	fmt.Fprintln(os.Stderr, "phase", name)
}

// ownCPUSeconds is the CPU time this driver has used: a run where the driver is the bottleneck
// says nothing about etcd.
func ownCPUSeconds() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
