// Evaluated in a page: the list of what is wrong with it, a sentence each.
(() => {
  const problems = [];
  const say = (text) => problems.push(text);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const name = (element) => {
    const id = element.closest("[id]")?.id ?? "";
    return `<${element.localName} class="${element.getAttribute("class") ?? ""}"> in #${id}`;
  };

  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) {
    const wide = all("body *").filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
    say(`is ${width} pixels wide in a window of ${innerWidth}: ${wide.slice(0, 3).map(name)}`);
  }

  if (all("h1").length !== 1) say(`has ${all("h1").length} h1`);
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.localName[1]);
    if (next > level + 1) say(`jumps from h${level} to h${next}: ${heading.textContent}`);
    level = next;
  }

  for (const landmark of ["header", "main", "footer"]) {
    if (all(landmark).length !== 1) say(`has ${all(landmark).length} ${landmark}`);
  }
  if (document.documentElement.lang === "") say("has no language");
  // The only script is the one whose hash the page's policy names; a form must lead nowhere.
  const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? "";
  const allowed = (element) =>
    (element.localName === "script" && element.src === "" && policy.includes("script-src 'sha256-")) ||
    (element.localName === "form" && policy.includes("form-action 'none'"));
  for (const element of all("script, iframe, object, embed, base, form, link")) {
    if (!allowed(element)) say(`holds ${name(element)}`);
  }
  for (const element of all("*")) {
    for (const { name: attribute } of element.attributes) {
      if (attribute.startsWith("on")) say(`${name(element)} has ${attribute}`);
    }
  }

  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) say(`has two #${id}`);
  for (const link of all("a[href]")) {
    const href = link.getAttribute("href");
    if (!href.startsWith("#") || document.getElementById(href.slice(1)) === null) {
      say(`links to ${href}, which is not here`);
    }
    if (link.textContent.trim() === "") say(`${name(link)} is a link without text`);
  }
  for (const element of all("[aria-labelledby]")) {
    if (document.getElementById(element.getAttribute("aria-labelledby")) === null) {
      say(`${name(element)} is labelled by nothing`);
    }
  }
  for (const cell of all("th")) if (!cell.hasAttribute("scope")) say(`${name(cell)} has no scope`);
  for (const table of all("table")) if (table.caption === null) say(`${name(table)} has no caption`);
  for (const region of all("body *")) {
    const scrolls = /auto|scroll/.test(getComputedStyle(region).overflowX);
    if (!scrolls || region.scrollWidth <= region.clientWidth) continue;
    if (region.tabIndex < 0 || !region.hasAttribute("aria-label")) {
      say(`${name(region)} scrolls, but not for the keyboard or without a label`);
    }
  }

  // Contrast, as WCAG 2 computes it.
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
  };
  const over = (top, below) => top.rgb.map((v, i) => v * top.alpha + below[i] * (1 - top.alpha));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => {
      const c = v / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const dark = matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches;
  const paper = (element) => {
    if (element === null) return dark ? [18, 18, 18] : [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, paper(element.parentElement));
  };
  const shape = /^(rect|path|circle|ellipse|polygon)$/;
  const underText = (element) => {
    const svg = element.ownerSVGElement;
    const box = element.getBoundingClientRect();
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const inside = (s) => s.isPointInFill(middle.matrixTransform(s.getScreenCTM().inverse()));
    let below = paper(svg);
    for (const one of svg.querySelectorAll("*")) {
      if (one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) break;
      const style = getComputedStyle(one);
      if (!shape.test(one.localName) || style.fill === "none" || !inside(one)) continue;
      const fill = parse(style.fill);
      below = over({ rgb: fill.rgb, alpha: fill.alpha * Number(style.fillOpacity) }, below);
    }
    return below;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const reported = new Set();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === "" || element.closest("title, desc, style, .heard")) continue;
    if (!element.checkVisibility({ contentVisibilityAuto: true })) continue;
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    const below = drawn ? underText(element) : paper(element);
    const ink = over(parse(drawn ? style.fill : style.color), below);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = contrast(ink, below);
    const key = `${name(element)} ${ratio.toFixed(1)}`;
    if (ratio < (large ? 3 : 4.5) && !reported.has(key)) {
      reported.add(key);
      say(`contrast ${ratio.toFixed(2)} of "${texts.currentNode.data.trim().slice(0, 30)}", ${name(element)}`);
    }
  }
  return problems;
})()
