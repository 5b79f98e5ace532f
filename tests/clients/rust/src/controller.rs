use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Client, Resource, ResourceExt,
    api::{Api, DeleteParams, Patch, PatchParams, PostParams},
    runtime::{
        Controller,
        controller::Action,
        events::{Event, EventType, Recorder, Reporter},
        finalizer::{Event as Finalizer, finalizer},
        watcher,
    },
};
use serde_json::json;

use crate::{
    NAMESPACE, Outcome, expect,
    widget::{Widget, WidgetSpec},
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug)]
struct ReconcileError(String);

impl std::fmt::Display for ReconcileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReconcileError {}

impl From<kube::Error> for ReconcileError {
    fn from(error: kube::Error) -> Self {
        Self(error.to_string())
    }
}

async fn reconcile(widget: Arc<Widget>, client: Arc<Client>) -> Result<Action, ReconcileError> {
    let client = client.as_ref().clone();
    let widgets: Api<Widget> = Api::namespaced(client.clone(), NAMESPACE);
    finalizer(&widgets, "kube-rs.example.com/cleanup", widget, |event| async {
        match event {
            Finalizer::Apply(widget) => apply(widget, client).await,
            Finalizer::Cleanup(widget) => cleanup(widget, client).await,
        }
    })
    .await
    .map_err(|error| ReconcileError(error.to_string()))
}

async fn apply(widget: Arc<Widget>, client: Client) -> Result<Action, ReconcileError> {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let child = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {
            "name": widget.name_any(),
            "ownerReferences": [widget.controller_owner_ref(&())],
        },
        "data": { "size": widget.spec.size.to_string() },
    });
    let manager = PatchParams::apply("widgets").force();
    maps.patch(&widget.name_any(), &manager, &Patch::Apply(child)).await?;
    let status = json!({
        "apiVersion": "kube-rs.example.com/v1", "kind": "Widget",
        "status": { "observedGeneration": widget.metadata.generation },
    });
    let widgets: Api<Widget> = Api::namespaced(client.clone(), NAMESPACE);
    widgets.patch_status(&widget.name_any(), &manager, &Patch::Apply(status)).await?;
    let reporter = Reporter { controller: "widgets".into(), instance: None };
    let told = Event {
        type_: EventType::Normal,
        reason: "Applied".into(),
        note: None,
        action: "Apply".into(),
        secondary: None,
    };
    Recorder::new(client, reporter).publish(&told, &widget.object_ref(&())).await?;
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// There may be no garbage collector.
async fn cleanup(widget: Arc<Widget>, client: Client) -> Result<Action, ReconcileError> {
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    match maps.delete(&widget.name_any(), &DeleteParams::default()).await {
        Err(kube::Error::Api(status)) if status.code == 404 => {}
        result => drop(result?),
    }
    Ok(Action::await_change())
}

/// Makes widgets, changes them, takes children away, deletes them; a controller follows.
pub async fn control(client: Client) -> Outcome {
    let widgets: Api<Widget> = Api::namespaced(client.clone(), NAMESPACE);
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let running = Controller::new(widgets.clone(), watcher::Config::default())
        .owns(maps.clone(), watcher::Config::default())
        .run(
            reconcile,
            |_, error, _| {
                eprintln!("{error}");
                Action::requeue(Duration::from_secs(1))
            },
            Arc::new(client),
        );
    let pump = tokio::spawn(running.for_each(|_| async {}));
    for number in 0..10 {
        let spec = WidgetSpec { size: number, note: None };
        widgets.create(&PostParams::default(), &Widget::new(&format!("w-{number}"), spec)).await?;
    }
    for number in 0..10 {
        until_size(&maps, &format!("w-{number}"), number).await?;
    }
    let larger = Patch::Merge(json!({ "spec": { "size": 77 } }));
    widgets.patch("w-3", &PatchParams::default(), &larger).await?;
    until_size(&maps, "w-3", 77).await?;
    maps.delete("w-4", &DeleteParams::default()).await?;
    until_size(&maps, "w-4", 4).await?;
    while widgets.get("w-3").await?.status.and_then(|status| status.observed_generation) != Some(2) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    widgets.delete_collection(&DeleteParams::default(), &Default::default()).await?;
    while !widgets.list(&Default::default()).await?.items.is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    expect("the child is cleaned up", maps.get_opt("w-5").await?.is_none(), true)?;
    pump.abort();
    Ok(())
}

async fn until_size(maps: &Api<ConfigMap>, name: &str, size: i32) -> Result<(), Failure> {
    loop {
        let found = maps.get_opt(name).await?.and_then(|map| map.data);
        if found.is_some_and(|data| data.get("size") == Some(&size.to_string())) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
