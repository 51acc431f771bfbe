//! TLS that the proxy does not open.

use colobus_proxy::Direction;

use crate::peer::Setup;

#[tokio::test]
async fn tls_is_carried_and_counted_and_never_held() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.tunnel().await;
    setup.proxy.hold(Direction::BOTH);
    client.send(b"\x16\x03\x01 client hello").await;
    server.expect(b"\x16\x03\x01 client hello").await;
    server.send(b"anything at all").await;
    client.expect(b"anything at all").await;
    setup
        .until(|proxy| {
            let counts = proxy.counts();
            (counts.to_server.opaque_bytes, counts.to_client.opaque_bytes) == (16, 15)
        })
        .await;
    drop(client);
    server.expect_end().await;
    assert_eq!(setup.proxy.counts().to_server.messages, 0);
}
