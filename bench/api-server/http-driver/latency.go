package main

import (
	"slices"
	"syscall"
	"time"
)

// figures are what every measured phase tells.
type figures struct {
	Requests  int     `json:"requests"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"perSecond"`
	P50us     float64 `json:"p50us"`
	P99us     float64 `json:"p99us"`
	MaxUs     float64 `json:"maxus"`
	Errors    int     `json:"errors"`
	// FirstError is the text of one of the errors: enough to see what went wrong.
	FirstError       string  `json:"firstError,omitempty"`
	Bytes            int64   `json:"bytes"`
	DriverCPUSeconds float64 `json:"driverCpuSeconds"`
	Oracle           string  `json:"oracle"`
}

// stopwatch measures a phase: its time and the driver's own CPU time.
type stopwatch struct {
	begin time.Time
	cpu   float64
}

func startMeasuring() stopwatch {
	beginPhase("measure")
	return stopwatch{time.Now(), ownCPUSeconds()}
}

func (s stopwatch) stop(workers []*worker) figures {
	taken := time.Since(s.begin)
	result := figures{Seconds: taken.Seconds(), DriverCPUSeconds: ownCPUSeconds() - s.cpu}
	beginPhase("verify")
	var latencies []time.Duration
	for _, each := range workers {
		latencies = append(latencies, each.latencies...)
		result.Errors += len(each.errors)
		result.Bytes += each.bytes
		if result.FirstError == "" && len(each.errors) > 0 {
			result.FirstError = each.errors[0].Error()
		}
	}
	result.Requests = len(latencies)
	result.PerSecond = float64(result.Requests) / result.Seconds
	result.P50us, result.P99us, result.MaxUs = percentiles(latencies)
	return result
}

func percentiles(latencies []time.Duration) (p50, p99, most float64) {
	if len(latencies) == 0 {
		return 0, 0, 0
	}
	slices.Sort(latencies)
	at := func(share float64) float64 {
		return float64(latencies[int(share*float64(len(latencies)-1))].Nanoseconds()) / 1000
	}
	return at(0.5), at(0.99), at(1)
}

// ownCPUSeconds is the CPU time this driver has used: a run where the driver is the bottleneck
// says nothing about the server.
func ownCPUSeconds() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
