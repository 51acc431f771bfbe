// A desk that knows nothing by itself: what it shows and what it does next is decided by answers of its server.
const $ = (id) => document.getElementById(id);
const say = (text) => ($("message").textContent = text);
let items = [];
let loads = 0;
let order = null;

$("load").onclick = async () => {
  const response = await fetch("/api/items");
  if (response.status === 503) {
    say("The shelf is closed");
    return;
  }
  items = await response.json();
  loads += 1;
  if (loads > 1) {
    say("Loaded once more");
  }
  if (items.length > 10) {
    say("A long shelf");
  }
};

$("check").onclick = () => {
  if (items.length === 0) {
    say("Nothing to check");
    return;
  }
  if (items.some((item) => item.stock === 0)) {
    say("Something is sold out");
  }
  if (items[0].blocked) {
    say("The first is blocked");
  }
};

$("search").onclick = async () => {
  const wanted = $("name").value.trim();
  const response = await fetch(`/api/search?name=${wanted}`);
  const found = await response.json();
  if (found.length === 0) {
    say("Nothing is called that");
  } else if (found.length === 3) {
    say("Everything is called that");
  }
  if (wanted === "cherry" && found.length === 1) {
    say("The fruit of the month");
  }
};

$("order").onclick = async () => {
  const amount = Number($("amount").value);
  const response = await fetch("/api/orders", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ item: 1, amount }),
  });
  if (!response.ok) {
    say("The order was refused");
    return;
  }
  order = await response.json();
  if (order.state === "waiting") {
    setTimeout(follow, 200);
  }
};

// An order is asked for until it is ready.
const follow = () =>
  fetch(`/api/orders/${order.id}`)
    .then((response) => response.json())
    .then((now) => {
      order = now;
      if (order.state === "ready" && order.amount >= 2) {
        say("More than one is ready");
      }
      if (order.state === "lost") {
        say("The order was lost");
      }
    });

$("prices").onclick = () => {
  const request = new XMLHttpRequest();
  request.open("GET", "/api/prices");
  request.onload = () => {
    const prices = JSON.parse(request.responseText);
    if (prices.currency === "EUR" && items.length > 0) {
      say("Prices of what was loaded");
    }
    if (prices.currency === "USD") {
      say("Prices of elsewhere");
    }
  };
  request.send();
};
