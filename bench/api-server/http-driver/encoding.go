package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// encoding is how objects travel in the measured phase: the bodies of writes are those of the kind
// in this encoding (kind.in), the answers are read here. What surrounds the measured phase, the
// oracle above all, speaks JSON.
type encoding struct {
	name, mediaType string
	// versionOf is the resourceVersion of the object in an answer; "": the answer holds none.
	versionOf func(answer []byte) string
	// countItems reads a list to its end.
	countItems func(body io.Reader) (items int, size int64, err error)
}

var jsonEncoding = encoding{
	name: "json", mediaType: "application/json",
	versionOf:  func(answer []byte) string { return textAfter(answer, versionOpening) },
	countItems: countItems,
}

var protobufEncoding = encoding{
	name: "protobuf", mediaType: "application/vnd.kubernetes.protobuf",
	versionOf:  protobufVersion,
	countItems: countProtobufItems,
}

// encodable are the options of a mode that can speak either.
func encodable(own func(*flag.FlagSet, *common)) func(*flag.FlagSet, *common) {
	return func(flags *flag.FlagSet, settings *common) {
		own(flags, settings)
		flags.Func("encoding", "json (default), or protobuf for configmaps and pods", func(text string) error {
			for _, known := range []encoding{jsonEncoding, protobufEncoding} {
				if known.name == text {
					settings.encoding = known
					return nil
				}
			}
			return errors.New("json or protobuf is needed")
		})
	}
}

// contentType: every PATCH of this driver is a server-side apply; JSON is YAML.
func (e encoding) contentType(method string) string {
	if method == http.MethodPatch {
		return "application/apply-patch+yaml"
	}
	return e.mediaType
}

var protobufMagic = []byte("k8s\x00")

// openEnvelope is the message inside the envelope that Kubernetes puts around protobuf.
func openEnvelope(text []byte) ([]byte, error) {
	inner, found := bytes.CutPrefix(text, protobufMagic)
	if !found {
		return nil, fmt.Errorf("not protobuf of Kubernetes: %.40q", text)
	}
	var envelope runtime.Unknown
	err := envelope.Unmarshal(inner)
	return envelope.Raw, err
}

// protobufVersion reads the metadata alone: it is the first field of every object.
func protobufVersion(answer []byte) string {
	message, err := openEnvelope(answer)
	var object metav1.PartialObjectMetadata
	if err != nil || object.Unmarshal(message) != nil {
		return ""
	}
	return object.ResourceVersion
}

func countProtobufItems(body io.Reader) (items int, size int64, err error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return 0, int64(len(text)), err
	}
	message, err := openEnvelope(text)
	if err != nil {
		return 0, int64(len(text)), err
	}
	// As of an object, so of each item: only the metadata is read.
	var list metav1.PartialObjectMetadataList
	err = list.Unmarshal(message)
	return len(list.Items), int64(len(text)), err
}
