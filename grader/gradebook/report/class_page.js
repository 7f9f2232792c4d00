
"use strict";
// Sorts and filters the tables of class "sortable". Each is one list of rows; cells are read once.
{
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  // In place of a number stand "-" (nothing handed in), "?" and "!" (no mark yet).
  const numberOf = (text) => {
    const number = Number.parseFloat(text);
    if (!Number.isNaN(number)) return number;
    return text === "-" ? -1 : -2;
  };

  const enhance = (table) => {
    const body = table.tBodies[0];
    const heads = Array.from(table.tHead.rows[0].cells);
    const form = document.querySelector(`form[data-for="${table.id}"]`);
    const inputs = Array.from(form.querySelectorAll("input, select"));
    const output = form.querySelector("output");
    let rows = null;

    const read = () => {
      rows ??= Array.from(body.rows, (row) => ({
        row,
        cells: Array.from(row.cells, (cell) => cell.textContent),
      }));
    };

    const sort = (column) => {
      read();
      const head = heads[column];
      const isNumber = head.classList.contains("points");
      const before = head.getAttribute("aria-sort");
      const first = isNumber ? "descending" : "ascending";
      const other = isNumber ? "ascending" : "descending";
      const order = before === first ? other : first;
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const key = isNumber ? numberOf : (text) => text;
      const compare = isNumber ? (a, b) => a - b : collator.compare;
      const keyed = rows.map((entry) => ({ entry, key: key(entry.cells[column]) }));
      keyed.sort((a, b) => sign * compare(a.key, b.key));
      rows = keyed.map(({ entry }) => entry);
      body.replaceChildren(...rows.map(({ row }) => row));
    };

    const test = (input) => {
      const wanted = input.value.toLowerCase();
      if (wanted === "") return () => true;
      if (input.type === "search") return (cells) => cells[0].toLowerCase().includes(wanted);
      const column = Number(input.dataset.column);
      if (input.dataset.all === "yes")
        return (cells) => cells.slice(column).some((text) => text.includes(input.value));
      return (cells) => cells[column].split(", ").includes(input.value);
    };

    const filter = () => {
      read();
      const tests = inputs.map(test);
      let shown = 0;
      for (const { row, cells } of rows) {
        const stays = tests.every((holds) => holds(cells));
        if (row.hidden === stays) row.hidden = !stays;
        if (stays) ++shown;
      }
      const number = (count) => count.toLocaleString("en");
      output.textContent = `${number(shown)} of ${number(rows.length)}`;
    };

    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(column));
      head.append(button);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", filter);
    form.hidden = false;
  };

  document.querySelectorAll("table.sortable").forEach(enhance);
}
