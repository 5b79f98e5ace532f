package main

import (
	"fmt"
	"strings"
)

// Widgets are the custom resource that is measured: 20 fields with what schemas of today have
// (patterns, enums, ranges, defaults, a list that is a map, nested objects) and 9 CEL rules of the
// ordinary sort. An object has about 3 KB as stored.

const benchGroup = "bench.homeostat.dev"

// definition is a namespaced CustomResourceDefinition with one version, v1.
type definition struct {
	group, plural, kind string
	// schema is the openAPIV3Schema; extra is further JSON members of the version, each after a comma.
	schema, extra string
}

func (d definition) name() string {
	return d.plural + "." + d.group
}

func (d definition) body() []byte {
	return fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",`+
		`"metadata":{"name":"%s"},"spec":{"group":"%s","scope":"Namespaced",`+
		`"names":{"plural":"%s","singular":"%s","kind":"%s","listKind":"%sList"},`+
		`"versions":[{"name":"v1","served":true,"storage":true%s,"schema":{"openAPIV3Schema":%s}}]}}`,
		d.name(), d.group, d.plural, strings.ToLower(d.kind), d.kind, d.kind, d.extra, d.schema)
}

// collection is the path of the definition's objects in a namespace.
func (d definition) collection(namespace string) string {
	return fmt.Sprintf("/apis/%s/v1/namespaces/%s/%s", d.group, namespace, d.plural)
}

var widgets = widgetDefinition("widgets", "Widget")

func widgetDefinition(plural, kind string) definition {
	return definition{
		group: benchGroup, plural: plural, kind: kind, schema: widgetSchema,
		extra: `,"subresources":{"status":{}},"additionalPrinterColumns":[` +
			`{"name":"Tier","type":"string","jsonPath":".spec.tier"},` +
			`{"name":"Ready","type":"string","jsonPath":".status.conditions[0].status"}]`,
	}
}

const widgetSchema = `{"type":"object","required":["spec"],"properties":{
"spec":{"type":"object","required":["mark","title","owner","minReplicas","maxReplicas","template"],
 "x-kubernetes-validations":[
  {"rule":"self.minReplicas <= self.maxReplicas","message":"minReplicas must not be above maxReplicas"},
  {"rule":"self.replicas >= self.minReplicas && self.replicas <= self.maxReplicas","messageExpression":"self.tier + ': replicas must be between minReplicas and maxReplicas'"},
  {"rule":"self.tier != 'critical' || self.minReplicas >= 2","message":"critical needs two replicas","reason":"FieldValueInvalid","fieldPath":".minReplicas"}],
 "properties":{
  "mark":{"type":"string","pattern":"^[0-9]+-[0-9]+$"},
  "title":{"type":"string","minLength":1,"maxLength":100},
  "description":{"type":"string","maxLength":2048},
  "owner":{"type":"string","maxLength":100,"pattern":"^[a-z0-9.-]+@[a-z0-9.-]+$","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"owner is immutable"}]},
  "tier":{"type":"string","enum":["critical","standard","batch"],"default":"standard"},
  "region":{"type":"string","enum":["north","south","east","west"]},
  "enabled":{"type":"boolean","default":true},
  "replicas":{"type":"integer","format":"int32","minimum":0,"maximum":1000,"default":3},
  "minReplicas":{"type":"integer","format":"int32","minimum":0,"maximum":1000},
  "maxReplicas":{"type":"integer","format":"int32","minimum":1,"maximum":1000},
  "priority":{"type":"integer","format":"int64","minimum":-1000000,"maximum":1000000},
  "weight":{"type":"number","minimum":0,"maximum":1},
  "timeoutSeconds":{"type":"integer","format":"int32","minimum":1,"maximum":3600,"default":30},
  "expires":{"type":"string","format":"date-time"},
  "memory":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"pattern":"^[0-9]+(Ki|Mi|Gi)?$"},
  "tags":{"type":"array","maxItems":20,"x-kubernetes-list-type":"set","items":{"type":"string","maxLength":63},
   "x-kubernetes-validations":[{"rule":"self.all(tag, tag.size() > 0 && !tag.startsWith('-'))","message":"tags begin with a letter"}]},
  "ports":{"type":"array","maxItems":20,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
   "x-kubernetes-validations":[{"rule":"self.all(port, port.protocol != 'UDP' || port.number != 53)","message":"no name servers here"}],
   "items":{"type":"object","required":["name","number"],"properties":{
    "name":{"type":"string","maxLength":15,"pattern":"^[a-z]([-a-z0-9]*[a-z0-9])?$"},
    "number":{"type":"integer","format":"int32","minimum":1,"maximum":65535},
    "protocol":{"type":"string","enum":["TCP","UDP"],"default":"TCP"}}}},
  "settings":{"type":"object","maxProperties":40,"additionalProperties":{"type":"string","maxLength":200},
   "x-kubernetes-validations":[{"rule":"self.all(key, key.matches('^[A-Z][A-Z0-9_]*$'))","message":"settings are written in capitals"}]},
  "window":{"type":"object","required":["start","end"],
   "x-kubernetes-validations":[{"rule":"self.start < self.end","message":"a window ends after its start"}],
   "properties":{"start":{"type":"integer","minimum":0,"maximum":1440},"end":{"type":"integer","minimum":0,"maximum":1440}}},
  "template":{"type":"object","required":["image"],"properties":{
   "image":{"type":"string","maxLength":200,"x-kubernetes-validations":[{"rule":"self.contains(':') && !self.endsWith(':latest')","message":"an image names its version"}]},
   "pullPolicy":{"type":"string","enum":["Always","IfNotPresent","Never"],"default":"IfNotPresent"},
   "labels":{"type":"object","additionalProperties":{"type":"string"}},
   "args":{"type":"array","maxItems":50,"items":{"type":"string","maxLength":200}}}}}},
"status":{"type":"object","properties":{
  "message":{"type":"string","maxLength":200},
  "observedGeneration":{"type":"integer","format":"int64"},
  "conditions":{"type":"array","maxItems":10,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],
   "items":{"type":"object","required":["type","status"],"properties":{
    "type":{"type":"string"},"status":{"type":"string","enum":["True","False","Unknown"]},
    "lastTransitionTime":{"type":"string","format":"date-time"},"message":{"type":"string"}}}}}}}}`

// widgetSettings is the larger part of a widget that never changes.
var widgetSettings = makeWidgetSettings()

func makeWidgetSettings() string {
	settings := make([]string, 12)
	for i := range settings {
		settings[i] = fmt.Sprintf(`"SETTING_%02d":"%s"`, i, payload(i, 0, 40))
	}
	return "{" + strings.Join(settings, ",") + "}"
}

func widgetSpec(i int, sequence uint32) string {
	return fmt.Sprintf(`{"mark":"%s","title":"Widget number %d","description":"%s","owner":"team-%d@example.com",`+
		`"region":"north","replicas":%d,"minReplicas":2,"maxReplicas":100,"priority":%d,"weight":0.25,`+
		`"expires":"2030-01-01T00:00:00Z","memory":"256Mi","tags":["alpha","beta","gamma"],`+
		`"ports":[{"name":"http","number":8080},{"name":"metrics","number":9090,"protocol":"TCP"},{"name":"dns","number":5353,"protocol":"UDP"}],`+
		`"settings":%s,"window":{"start":60,"end":%d},`+
		`"template":{"image":"registry.example/team/app:1.2.3","labels":{"app":"bench"},"args":["--listen=:8080","--log-level=info"]}}`,
		mark(i, sequence), i, payload(i, sequence, 600), i%10, 2+sequence%50, i%1000, widgetSettings, 120+sequence%1000)
}

func widget(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"%s/v1","kind":"Widget",%s,"spec":%s}`,
		benchGroup, metadata(i, version, ""), widgetSpec(i, sequence))
}

func widgetStatus(i int, sequence uint32, version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"%s/v1","kind":"Widget",%s,"spec":%s,"status":{"message":"%s","observedGeneration":1,"conditions":[`+
		`{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"},`+
		`{"type":"Synced","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","message":"all is well"}]}}`,
		benchGroup, metadata(i, version, ""), widgetSpec(i, 0), mark(i, sequence))
}
