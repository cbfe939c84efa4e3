/** An element with properties, listeners (`onclick`) and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** A select with [value, text] entries. */
export function choice(entries, chosen, onchange, properties = {}) {
  const select = make("select", { ...properties, onchange: () => onchange(select.value) });
  for (const [value, text] of entries) select.append(make("option", { value, textContent: text }));
  select.value = chosen;
  return select;
}

/** Saves a blob under a name. */
export function download(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
