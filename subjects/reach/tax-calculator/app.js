// The TaxCalculator of the thesis: income, optional deduction, and a result that nobody expects to be negative.
const RATE = 0.25;
let income = 0;
let deduction = 0;
let enabled = false;

const element = (id) => document.getElementById(id);

function show(screen) {
  for (const section of document.querySelectorAll("section")) {
    section.hidden = section.id !== screen + "-screen";
  }
}

for (const key of document.querySelectorAll("#keypad button")) {
  const digit = Number(key.textContent);
  key.addEventListener("click", () => {
    income = 10 * income + digit;
    element("display").textContent = income;
  });
}

function report(taxable) {
  if (taxable < 0) {
    element("result").textContent = "The deduction is above the income";
  } else {
    element("result").textContent = "Tax: " + taxable * RATE;
  }
  show("result");
}

element("calculate").addEventListener("click", () => {
  if (enabled) {
    report(income - deduction);
  } else {
    report(income);
  }
});

element("toggle").addEventListener("click", () => {
  if (enabled) {
    enabled = false;
  } else {
    enabled = true;
  }
  element("toggle").textContent = "Deductions: " + (enabled ? "on" : "off");
});

element("deduction").addEventListener("input", (event) => {
  deduction = Number(event.target.value);
});

element("back").addEventListener("click", () => show("income"));
element("menu").addEventListener("click", () => show("menu"));
element("settings").addEventListener("click", () => show("settings"));
element("done").addEventListener("click", () => show("income"));
element("edit").addEventListener("click", () => show("deduction"));
element("close").addEventListener("click", () => show("settings"));
