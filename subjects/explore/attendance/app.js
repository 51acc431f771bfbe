// An attendance list for meetings: pages of attendees, who are searched, added, checked in and deleted.
const $ = (id) => document.getElementById(id);
let [page, query] = [0, ""];

async function call(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } };
  if (body) options.body = JSON.stringify(body);
  const answer = await fetch(`api/${path}`, options);
  if (!answer.ok) {
    $("message").textContent = `Not possible: ${answer.status}`;
    return null;
  }
  $("message").textContent = "";
  return answer.json();
}

async function gotoPage(number) {
  const attendees = await call("GET", `attendees?page=${number}&query=${encodeURIComponent(query)}`);
  if (!attendees) return;
  if (attendees.length === 0 && number > 0) {
    $("message").textContent = "That was the last page";
    return;
  }
  page = number;
  populate(attendees);
}

function populate(attendees) {
  $("attendees").innerHTML = attendees.map(rowOf).join("");
  const present = attendees.filter((attendee) => attendee.checkedin).length;
  $("count").textContent = `${present} of ${attendees.length}`;
  if (attendees.length === 0) {
    $("message").textContent = query ? `Nobody is called ${query}` : "Nobody is expected";
  } else if (present === attendees.length) {
    $("message").textContent = "All are here";
  }
  $("info").hidden = true;
}

const actions = {
  async info(id) {
    const attendee = await call("GET", `attendees/${id}`);
    if (!attendee) return;
    const list = document.createElement("ul");
    list.append(...attendee.visits.map(visitOf));
    if (attendee.visits.length === 0) {
      list.textContent = "Never seen before";
    }
    $("info").replaceChildren(attendee.name, list);
    $("info").hidden = false;
  },
  async checkin(id) {
    const attendee = await call("POST", `attendees/${id}/checkin`);
    if (!attendee) return;
    const row = $(`row${id}`);
    if (row) row.outerHTML = rowOf(attendee);
  },
  async remove(id) {
    if ((await call("DELETE", `attendees/${id}`)) === null) return;
    $(`row${id}`)?.remove();
    if (!$("attendees").rows.length && page > 0) {
      gotoPage(page - 1);
    }
  },
};

$("attendees").addEventListener("click", (event) => {
  const { do: action, id } = event.target.dataset;
  if (!action) return;
  event.preventDefault();
  actions[action](id);
});
$("previous").onclick = () => (page > 0 ? gotoPage(page - 1) : undefined);
$("next").onclick = () => gotoPage(page + 1);
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  query = event.target.elements.query.value;
  if (query === "*") {
    query = "";
  }
  gotoPage(0);
});
$("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, email, department } = Object.fromEntries(new FormData(event.target));
  if (!name) {
    $("message").textContent = "Who?";
    return;
  }
  if (email && !email.includes("@")) {
    $("message").textContent = "That is no address";
    return;
  }
  const added = await call("POST", "attendees", { name, email, department });
  if (added) {
    event.target.reset();
    gotoPage(page);
  }
});
gotoPage(0);
