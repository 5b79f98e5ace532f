// Command go-structs prints what reflection tells about the Go structs behind the Kubernetes API, as JSON on the
// standard output: Go type name -> fields in struct order. scripts/take-go-structs.ts runs it and says what for.
//
// The versions in go.mod decide of which release. The structs are all that can be reached from the kinds of the
// groups below, and the few that no kind uses; what is missing here is named by scripts/take-go-structs.ts.
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// groups are the stable group-versions a server speaks.
var groups = runtime.NewSchemeBuilder(
	admissionv1.AddToScheme,
	admissionregistrationv1.AddToScheme,
	apidiscoveryv2.AddToScheme,
	apiextensionsv1.AddToScheme,
	apiregistrationv1.AddToScheme,
	appsv1.AddToScheme,
	authenticationv1.AddToScheme,
	authorizationv1.AddToScheme,
	autoscalingv1.AddToScheme,
	autoscalingv2.AddToScheme,
	batchv1.AddToScheme,
	certificatesv1.AddToScheme,
	coordinationv1.AddToScheme,
	corev1.AddToScheme,
	discoveryv1.AddToScheme,
	eventsv1.AddToScheme,
	flowcontrolv1.AddToScheme,
	networkingv1.AddToScheme,
	nodev1.AddToScheme,
	policyv1.AddToScheme,
	rbacv1.AddToScheme,
	resourcev1.AddToScheme,
	schedulingv1.AddToScheme,
	storagev1.AddToScheme,
)

// unregistered are structs with protobuf numbers that no kind of the groups leads to.
var unregistered = []any{
	autoscalingv1.HorizontalPodAutoscalerCondition{},
	autoscalingv1.MetricSpec{},
	autoscalingv1.MetricStatus{},
	corev1.AvoidPods{},
	corev1.PodSignature{},
	corev1.Preconditions{},
	metav1.ApplyOptions{},
	metav1.GroupKind{},
	metav1.GroupResource{},
	metav1.GroupVersion{},
	metav1.List{},
	metav1.PartialObjectMetadata{},
	metav1.PartialObjectMetadataList{},
	metav1.Patch{},
	metav1.RootPaths{},
	metav1.TableOptions{},
	metav1.Timestamp{},
	runtime.TypeMeta{},
}

// field is one exported field. The reader is derive-go-structs.ts.
type field struct {
	// Name is the JSON name, empty for an embedded struct.
	Name string `json:"name"`
	// Embeds is the Go type of an embedded struct, whose fields stand in its place in JSON.
	Embeds string `json:"embeds,omitempty"`
	// Number is the protobuf number; 0 for what is not on the wire.
	Number int `json:"number,omitempty"`
	// Kind is Go's: "ptr", "struct", "slice", "map", "string", ...
	Kind      string `json:"kind"`
	OmitEmpty bool   `json:"omitEmpty,omitempty"`
	OmitZero  bool   `json:"omitZero,omitempty"`
}

type collector map[string][]field

// collect adds the struct behind t, if it is one of Kubernetes, and every struct it leads to.
func (c collector) collect(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		c.collect(t.Elem())
		return
	case reflect.Struct:
	default:
		return
	}
	name := typeName(t)
	if _, known := c[name]; known || !strings.HasPrefix(name, "k8s.io/") {
		return
	}
	// Taken before the fields are followed: types such as JSONSchemaProps contain themselves.
	c[name] = []field{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			c[name] = append(c[name], describe(f))
			c.collect(f.Type)
		}
	}
}

func describe(f reflect.StructField) field {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	described := field{Name: name, Number: protobufNumber(f), Kind: f.Type.Kind().String()}
	inline := f.Anonymous
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "omitempty":
			described.OmitEmpty = true
		case "omitzero":
			described.OmitZero = true
		case "inline":
			inline = true
		}
	}
	if inline && name == "" {
		described.Embeds = typeName(f.Type)
	}
	return described
}

// protobufNumber reads the 8 of `protobuf:"varint,8,opt,name=replicas"`.
func protobufNumber(f reflect.StructField) int {
	parts := strings.Split(f.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		log.Fatalf("the protobuf tag of %s has no number: %v", f.Name, err)
	}
	return number
}

func typeName(t reflect.Type) string {
	return t.PkgPath() + "." + t.Name()
}

func main() {
	log.SetFlags(0)
	scheme := runtime.NewScheme()
	if err := groups.AddToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	structs := collector{}
	for _, t := range scheme.AllKnownTypes() {
		structs.collect(t)
	}
	for _, value := range unregistered {
		structs.collect(reflect.TypeOf(value))
	}
	if err := json.NewEncoder(os.Stdout).Encode(structs); err != nil {
		log.Fatal(err)
	}
}
