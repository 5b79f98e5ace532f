use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{
    Client, CustomResource, CustomResourceExt,
    api::{Api, Patch, PatchParams, PostParams},
    runtime::wait::{await_condition, conditions},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{NAMESPACE, Outcome};

/// Wants a ConfigMap that tells its size.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "kube-rs.example.com",
    version = "v1",
    kind = "Widget",
    namespaced,
    status = "WidgetStatus"
)]
pub struct WidgetSpec {
    pub size: i32,
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct WidgetStatus {
    #[serde(rename = "observedGeneration")]
    pub observed_generation: Option<i64>,
}

pub async fn define(client: Client) -> Outcome {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = Widget::crd_name();
    let apply = PatchParams::apply("kube-rs").force();
    definitions.patch(name, &apply, &Patch::Apply(Widget::crd())).await?;
    await_condition(definitions, name, conditions::is_crd_established()).await?;
    let namespace: Namespace = serde_json::from_value(json!({ "metadata": { "name": NAMESPACE } }))?;
    Api::all(client.clone()).create(&PostParams::default(), &namespace).await?;
    let account: ServiceAccount = serde_json::from_value(json!({ "metadata": { "name": "default" } }))?;
    Api::namespaced(client, NAMESPACE).create(&PostParams::default(), &account).await?;
    Ok(())
}
