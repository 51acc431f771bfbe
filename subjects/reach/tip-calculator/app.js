// What each guest pays, with a tip for the service.
const RATES = { poor: 0, good: 10, great: 20 };
const form = { bill: 0, service: "good", guests: 1, round: false, voucher: "" };

const element = (id) => document.getElementById(id);
const say = (text) => (element("said").textContent = text);

element("bill").addEventListener("input", ({ target }) => {
  form.bill = Number(target.value);
  if (form.bill < 0) {
    say("A bill cannot be negative");
  }
});
element("service").addEventListener("change", ({ target: { value } }) => {
  form.service = value;
});
element("voucher").addEventListener("input", (event) => {
  form.voucher = event.target?.value.trim() ?? "";
});
element("round").addEventListener("change", (event) => {
  form.round = event.target.checked;
});

function setGuests(guests) {
  form.guests = guests;
  element("guests").textContent = guests;
}
element("more").addEventListener("click", () => {
  setGuests(form.guests + 1);
  if (form.guests > 8) {
    say("A party of nine needs the large table");
  }
});
element("fewer").addEventListener("click", () => {
  if (form.guests > 1) {
    setGuests(form.guests - 1);
  } else {
    say("Somebody has to pay");
  }
  if (form.guests < 1) {
    say("Nobody is left");
  }
});

function rate({ service, guests, ...rest }) {
  if (service === "poor") {
    return RATES.poor;
  }
  if (guests >= 6 && service === "great") {
    say("Great service for a large party");
    return RATES.great + 5;
  }
  if (rest.round && service === "poor") {
    say("Poor service is never rounded up");
  }
  return service === "great" ? RATES.great : RATES.good;
}

function discount(voucher, bill) {
  if (!voucher.startsWith("TIP")) {
    return 0;
  }
  const percent = parseInt(voucher.slice(3), 10);
  if (percent > 50) {
    say("No voucher is worth more than half");
    return 0;
  }
  if (voucher.length > 8) {
    say("No voucher is that long");
  }
  if (percent > 20 && bill > 100) {
    say("A large voucher on a large bill");
  }
  return percent || 0;
}

element("split").addEventListener("click", () => {
  const { bill, guests, round, voucher } = form;
  if (bill <= 0) {
    say("Nothing to pay");
    return;
  }
  const total = bill + (bill * (rate(form) - discount(voucher, bill))) / 100;
  let share = total / guests;
  if (round) {
    share = Math.ceil(share);
    if (share * guests - total > 5) {
      say("Rounding up costs more than five");
      return;
    }
    if (share < total / guests) {
      say("Rounding up made it less");
    }
  }
  if (share > 1000) {
    say("An expensive evening");
  } else {
    say(`Each pays ${share}`);
  }
});
