// Command http-driver is the client of `npm run bench -- api-server` and `-- stalls`: it loads any
// server that speaks the Kubernetes API over HTTPS (or over HTTP/2 in plain text), checks afterwards
// that the server kept what it acknowledged, and prints one line of JSON on standard output. Each mode
// lives in the file of its name; objects.go says what is written, messages.go the same as protobuf,
// target.go how a server is reached. The lines "phase NAME" on standard error mark when a phase begins,
// so that the caller can read the CPU time of the server's processes for the measured phase alone. A
// run whose oracle fails ends with code 1.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker (scripts/assets): a hash of these sources.
var version = "unreleased"

const usage = `Usage: http-driver MODE --server URL [--ca FILE --cert FILE --key FILE] [options]

Modes:
  create        POST objects; every acknowledged one must be there afterwards
  get           GET random objects
  update        PUT objects with their resourceVersion: each worker owns a share of them
  status        PUT to the status subresource, likewise
  list          LIST whole, by label (1 %) or in pages
  connect       GET objects, each over a connection of its own
  apply         server-side apply: of new objects, of changes, of what is there already
  watch         watchers on a namespace, then writes, until every watcher saw every write in order
  install       create definitions of custom resources and wait until they are served
  noise         list everything, post large bodies, read a watch slowly, write what is expensive
                to check: all at once
  fill          POST objects until the server refuses, and tell how it refused
  certificates  write a CA, a server and a client certificate

Examples:
  http-driver create --server https://127.0.0.1:6443 --cert admin.crt --key admin.key --objects 10000
  http-driver get --server https://127.0.0.1:6443 --protocol h1 --objects 10000 --seconds 5
  http-driver watch --server https://127.0.0.1:6443 --watchers 1000 --events 500

http-driver MODE --help lists the options of a mode.
`

// errUsage marks mistakes of the caller; what is wrong has been printed already.
var errUsage = errors.New("usage")

// errHelp is the answer to --help: printed, and no mistake.
var errHelp = errors.New("help")

type mode func(ctx context.Context, args []string) (result any, err error)

var modes = map[string]mode{
	"create": createMode, "get": getMode, "connect": connectMode, "update": updateMode, "status": statusMode,
	"list": listMode, "apply": applyMode, "install": installMode, "watch": watchMode, "noise": noiseMode, "fill": fillMode, "certificates": certificatesMode,
}

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
		fmt.Println("http-driver", version)
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
		fmt.Fprintln(os.Stderr, "http-driver:", err)
		return 1
	}
}

func beginPhase(name string) {
	fmt.Fprintln(os.Stderr, "phase", name)
}
