// The buggy shop uses its prices before they are there, and empties its form whenever the page is shown.
const sound = location.pathname.startsWith("/sound/");
const shown = document.getElementById("shown");

let prices;
const show = () => (shown.textContent = prices.map(({ name, price }) => `${name}: ${price}`).join(", "));
fetch("/prices").then(async (answer) => {
  prices = await answer.json();
  if (shown.dataset.wanted) show();
});
document.getElementById("prices").addEventListener("click", () => {
  shown.dataset.wanted = sound ? "yes" : "";
  if (prices || !sound) show();
});
document.getElementById("terms").addEventListener("click", () => (shown.textContent = "No refunds."));
if (!sound) addEventListener("pageshow", () => document.getElementById("order").reset());
