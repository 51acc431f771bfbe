// A trip in three steps: days and people, extras, and a summary that can be confirmed. Written without JSX: nothing is compiled.
const { useState, useReducer } = React;
const h = React.createElement;
const PRICES = { tent: 20, cabin: 60, castle: 300 };

function Stepper({ label, value, least = 0, most = 99, onChange }) {
  const more = () => {
    if (value >= most) {
      document.title = `${label}: that is the most`;
      return;
    }
    onChange(value + 1);
  };
  const less = () => {
    if (value > least) {
      onChange(value - 1);
    } else {
      document.title = `${label}: that is the least`;
    }
    if (value < least) {
      document.title = "Below the least";
    }
  };
  return h("p", null, label, h("button", { onClick: less }, `Fewer ${label}`), value, h("button", { onClick: more }, `More ${label}`));
}

function extras(state, action) {
  switch (action.type) {
    case "toggle":
      return { ...state, [action.name]: !state[action.name] };
    case "guide":
      return { ...state, guides: state.guides + action.by };
    case "clear":
      return { bikes: false, boats: false, guides: 0 };
    default:
      throw new Error("An action that nobody sends");
  }
}

function Extras({ people, chosen, dispatch }) {
  const { bikes, boats, guides } = chosen;
  let hint = "";
  if (bikes && boats) {
    hint = "Bikes on boats need a rack";
  }
  if (guides > people) {
    hint = "More guides than people";
  }
  if (guides < 0) {
    hint = "Guides who are owed";
  }
  return h(
    "fieldset",
    null,
    h("button", { onClick: () => dispatch({ type: "toggle", name: "bikes" }) }, "Bikes"),
    h("button", { onClick: () => dispatch({ type: "toggle", name: "boats" }) }, "Boats"),
    h("button", { onClick: () => dispatch({ type: "guide", by: 1 }) }, "Add a guide"),
    h("button", { onClick: () => dispatch({ type: "clear" }) }, "Clear extras"),
    h("p", null, hint),
  );
}

function Contact({ onSent }) {
  const [mail, setMail] = useState("");
  const [problem, setProblem] = useState("");
  const send = () => {
    const [user, host] = mail.split("@");
    if (!host) {
      setProblem("This is no address");
      return;
    }
    if (user.length > 3 && host.endsWith(".org")) {
      setProblem("Societies call us instead");
      return;
    }
    if (user.length < 0) {
      setProblem("An address shorter than nothing");
    }
    onSent(mail);
  };
  return h(
    "div",
    null,
    h("label", null, "Mail", h("input", { value: mail, onChange: (event) => setMail(event.target.value) })),
    h("button", { onClick: send }, "Send"),
    h("p", null, problem),
  );
}

function App() {
  const [step, setStep] = useState(1);
  const [days, setDays] = useState(1);
  const [people, setPeople] = useState(2);
  const [place, setPlace] = useState("tent");
  const [sent, setSent] = useState(null);
  const [chosen, dispatch] = useReducer(extras, { bikes: false, boats: false, guides: 0 });
  const price = days * PRICES[place];
  let remark = "";
  if (place === "castle" && days >= 4) {
    remark = "A long stay in the castle";
  }
  if (people > 6 && place !== "castle") {
    remark = "Only the castle is large enough";
  }
  if (people < 1) {
    remark = "Nobody travels";
  }
  if (step === 1) {
    return h(
      "main",
      null,
      h(Stepper, { label: "days", value: days, least: 1, most: 14, onChange: setDays }),
      h(Stepper, { label: "people", value: people, least: 1, onChange: setPeople }),
      h("label", { htmlFor: "place" }, "Place"),
      h("select", { id: "place", value: place, onChange: (event) => setPlace(event.target.value) }, ...Object.keys(PRICES).map((name) => h("option", { key: name }, name))),
      h("button", { onClick: () => setStep((step) => step + 1) }, "Next"),
      h("p", null, remark),
    );
  }
  if (step === 2) {
    return h(
      "main",
      null,
      h(Extras, { people, chosen, dispatch }),
      h("button", { onClick: () => setStep(1) }, "Back"),
      h("button", { onClick: () => setStep(3) }, "To the summary"),
    );
  }
  const confirm = () => {
    if (price > 1000) {
      document.title = "An expensive trip";
    }
    if (chosen.guides >= 2 && people === 3) {
      document.title = "Three people and their guides";
    }
    if (sent !== null && days === 1) {
      document.title = "A single day, and a mail about it";
    }
    setStep(1);
  };
  return h(
    "main",
    null,
    `${people} people, ${days} days: ${price}`,
    h(Contact, { onSent: setSent }),
    h("button", { onClick: confirm }, "Confirm"),
  );
}

ReactDOM.createRoot(document.getElementById("root")).render(h(App));
