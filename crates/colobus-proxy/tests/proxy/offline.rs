//! Cutting a client off, and stopping the proxy.

use colobus_proxy::{Direction, ReleaseError};

use crate::peer::{Setup, from_client, from_server, soon};

#[tokio::test]
async fn a_cut_ends_everything_at_once_and_restoring_serves_again() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    let (mut polling, mut polled) = setup.get("/poll").await;
    client.send(from_client("before")).await;
    setup.until(|proxy| proxy.counts().to_server.messages == 1).await;

    soon(setup.proxy.cut()).await;
    assert_eq!(setup.proxy.sockets(), []);
    assert_eq!(setup.proxy.in_flight(), []);
    server.expect(from_client("before")).await;
    server.expect_end().await;
    client.expect_end().await;
    polling.expect_end().await;
    polled.expect_end().await;
    setup.browser().await.expect_end().await;

    setup.proxy.restore();
    let (mut client, mut server) = setup.websocket("/").await;
    server.send(from_server("back")).await;
    client.expect(from_server("back")).await;
}

#[tokio::test]
async fn a_cut_loses_what_is_held() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    client.send(from_client("lost")).await;
    setup.held(1).await;
    let id = setup.proxy.held()[0].id;
    soon(setup.proxy.cut()).await;
    assert_eq!(setup.proxy.held(), []);
    assert_eq!(setup.proxy.release(id).await, Err(ReleaseError::NotHeld(id)));
    server.expect_end().await;
    client.expect_end().await;
    assert_eq!(setup.proxy.counts().to_server.messages, 0);
}

#[tokio::test]
async fn what_a_client_says_after_the_cut_goes_nowhere() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    soon(setup.proxy.cut()).await;
    client.send(from_client("into the void")).await;
    server.expect_end().await;
}

#[tokio::test]
async fn dropping_the_proxy_closes_its_connections() {
    let setup = Setup::new().await;
    let address = setup.proxy.address();
    let (mut client, mut server) = setup.websocket("/").await;
    drop(setup.proxy);
    client.expect_end().await;
    server.expect_end().await;
    assert!(soon(tokio::net::TcpStream::connect(address)).await.is_err());
}
