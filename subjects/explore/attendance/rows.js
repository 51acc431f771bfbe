// Rows of the list, as markup.
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function styleOf(attendee) {
  if (attendee.checkedin) {
    return ' style="background-color: #B6EDB8;"';
  }
  return "";
}

function rowOf(attendee) {
  const { id, name, email, department } = attendee;
  return (
    `<tr id="row${escaped(id)}"${styleOf(attendee)}>` +
    `<td><b>${escaped(name)}</b> - ${escaped(email)}<br>${escaped(department)}</td>` +
    `<td><a href="#" data-do="info" data-id="${escaped(id)}">[info]</a> ` +
    `<a href="#" data-do="checkin" data-id="${escaped(id)}">[checkin]</a> ` +
    `<a href="#" data-do="remove" data-id="${escaped(id)}">[delete]</a></td></tr>`
  );
}

function visitOf({ day, note }) {
  const item = document.createElement("li");
  item.textContent = day;
  if (note) {
    item.textContent += `: ${note}`;
    if (note === "late") {
      item.style.color = "firebrick";
    }
  }
  return item;
}
