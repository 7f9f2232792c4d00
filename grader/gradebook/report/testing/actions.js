// Evaluated in a report on a class: sorts and filters every table, and returns what went wrong and
// how long each kind of action took at most, layout included.
(() => {
  const problems = [];
  const slowest = {};
  const timed = (name, action) => {
    const start = performance.now();
    action();
    document.body.getBoundingClientRect(); // layout
    slowest[name] = Math.max(slowest[name] ?? 0, performance.now() - start);
  };
  const shown = (table) => [...table.tBodies[0].rows].filter((row) => !row.hidden);
  const cells = (table, column) => shown(table).map((row) => row.cells[column].textContent);

  // As the page sorts: other text comes below every number, and missing marks before the rest.
  const value = (text) => {
    const number = Number.parseFloat(text);
    return Number.isNaN(number) ? (text === "-" ? -1 : -2) : number;
  };
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const inOrder = (texts, isNumber, sign) =>
    texts.every((text, i) => {
      if (i === 0) return true;
      const difference = isNumber ? value(texts[i - 1]) - value(text) : collator.compare(texts[i - 1], text);
      return sign * difference <= 0;
    });

  const sortEvery = (table) => {
    const count = shown(table).length;
    for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
      const isNumber = head.classList.contains("points");
      const name = `${table.id}, ${head.textContent}`;
      for (const order of isNumber ? ["descending", "ascending"] : ["ascending", "descending"]) {
        timed("sort", () => head.querySelector("button").click());
        if (head.getAttribute("aria-sort") !== order) problems.push(`${name}: is not sorted ${order}`);
        if (table.querySelectorAll("[aria-sort]").length !== 1) problems.push(`${name}: two columns are sorted`);
        const texts = cells(table, column);
        if (texts.length !== count) problems.push(`${name}: ${texts.length} of ${count} rows are left`);
        if (!inOrder(texts, isNumber, order === "ascending" ? 1 : -1)) problems.push(`${name}: wrong order`);
      }
    }
  };

  const enter = (name, input, text) =>
    timed(name, () => {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });

  const filterEvery = (table) => {
    const form = document.querySelector(`form[data-for="${table.id}"]`);
    const all = shown(table).length;
    const check = (what, wanted) => {
      const output = form.querySelector("output").textContent;
      const number = (count) => count.toLocaleString("en");
      if (output !== `${number(shown(table).length)} of ${number(all)}`) problems.push(`${what}: says ${output}`);
      if (wanted === 0 || shown(table).length !== wanted) {
        problems.push(`${what}: shows ${shown(table).length} rows, not ${wanted}`);
      }
    };
    const search = form.querySelector("input");
    const part = cells(table, 0)[0].slice(0, 6).toUpperCase();
    const with_part = cells(table, 0).filter((name) => name.toUpperCase().includes(part)).length;
    enter("search", search, part);
    check(`search for ${part}`, with_part);
    enter("search", search, "");
    for (const select of form.querySelectorAll("select")) {
      const column = Number(select.dataset.column);
      const every = select.dataset.all === "yes";
      for (const option of [...select.options].slice(1)) {
        const holds = (row) =>
          every
            ? [...row.cells].slice(column).some((cell) => cell.textContent.includes(option.value))
            : row.cells[column].textContent.split(", ").includes(option.value);
        const wanted = shown(table).filter(holds).length;
        enter("filter", select, option.value);
        check(`${select.id} ${option.value}`, wanted);
        enter("filter", select, "");
      }
    }
    if (shown(table).length !== all) problems.push(`${table.id}: rows are lost`);
  };

  const tables = document.querySelectorAll("table.sortable");
  if (tables.length === 0) problems.push("has nothing to sort");
  for (const table of tables) {
    filterEvery(table);
    sortEvery(table);
  }
  timed("jump to the end", () => scrollTo(0, document.documentElement.scrollHeight));
  scrollTo(0, 0);
  return { problems, slowest };
})()
