use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap, core::v1::Pod};
use kube::{
    Client, Error, ResourceExt,
    api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams},
    discovery::Discovery,
};
use serde_json::json;

use crate::{NAMESPACE, Outcome, expect, widget::Widget};

fn config_map(name: &str, value: &str) -> Result<ConfigMap, serde_json::Error> {
    serde_json::from_value(json!({
        "metadata": { "name": name, "labels": { "check": "requests" } },
        "data": { "value": value },
    }))
}

/// Creates, reads, pages, patches, replaces, deletes.
pub async fn requests(client: Client) -> Outcome {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    for number in 0..25 {
        maps.create(&PostParams::default(), &config_map(&format!("c-{number:02}"), "1")?).await?;
    }
    let page = ListParams::default().labels("check=requests").limit(10);
    let first = maps.list(&page).await?;
    expect("first page", first.items.len(), 10)?;
    let token = first.metadata.continue_.ok_or("no token")?;
    let second = maps.list(&page.clone().continue_token(&token)).await?;
    expect("second page", second.items[0].name_any(), "c-10".to_string())?;
    let merge = json!({ "data": { "more": "2" } });
    let patched = maps.patch("c-00", &PatchParams::default(), &Patch::Merge(merge)).await?;
    expect("keys", patched.data.map(|data| data.len()), Some(2))?;
    let mut taken = maps.get("c-01").await?;
    taken.data.get_or_insert_default().insert("value".into(), "9".into());
    maps.replace("c-01", &PostParams::default(), &taken).await?;
    let pods: Api<Pod> = Api::namespaced(client, NAMESPACE);
    let pod: Pod = serde_json::from_value(json!({
        "metadata": { "name": "one" },
        "spec": { "containers": [{ "name": "main", "image": "fake:1" }] },
    }))?;
    pods.create(&PostParams::default(), &pod).await?;
    let strategic = json!({ "spec": { "containers": [{ "name": "main", "image": "fake:2" }] } });
    pods.patch("one", &PatchParams::default(), &Patch::Strategic(strategic)).await?;
    pods.delete("one", &DeleteParams::default().grace_period(0)).await?;
    let selected = ListParams::default().labels("check=requests");
    maps.delete_collection(&DeleteParams::default(), &selected).await?;
    expect("left", maps.list(&selected).await?.items.len(), 0)
}

/// Tells errors apart by their status.
pub async fn errors(client: Client) -> Outcome {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    expect("absent", maps.get_opt("absent").await?.is_none(), true)?;
    maps.create(&PostParams::default(), &config_map("twice", "1")?).await?;
    let again = maps.create(&PostParams::default(), &config_map("twice", "1")?).await;
    let Err(Error::Api(status)) = again else { return Err("created twice".into()) };
    expect("reason", status.reason.as_str(), "AlreadyExists")?;
    let widgets: Api<Widget> = Api::namespaced(client, NAMESPACE);
    let wrong = json!({
        "apiVersion": "kube-rs.example.com/v1", "kind": "Widget", "spec": { "size": "large" },
    });
    let refused = widgets.patch("wrong", &PatchParams::apply("kube-rs"), &Patch::Apply(wrong)).await;
    let Err(Error::Api(status)) = refused else { return Err("a wrong type was taken".into()) };
    // Not a request for the schema to judge: it cannot be merged at all.
    expect("code", status.code, 500)?;
    expect("reason", status.message.contains("failed to create typed patch object"), true)?;
    maps.delete("twice", &DeleteParams::default()).await?;
    Ok(())
}

/// Two managers, a conflict, force, and what nobody wants any more.
pub async fn apply(client: Client) -> Outcome {
    let deployments: Api<Deployment> = Api::namespaced(client, NAMESPACE);
    let wanted = |image: &str| {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" },
            "spec": {
                "selector": { "matchLabels": { "app": "web" } },
                "template": {
                    "metadata": { "labels": { "app": "web" } },
                    "spec": { "containers": [{ "name": "main", "image": image }] },
                },
            },
        })
    };
    let one = PatchParams::apply("one");
    let two = PatchParams::apply("two");
    deployments.patch("web", &one, &Patch::Apply(wanted("fake:1"))).await?;
    let conflict = deployments.patch("web", &two, &Patch::Apply(wanted("fake:2"))).await;
    let Err(Error::Api(status)) = conflict else { return Err("no conflict".into()) };
    expect("code", status.code, 409)?;
    let forced = deployments.patch("web", &two.force(), &Patch::Apply(wanted("fake:2"))).await?;
    expect("managers", forced.managed_fields().len(), 2)?;
    let status = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "status": { "observedGeneration": 1 },
    });
    deployments.patch_status("web", &PatchParams::apply("s").force(), &Patch::Apply(status)).await?;
    let scale = deployments.get_scale("web").await?;
    expect("replicas", scale.spec.and_then(|spec| spec.replicas), Some(1))?;
    deployments.delete("web", &DeleteParams::background()).await?;
    Ok(())
}

/// Finds every kind that is served, the own one as well.
pub async fn discovery(client: Client) -> Outcome {
    let found = Discovery::new(client).run_aggregated().await?;
    let widget = found
        .groups()
        .flat_map(|group| group.recommended_resources())
        .any(|(resource, _)| resource.kind == "Widget");
    expect("the widget is found", widget, true)
}
