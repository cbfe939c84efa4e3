/** table.csv: columns by name with unit, numbers by column. A half-written last row is left out. */
export function parseTable(text) {
  const lines = text.split("\n");
  const columns = splitRow(lines[0] ?? "").map((title) => {
    const [, name, unit] = title.match(/^(.*?)(?: \[(.*)\])?$/) ?? [null, title, ""];
    return { name, unit: unit ?? "", values: [] };
  });
  for (const line of lines.slice(1)) {
    if (line === "") continue;
    const cells = line.split(",");
    if (cells.length !== columns.length) continue;
    cells.forEach((cell, i) => columns[i].values.push(Number(cell)));
  }
  return columns;
}

function splitRow(line) {
  const cells = [];
  let cell = "", quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') cell += line[++i];
    else if (c === '"') quoted = !quoted;
    else if (c === "," && !quoted) {
      cells.push(cell);
      cell = "";
    } else if (c !== "\r") cell += c;
  }
  return [...cells, cell];
}
