use std::{collections::BTreeMap, pin::pin, time::Duration};

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Client, ResourceExt,
    api::{Api, DeleteParams, Patch, PatchParams, PostParams},
    runtime::{
        WatchStreamExt, metadata_watcher, reflector,
        watcher::{self, Event, watcher},
    },
};
use serde_json::json;

use crate::{NAMESPACE, Outcome, expect};

fn named(check: &str, number: usize) -> Result<ConfigMap, serde_json::Error> {
    serde_json::from_value(json!({
        "metadata": { "name": format!("{check}-{number:02}"), "labels": { "check": check } },
        "data": { "value": "1" },
    }))
}

/// Ten are there before, ten come after; each is changed, half of them go.
async fn write(maps: &Api<ConfigMap>, check: &str) -> Outcome {
    for number in 10..20 {
        maps.create(&PostParams::default(), &named(check, number)?).await?;
    }
    for number in 0..20 {
        let name = format!("{check}-{number:02}");
        let body = Patch::Merge(json!({ "data": { "value": "2" } }));
        maps.patch(&name, &PatchParams::default(), &body).await?;
        if number % 2 == 1 {
            maps.delete(&name, &DeleteParams::default()).await?;
        }
    }
    Ok(())
}

/// Sees all that happens, whichever way the watcher begins, though each watch lasts but two seconds.
pub async fn follow(client: Client, streaming: bool) -> Outcome {
    let check = if streaming { "streaming" } else { "listing" };
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    for number in 0..10 {
        maps.create(&PostParams::default(), &named(check, number)?).await?;
    }
    let config = watcher::Config::default().labels(&format!("check={check}")).timeout(2);
    let config = if streaming { config.streaming_lists() } else { config.page_size(4) };
    let mut events = pin!(watcher(maps.clone(), config));
    let mut known = BTreeMap::new();
    let mut initial = 0;
    loop {
        match events.try_next().await?.ok_or("the watcher ended")? {
            Event::Init => known.clear(),
            Event::InitApply(object) => {
                initial += 1;
                known.insert(object.name_any(), object.data);
            }
            Event::InitDone => break,
            event => return Err(format!("{event:?} before the list was done").into()),
        }
    }
    expect("initial", initial, 10)?;
    let writer = tokio::spawn({
        let (maps, check) = (maps.clone(), check.to_string());
        async move {
            tokio::time::sleep(Duration::from_secs(3)).await;
            write(&maps, &check).await
        }
    });
    let (mut applied, mut deleted) = (0, 0);
    while deleted < 10 || applied < 30 {
        match events.try_next().await?.ok_or("the watcher ended")? {
            Event::Apply(object) => {
                applied += 1;
                known.insert(object.name_any(), object.data);
            }
            Event::Delete(object) => {
                deleted += 1;
                known.remove(&object.name_any());
            }
            event => return Err(format!("{event:?} though nothing was lost").into()),
        }
    }
    writer.await??;
    expect("applied", applied, 30)?;
    expect("known", known.len(), 10)
}

/// Keeps a store in step.
pub async fn reflect(client: Client) -> Outcome {
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    let config = watcher::Config::default().labels("check=reflector");
    let (reader, writer) = reflector::store();
    let mut stream =
        Box::pin(watcher(maps.clone(), config).default_backoff().reflect(writer).applied_objects());
    let pump = tokio::spawn(async move { while stream.next().await.is_some() {} });
    reader.wait_until_ready().await?;
    for number in 0..10 {
        maps.create(&PostParams::default(), &named("reflector", number)?).await?;
    }
    write(&maps, "reflector").await?;
    while reader.len() != 10 || reader.state().iter().any(|map| map.data.as_ref().is_none_or(|data| data["value"] != "2")) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    pump.abort();
    Ok(())
}

/// Sees metadata only.
pub async fn metadata(client: Client) -> Outcome {
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    let config = watcher::Config::default().labels("check=metadata");
    let mut events = pin!(metadata_watcher(maps.clone(), config).applied_objects());
    maps.create(&PostParams::default(), &named("metadata", 1)?).await?;
    let seen = events.try_next().await?.ok_or("the watcher ended")?;
    expect("name", seen.name_any(), "metadata-01".to_string())
}
