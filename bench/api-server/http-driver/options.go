package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// common are the options that every mode which loads a server has.
type common struct {
	server, ca, cert, key string
	protocol              string
	connections           int
	kindName, namespace   string
	first, objects        int
	inFlight              int
	timeout               time.Duration
	// encoding is JSON but in modes that can speak protobuf too.
	encoding encoding
}

// parse reads the options of a mode; own adds those that only this mode has, check refuses values
// that make no sense.
func parse(name string, args []string, own func(*flag.FlagSet, *common), check func(*common) string) (common, error) {
	settings := common{encoding: jsonEncoding}
	flags := flag.NewFlagSet("http-driver "+name, flag.ContinueOnError)
	flags.StringVar(&settings.server, "server", "", "`URL` of the server (required)")
	flags.StringVar(&settings.ca, "ca", "", "`FILE` with the server's authority; without it the server is not verified")
	flags.StringVar(&settings.cert, "cert", "", "`FILE` with the client certificate")
	flags.StringVar(&settings.key, "key", "", "`FILE` with the client key")
	flags.StringVar(&settings.protocol, "protocol", "h2", "h2 or h1")
	flags.IntVar(&settings.connections, "connections", 1, "HTTP/2 connections to share the load (HTTP/1.1 has one per request in flight)")
	flags.StringVar(&settings.kindName, "kind", "configmaps", "configmaps, pods, deployments or widgets (a custom resource)")
	flags.StringVar(&settings.namespace, "namespace", "bench", "where the objects are; made when missing")
	flags.IntVar(&settings.first, "first", 0, "number of the first object")
	flags.IntVar(&settings.objects, "objects", 10_000, "number of objects")
	flags.IntVar(&settings.inFlight, "in-flight", 64, "workers, each with one request on the way")
	flags.DurationVar(&settings.timeout, "timeout", 30*time.Minute, "give up after this time")
	if own != nil {
		own(flags, &settings)
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return settings, errHelp
	case err != nil:
		return settings, errUsage
	}
	problem := ""
	chosen, knownKind := kinds[settings.kindName]
	switch {
	case flags.NArg() > 0:
		problem = "unexpected: " + strings.Join(flags.Args(), " ")
	case settings.server == "":
		problem = "--server is required"
	case (settings.cert == "") != (settings.key == ""):
		problem = "--cert and --key go together"
	case settings.protocol != "h2" && settings.protocol != "h1":
		problem = fmt.Sprintf("--protocol is %q; h2 or h1 is needed", settings.protocol)
	case !knownKind:
		problem = fmt.Sprintf("--kind is %q; configmaps, pods, deployments or widgets is needed", settings.kindName)
	case settings.encoding.name == "protobuf" && chosen.message == nil:
		problem = fmt.Sprintf("--encoding protobuf is for configmaps and pods; --kind is %q", settings.kindName)
	case settings.connections < 1 || settings.objects < 1 || settings.inFlight < 1:
		problem = "--connections, --objects and --in-flight must be at least 1"
	case check != nil:
		problem = check(&settings)
	}
	if problem != "" {
		fmt.Fprintln(os.Stderr, problem)
		return settings, errUsage
	}
	return settings, nil
}

// limits are the two ways in which a measured phase ends; one must be given.
type limits struct {
	seconds  float64
	requests int
}

func (l *limits) register(flags *flag.FlagSet, _ *common) {
	flags.Float64Var(&l.seconds, "seconds", 0, "end after this time (this, --requests, or both)")
	flags.IntVar(&l.requests, "requests", 0, "end after so many requests")
}

func (l *limits) check(*common) string {
	if l.seconds <= 0 && l.requests <= 0 {
		return "--seconds or --requests must be above 0"
	}
	return ""
}
