//! Drives the API server of $KUBECONFIG with kube-rs as published: typed clients, both strategies of its
//! watcher, reflectors, server-side apply, and a controller with a finalizer. Each step prints one line;
//! the exit code is 1 if one failed.

mod controller;
mod requests;
mod watching;
mod widget;

use std::{error::Error, future::Future, process::ExitCode, time::Duration, time::Instant};

use kube::Client;

pub type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

pub const NAMESPACE: &str = "kube-rs";

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn run() -> Outcome {
    let client = Client::try_default().await?;
    step("definition", widget::define(client.clone())).await?;
    step("requests", requests::requests(client.clone())).await?;
    step("errors", requests::errors(client.clone())).await?;
    step("server-side-apply", requests::apply(client.clone())).await?;
    step("watcher-list-watch", watching::follow(client.clone(), false)).await?;
    step("watcher-streaming-list", watching::follow(client.clone(), true)).await?;
    step("reflector", watching::reflect(client.clone())).await?;
    step("metadata-watcher", watching::metadata(client.clone())).await?;
    step("controller", controller::control(client.clone())).await?;
    step("discovery", requests::discovery(client)).await
}

async fn step(name: &str, work: impl Future<Output = Outcome>) -> Outcome {
    let begun = Instant::now();
    let result = match tokio::time::timeout(Duration::from_secs(60), work).await {
        Ok(result) => result,
        Err(_) => Err("not in time".into()),
    };
    match &result {
        Ok(()) => println!("ok {name} {} ms", begun.elapsed().as_millis()),
        Err(error) => println!("FAIL {name}: {error}"),
    }
    result
}

/// Says what was got if it is not what was expected.
pub fn expect<T: PartialEq + std::fmt::Debug>(what: &str, got: T, wanted: T) -> Outcome {
    if got == wanted {
        return Ok(());
    }
    Err(format!("{what}: got {got:?}, expected {wanted:?}").into())
}
