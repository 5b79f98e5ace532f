package main

import (
	"fmt"
	"strconv"
	"strings"
)

// kind is what is written: where it is served and what its bodies look like. Every body carries a
// mark, "NUMBER-SEQUENCE", by which the oracle tells which write made the state it finds.
type kind struct {
	// prefix is the path of the group and version.
	prefix string
	// body is the whole object; version is its resourceVersion, or "" for a new one.
	body func(i int, sequence uint32, version string) []byte
	// status is a body for the status subresource; nil where there is none.
	status func(i int, sequence uint32, version string) []byte
	// message and statusMessage are the same as protobuf; nil: the driver does not know it.
	message       func(i int, sequence uint32, version string) []byte
	statusMessage func(i int, sequence uint32, version string) []byte
	// definition must be installed first; nil: the kind is built in.
	definition *definition
}

var kinds = map[string]kind{
	"configmaps":  {prefix: "/api/v1", body: configMap, message: configMapMessage},
	"pods":        {prefix: "/api/v1", body: pod, status: podStatus, message: podMessage, statusMessage: podStatusMessage},
	"deployments": {prefix: "/apis/apps/v1", body: deployment, status: deploymentStatus},
	"widgets":     {prefix: "/apis/" + benchGroup + "/v1", body: widget, status: widgetStatus, definition: &widgets},
}

// in is the kind with its bodies in that encoding.
func (k kind) in(e encoding) kind {
	if e.name == protobufEncoding.name {
		k.body, k.status = k.message, k.statusMessage
	}
	return k
}

const (
	// shards: a label that selects 1 % of the objects.
	shards      = 100
	chosenShard = 7
	markKey     = "bench.homeostat.dev/mark"
)

func objectName(i int) string {
	return fmt.Sprintf("object-%07d", i)
}

// indexOf is the inverse of objectName; -1: not one of ours.
func indexOf(name string) int {
	digits, found := strings.CutPrefix(name, "object-")
	i, err := strconv.Atoi(digits)
	if !found || err != nil {
		return -1
	}
	return i
}

func mark(i int, sequence uint32) string {
	return fmt.Sprintf("%d-%d", i, sequence)
}

func parseMark(text string) (i int, sequence uint32, ok bool) {
	left, right, found := strings.Cut(text, "-")
	number, err1 := strconv.Atoi(left)
	count, err2 := strconv.ParseUint(right, 10, 32)
	return number, uint32(count), found && err1 == nil && err2 == nil
}

// filler is text without anything that JSON escapes; payload cuts a different piece for every write.
var filler = makeFiller(64 << 10)

func makeFiller(size int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
	var text strings.Builder
	state := uint32(2463534242)
	for range size {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		text.WriteByte(letters[state%uint32(len(letters))])
	}
	return text.String()
}

func payload(i int, sequence uint32, size int) string {
	start := (uint32(i)*2654435761 + sequence*40503) % uint32(len(filler)-size)
	return filler[start : int(start)+size]
}

const configMapPayload = 1024

// metadata is the opening of every body; extra is further JSON members of the metadata.
func metadata(i int, version string, extra string) string {
	if version != "" {
		extra += `,"resourceVersion":"` + version + `"`
	}
	return fmt.Sprintf(`"metadata":{"name":"%s","labels":{"app":"bench-%d","shard":"%d"}%s}`,
		objectName(i), i%10, i%shards, extra)
}

func marked(i int, sequence uint32) string {
	return fmt.Sprintf(`,"annotations":{"%s":"%s"}`, markKey, mark(i, sequence))
}

func configMap(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap",%s,"data":{"mark":"%s","payload":"%s"}}`,
		metadata(i, version, ""), mark(i, sequence), payload(i, sequence, configMapPayload))
}

// podSpec makes a pod of about 4.5 KB as stored.
var podSpec = makePodSpec()

func makePodSpec() string {
	env := make([]string, 18)
	for i := range env {
		env[i] = fmt.Sprintf(`{"name":"SETTING_%02d","value":"%s"}`, i, payload(i, 0, 40))
	}
	return `{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"registry.example/team/app:1.2.3",` +
		`"command":["/bin/app"],"args":["--listen=:8080","--log-level=info"],"env":[` + strings.Join(env, ",") + `],` +
		`"ports":[{"name":"http","containerPort":8080}],` +
		`"resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}},` +
		`"readinessProbe":{"httpGet":{"path":"/healthz","port":"http"},"periodSeconds":5}}]}`
}

func pod(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Pod",%s,"spec":%s}`,
		metadata(i, version, marked(i, sequence)), podSpec)
}

func podStatus(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Pod",%s,"spec":%s,"status":{"phase":"Running","message":"%s",`+
		`"hostIP":"10.1.2.3","podIP":"10.4.5.6","startTime":"2026-01-01T00:00:00Z","conditions":[`+
		`{"type":"Initialized","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"},`+
		`{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`,
		metadata(i, version, marked(i, 0)), podSpec, mark(i, sequence))
}

func deploymentSpec(i int) string {
	return fmt.Sprintf(`{"replicas":3,"selector":{"matchLabels":{"app":"bench-%d"}},"template":{"metadata":{"labels":{"app":"bench-%d"}},"spec":%s}}`,
		i%10, i%10, podSpec)
}

func deployment(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"apps/v1","kind":"Deployment",%s,"spec":%s}`,
		metadata(i, version, marked(i, sequence)), deploymentSpec(i))
}

func deploymentStatus(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"apps/v1","kind":"Deployment",%s,"spec":%s,"status":{"observedGeneration":1,"replicas":3,`+
		`"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3,"conditions":[{"type":"Available","status":"True",`+
		`"reason":"MinimumReplicasAvailable","message":"%s","lastUpdateTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`,
		metadata(i, version, marked(i, 0)), deploymentSpec(i), mark(i, sequence))
}

// seen is what the oracle reads of an object.
type seen struct {
	Metadata struct {
		Name            string            `json:"name"`
		ResourceVersion string            `json:"resourceVersion"`
		Labels          map[string]string `json:"labels"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Data map[string]string `json:"data"`
	Spec struct {
		Mark string `json:"mark"`
	} `json:"spec"`
	Status struct {
		Message    string `json:"message"`
		Conditions []struct {
			Message string `json:"message"`
		} `json:"conditions"`
	} `json:"status"`
}

// markOf is the mark of the last write to the object itself.
func (s *seen) markOf() string {
	if s.Data != nil {
		return s.Data["mark"]
	}
	if s.Spec.Mark != "" {
		return s.Spec.Mark
	}
	return s.Metadata.Annotations[markKey]
}

// statusMarkOf is the mark of the last write to the status; "" while there was none.
func (s *seen) statusMarkOf() string {
	if s.Status.Message != "" || len(s.Status.Conditions) == 0 {
		return s.Status.Message
	}
	return s.Status.Conditions[0].Message
}

// isWhole tells whether the object has the content that its mark promises.
func (s *seen) isWhole() bool {
	if s.Data == nil {
		return true
	}
	i, sequence, ok := parseMark(s.Data["mark"])
	return ok && s.Data["payload"] == payload(i, sequence, configMapPayload)
}
