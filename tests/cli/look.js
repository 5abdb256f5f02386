// What is wrong with the page as it is shown now: a list of complaints, empty if nothing is. tests/cli/look.py runs it.
const complaints = [];
const wrong = (what, element) => {
  const name = element ? `${element.tagName} "${(element.textContent || "").trim().slice(0, 40)}"` : "";
  complaints.push(`${what} ${name}`.trim());
};
const width = document.documentElement.clientWidth;
const printed = matchMedia("print").matches;
const regions = [...document.querySelectorAll(".table,.code")];
const inRegion = element => regions.some(region => region !== element && region.contains(element));

// Nothing is wider than the screen but what is moved by itself; on paper nothing at all.
if (document.documentElement.scrollWidth > width) wrong(`the page is ${document.documentElement.scrollWidth} wide on ${width}`);
for (const element of document.querySelectorAll("body *")) {
  if (element.closest("svg") || (!printed && inRegion(element))) continue;
  const box = element.getBoundingClientRect();
  if (box.width > 0 && box.right > width + 1) wrong(`reaches ${Math.round(box.right)} of ${width}:`, element);
}
// Where there is room for two columns nothing at all is cut, and neither half is empty.
for (const element of document.querySelectorAll("svg"))
  if (element.getBoundingClientRect().right > width + 1) wrong(`a picture reaches ${Math.round(element.getBoundingClientRect().right)} of ${width}:`, element);
if (!printed && width >= 1200) {
  for (const region of regions)
    if (region.scrollWidth > region.clientWidth + 1) wrong(`is cut, ${region.scrollWidth} wide in ${region.clientWidth}:`, region);
  for (const side of document.querySelectorAll(".side")) {
    const right = Math.max(...[...side.querySelectorAll("svg,table,p,li")].map(part => part.getBoundingClientRect().right));
    if (right < width / 2) wrong(`an empty right half beside ${Math.round(right)} of ${width}:`, side);
  }
}
// What a picture says is read: at a telephone's width, too.
for (const text of document.querySelectorAll("svg text")) {
  const scale = text.getScreenCTM(), size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b);
  if (size < 5.5) wrong(`letters ${size.toFixed(1)} high:`, text);
}
for (const region of regions)
  if (region.scrollWidth > region.clientWidth + 1 && region.tabIndex !== 0) wrong("cannot be moved with keys:", region);

// Every picture has its words, and its figures beside it.
const pictures = [...document.querySelectorAll("svg")];
for (const picture of pictures) {
  const words = (picture.getAttribute("aria-labelledby") || "").split(" ").map(id => document.getElementById(id));
  if (picture.getAttribute("role") !== "img" || words.length !== 2 || words.some(word => !word || !word.textContent.trim()))
    wrong("a picture without its words", picture);
  if (!picture.closest("figure")?.querySelector("table")) wrong("a picture without its table", picture);
}

// No text of a picture lies on another, or outside.
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
for (const picture of pictures) {
  const frame = picture.getBoundingClientRect();
  const texts = [...picture.querySelectorAll("text")].map(text => ({text, box: text.getBoundingClientRect()}));
  for (const [i, {text, box}] of texts.entries()) {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      wrong("text outside its picture:", text);
    for (const other of texts.slice(i + 1))
      if (overlap(box, other.box)) wrong(`"${other.text.textContent}" lies on`, text);
  }
}
// Nor do headings, paragraphs and tables.
const blocks = [...document.querySelectorAll("h1,h2,h3,p,figcaption,table,svg,pre,nav")];
for (const [i, block] of blocks.entries()) {
  const next = blocks[i + 1]?.getBoundingClientRect(), box = block.getBoundingClientRect();
  if (next && next.left < box.right && box.left < next.right && next.top < box.bottom - 2 && next.bottom > box.top + 2 &&
      !block.contains(blocks[i + 1]) && !block.closest("nav"))
    wrong("lies on what follows:", block);
}

// Ids are unique, references lead somewhere.
const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
for (const id of new Set(ids)) if (ids.filter(other => other === id).length > 1) wrong(`id ${id} is there more than once`);
for (const link of document.querySelectorAll("a,use")) {
  const to = link.getAttribute("href") || "";
  if (!to.startsWith("#") || !document.getElementById(to.slice(1))) wrong(`leads nowhere: ${to}`, link);
}
for (const element of document.querySelectorAll("[fill^=url],[stroke^=url]"))
  for (const name of ["fill", "stroke"]) {
    const id = /url\(#(.*)\)/.exec(element.getAttribute(name) || "")?.[1];
    if (id && !document.getElementById(id)) wrong(`no pattern ${id}`, element);
  }

// Contrast: 4.5 for text, 3 for lines and marks (WCAG 2.2, 1.4.3 and 1.4.11).
const rgb = colour => (colour.match(/[\d.]+/g) || []).map(Number);
const luminance = colour => {
  const [r, g, b] = rgb(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};
const paper = getComputedStyle(document.documentElement).backgroundColor;
const seen = new Set();
const demand = (least, colour, ground, element) => {
  const key = `${least} ${colour} ${ground}`;
  if (seen.has(key)) return;
  seen.add(key);
  if (!(contrast(colour, ground) >= least)) wrong(`contrast ${contrast(colour, ground).toFixed(2)} of ${colour} on ${ground}:`, element);
};
for (const element of document.querySelectorAll("h1,h2,h3,p,a,td,th,caption,figcaption,code,footer"))
  demand(4.5, getComputedStyle(element).color, paper, element);
const fields = picture => [...picture.querySelectorAll("polygon,path,rect")].filter(shape => {
  const style = getComputedStyle(shape);
  return style.fill.startsWith("rgb(") && Number(style.fillOpacity) === 1 && !shape.closest("defs");
});
for (const picture of pictures) {
  const grounds = fields(picture).map(shape => ({box: shape.getBoundingClientRect(), fill: getComputedStyle(shape).fill}));
  for (const text of picture.querySelectorAll("text")) {
    const box = text.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const ground = grounds.filter(({box: g}) => g.left < x && x < g.right && g.top < y && y < g.bottom && g.width > 8).pop();
    demand(4.5, getComputedStyle(text).fill, ground ? ground.fill : paper, text);
  }
  for (const line of picture.querySelectorAll("path,use")) {
    const stroke = getComputedStyle(line).stroke;
    if (stroke.startsWith("rgb(") && !(line.getAttribute("stroke") || "").includes("grid") && !line.closest("defs"))
      demand(3, stroke, paper, line);
  }
}

// Keys go through the page from top to bottom.
const stops = [...document.querySelectorAll("a[href],[tabindex]")];
if (stops.some(stop => stop.tabIndex !== 0)) wrong("an order of keys of its own");

// One file: nothing was fetched, nothing runs.
for (const entry of performance.getEntriesByType("resource")) wrong(`fetched ${entry.name}`);
if (document.querySelector("script,iframe,object,embed,form,[onload],[onclick],[onerror]")) wrong("something that runs");
if (document.documentElement.lang !== "en" || !document.title) wrong("no language or title");
return complaints;
