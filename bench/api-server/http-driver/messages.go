package main

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The bodies of objects.go as protobuf, made by the types that Go clients use. What all objects of a
// kind share is decoded from the JSON body once, so that both encodings say the same.

func configMapMessage(i int, sequence uint32, version string) []byte {
	object := corev1.ConfigMap{
		ObjectMeta: typedMetadata(i, version, nil),
		Data:       map[string]string{"mark": mark(i, sequence), "payload": payload(i, sequence, configMapPayload)},
	}
	return inEnvelope("ConfigMap", &object)
}

var (
	typedPod       = decodedPod(pod(0, 0, ""))
	typedPodStatus = decodedPod(podStatus(0, 0, "")).Status
)

func podMessage(i int, sequence uint32, version string) []byte {
	object := corev1.Pod{ObjectMeta: typedMetadata(i, version, typedMark(i, sequence)), Spec: typedPod.Spec}
	return inEnvelope("Pod", &object)
}

func podStatusMessage(i int, sequence uint32, version string) []byte {
	object := corev1.Pod{
		ObjectMeta: typedMetadata(i, version, typedMark(i, 0)), Spec: typedPod.Spec, Status: typedPodStatus,
	}
	object.Status.Message = mark(i, sequence)
	return inEnvelope("Pod", &object)
}

func decodedPod(text []byte) corev1.Pod {
	var object corev1.Pod
	if err := json.Unmarshal(text, &object); err != nil {
		panic(fmt.Sprintf("the body of a pod is not a pod: %v", err))
	}
	return object
}

func typedMetadata(i int, version string, annotations map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:            objectName(i),
		Labels:          map[string]string{"app": fmt.Sprintf("bench-%d", i%10), "shard": fmt.Sprint(i % shards)},
		Annotations:     annotations,
		ResourceVersion: version,
	}
}

func typedMark(i int, sequence uint32) map[string]string {
	return map[string]string{markKey: mark(i, sequence)}
}

// inEnvelope is a body as Kubernetes wants it: magic bytes, then the object beside its version and kind.
func inEnvelope(kindName string, object interface{ Marshal() ([]byte, error) }) []byte {
	message, err := object.Marshal()
	if err != nil {
		panic(fmt.Sprintf("a %s cannot be encoded: %v", kindName, err))
	}
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: kindName}, Raw: message}
	text, err := envelope.Marshal()
	if err != nil {
		panic(fmt.Sprintf("an envelope cannot be encoded: %v", err))
	}
	return append(append(make([]byte, 0, len(protobufMagic)+len(text)), protobufMagic...), text...)
}
