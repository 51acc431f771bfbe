// Answers every request in the place of the server.
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(new Response("from the service worker")));
