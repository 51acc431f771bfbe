// Light, dark, or as the system has it. The choice is kept where the browser allows it.

const THEMES = { auto: "light dark", light: "light", dark: "dark" };
const THEME_KEY = "colobus-theme";

function setUpTheme() {
  const chosen = storedTheme();
  applyTheme(chosen);
  const options = [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]];
  const choose = (theme) => {
    applyTheme(theme);
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // A page from a file may have no storage: the choice then lasts as long as the page.
    }
  };
  document.getElementById("theme").append(choices("Colours", options, chosen, choose));
}

function applyTheme(theme) {
  document.documentElement.style.colorScheme = THEMES[theme];
}

function storedTheme() {
  try {
    const theme = localStorage.getItem(THEME_KEY);
    return Object.hasOwn(THEMES, theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}
