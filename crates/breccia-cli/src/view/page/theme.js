const KEY = "breccia-theme";

/** The theme somebody chose here before, else the system's. */
export function beginTheme(onchange) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = localStorage.getItem(KEY) ?? (system.matches ? "dark" : "light");
    onchange();
  };
  system.addEventListener("change", apply);
  apply();
  return () => {
    localStorage.setItem(KEY, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
  };
}
