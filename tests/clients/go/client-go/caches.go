package main

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic/dynamicinformer"
	clientinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// informers keeps what others write in shared caches, by protobuf.
func informers(w *world) error {
	configMaps := w.typed.CoreV1().ConfigMaps(w.namespace)
	for number := range 100 {
		if _, err := configMaps.Create(w, configMap(named("before", number), "1"), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	factory := clientinformers.NewSharedInformerFactoryWithOptions(
		w.typed, 0, clientinformers.WithNamespace(w.namespace),
	)
	shared := factory.Core().V1().ConfigMaps()
	byValue := cache.Indexers{"value": func(object any) ([]string, error) {
		return []string{object.(*corev1.ConfigMap).Data["value"]}, nil
	}}
	if err := shared.Informer().AddIndexers(byValue); err != nil {
		return err
	}
	var events counter
	if _, err := shared.Informer().AddEventHandler(&events); err != nil {
		return err
	}
	factory.Core().V1().Pods().Informer()
	factory.Apps().V1().Deployments().Informer()
	factory.Core().V1().Services().Informer()
	factory.Batch().V1().Jobs().Informer()
	factory.Start(w.Done())
	for kind, synced := range factory.WaitForCacheSync(w.Done()) {
		if !synced {
			return fmt.Errorf("the cache of %v did not sync", kind)
		}
	}
	for number := range 100 {
		if _, err := configMaps.Create(w, configMap(named("after", number), "2"), metav1.CreateOptions{}); err != nil {
			return err
		}
		if _, err := configMaps.Update(w, configMap(named("before", number), "3"), metav1.UpdateOptions{}); err != nil {
			return err
		}
		if number%2 == 0 {
			if err := configMaps.Delete(w, named("before", number), metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	selector := labels.SelectorFromSet(labels.Set{"app": "check"})
	err := w.until("the cache holds what is there", func() (bool, error) {
		listed, err := configMaps.List(w, metav1.ListOptions{LabelSelector: selector.String()})
		if err != nil {
			return false, err
		}
		cached, err := shared.Lister().ConfigMaps(w.namespace).List(selector)
		if err != nil || len(cached) != len(listed.Items) {
			return false, err
		}
		versions := map[string]string{}
		for _, each := range cached {
			versions[each.Name] = each.ResourceVersion + each.Data["value"]
		}
		wanted := map[string]string{}
		for _, each := range listed.Items {
			wanted[each.Name] = each.ResourceVersion + each.Data["value"]
		}
		return len(wanted) == 150 && maps.Equal(versions, wanted), nil
	})
	if err != nil {
		return err
	}
	changed, err := shared.Informer().GetIndexer().ByIndex("value", "3")
	if err != nil {
		return err
	}
	return first(
		expect("changed, by the index", len(changed), 50),
		w.until("every event was told", func() (bool, error) {
			return events.is(200, 100, 50), nil
		}),
	)
}

// watchList fills a cache by a watch alone, without a list.
func watchList(w *world) error {
	configMaps := w.typed.CoreV1().ConfigMaps(w.namespace)
	for number := range 30 {
		if _, err := configMaps.Create(w, configMap(named("x", number), "1"), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	factory := clientinformers.NewSharedInformerFactoryWithOptions(
		w.typed, 0, clientinformers.WithNamespace(w.namespace),
	)
	informer := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(w.Done())
	factory.WaitForCacheSync(w.Done())
	lists, streams := 0, 0
	for _, each := range w.traffic.of("GET", "/configmaps") {
		switch {
		case each.query.Get("sendInitialEvents") == "true":
			streams++
		case each.query.Get("watch") == "":
			lists++
		}
	}
	return first(
		expect("objects", len(informer.GetStore().List()), 30),
		expect("lists", lists, 0),
		expect("watches with initial events", streams, 1),
	)
}

// dynamicInformers follows a custom resource without types.
func dynamicInformers(w *world) error {
	if err := w.defineGadgets(); err != nil {
		return err
	}
	client := w.dynamic.Resource(gadgets).Namespace(w.namespace)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(w.dynamic, 0, w.namespace, nil)
	lister := factory.ForResource(gadgets).Lister()
	factory.Start(w.Done())
	factory.WaitForCacheSync(w.Done())
	for number := range 20 {
		made, err := client.Create(w, gadget(named("g", number), int64(number)), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		made.Object["status"] = map[string]any{"seen": true}
		if _, err := client.UpdateStatus(w, made, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	if _, err := client.Create(w, gadget("large", 101), metav1.CreateOptions{}); err == nil {
		return fmt.Errorf("a gadget over the maximum was taken")
	}
	return w.until("all gadgets are cached with their status", func() (bool, error) {
		cached, err := lister.ByNamespace(w.namespace).List(labels.Everything())
		if err != nil || len(cached) != 20 {
			return false, err
		}
		for _, each := range cached {
			if seen, _, _ := unstructured.NestedBool(each.(*unstructured.Unstructured).Object, "status", "seen"); !seen {
				return false, nil
			}
		}
		return true, nil
	})
}

// metadataInformers follows built-in and custom resources by their metadata only.
func metadataInformers(w *world) error {
	if err := w.defineGadgets(); err != nil {
		return err
	}
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	factory := metadatainformer.NewFilteredSharedInformerFactory(w.metadata, 0, w.namespace, nil)
	podLister := factory.ForResource(pods).Lister()
	gadgetLister := factory.ForResource(gadgets).Lister()
	factory.Start(w.Done())
	factory.WaitForCacheSync(w.Done())
	if _, err := w.typed.CoreV1().Pods(w.namespace).Create(w, pod("one"), metav1.CreateOptions{}); err != nil {
		return err
	}
	client := w.dynamic.Resource(gadgets).Namespace(w.namespace)
	if _, err := client.Create(w, gadget("one", 1), metav1.CreateOptions{}); err != nil {
		return err
	}
	for _, lister := range []cache.GenericLister{podLister, gadgetLister} {
		err := w.until("its metadata is cached", func() (bool, error) {
			found, err := lister.ByNamespace(w.namespace).Get("one")
			if errors.IsNotFound(err) {
				return false, nil
			}
			partial, ok := found.(*metav1.PartialObjectMetadata)
			return ok && partial.UID != "", err
		})
		if err != nil {
			return err
		}
	}
	got, err := w.metadata.Resource(pods).Namespace(w.namespace).Get(w, "one", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect("label", got.Labels["app"], "check")
}
