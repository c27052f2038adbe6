"use strict";
(() => {
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const grouping = new Intl.NumberFormat("en-US");
  const words = (value) => grouping.format(value);

  /** Makes an element; every text goes in as a text, never as markup. */
  const make = (tag, attributes = {}, ...inside) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  };

  /** Undoes the packing: differences, a zero followed by how many. */
  const unpack = (list) => {
    const found = [];
    let now = 0;
    for (let i = 0; i < list.length; i++) {
      if (list[i] === 0) for (let n = list[++i]; n > 0; n--) found.push(now);
      else found.push((now += list[i]));
    }
    return found;
  };
  const unpackLabels = (list) => {
    const found = [];
    let before = "";
    for (let i = 0; i < list.length; i += 2) found.push((before = before.slice(0, list[i]) + list[i + 1]));
    return found;
  };

  const data = JSON.parse(one("#data").textContent);
  const labels = unpackLabels(data.labels);
  const steps = labels.length;
  let step = data.at;
  let range = [1, steps];
  document.documentElement.classList.add("js");

  // Timelines: the picture is drawn again for the steps in view; values and marks at the cursor are said below it.
  const HEIGHT = 500, WIDTH = 1080, COLUMNS = 720, ROW = 19;
  const unitOf = (columns) => Math.max(Math.floor(WIDTH / Math.max(columns, 1)), 1);
  const timelines = all("section.timeline").map((section, place) => {
    const own = data.timelines[place];
    const svg = one("svg.stack", section);
    const cursor = document.createElementNS(svg.namespaceURI, "path");
    cursor.setAttribute("class", "cursor");
    svg.append(cursor);
    return {
      section, svg, cursor, top: own.top,
      layers: own.layers.map(unpack), bounds: own.bounds.map(unpack),
      marks: own.marks.map(([at, notes]) => ({ at: unpack(at), notes })),
      names: all(".strip > span", section).map((name) => name.firstChild.textContent.trim()),
    };
  });

  const runs = (values) => {
    const found = [];
    for (const value of values) {
      if (found.length && found[found.length - 1][0] === value) found[found.length - 1][1]++;
      else found.push([value, 1]);
    }
    return found;
  };
  const height = (value, top) => HEIGHT - Math.floor((value * HEIGHT) / top);
  const columnOf = (at, width) => Math.floor(((at - range[0]) * width) / (range[1] - range[0] + 1));

  const pick = (line) => {
    const count = range[1] - range[0] + 1, width = Math.min(count, COLUMNS), found = [];
    for (let column = 0; column < width; column++) {
      const from = Math.floor((column * count) / width), to = Math.floor(((column + 1) * count) / width);
      let best = from, most = -1;
      for (let i = from; i < to; i++) {
        const sum = line.layers.reduce((total, layer) => total + layer[range[0] - 1 + i], 0);
        if (sum > most) [best, most] = [i, sum];
      }
      found.push(range[0] - 1 + best);
    }
    return found;
  };

  const draw = (line) => {
    const picked = pick(line), width = Math.max(picked.length, 1), unit = unitOf(width);
    line.svg.setAttribute("viewBox", `0 0 ${width * unit} ${HEIGHT}`);
    let below = picked.map(() => 0);
    all(".layers path", line.svg).forEach((path, place) => {
      const above = below.map((low, i) => low + line.layers[place][picked[i]]);
      const there = runs(above.map((value) => height(value, line.top))).map(([y, run]) => `V${y}h${run * unit}`);
      const back = runs(below.map((value) => height(value, line.top)).reverse()).map(([y, run]) => `V${y}h-${run * unit}`);
      const empty = above.every((value, i) => value === below[i]);
      path.setAttribute("d", empty ? "" : `M0 ${height(below[0], line.top)}${there.join("")}${back.join("")}z`);
      below = above;
    });
    all(".bounds path", line.svg).forEach((path, place) => {
      let x = 0, parts = "", drawn = false;
      const levels = picked.map((at) => line.bounds[place][at]).map((value) => (value < 0 ? -1 : height(value, line.top)));
      for (const [y, run] of runs(levels)) {
        if (y >= 0) parts += drawn ? `V${y}h${run * unit}` : `M${x * unit} ${y}h${run * unit}`;
        x += run;
        drawn = y >= 0;
      }
      path.setAttribute("d", parts);
    });
    all(".strip svg", line.section).forEach((svg, place) => {
      const seen = line.marks[place].at.filter((at) => at >= range[0] && at <= range[1]);
      svg.setAttribute("viewBox", `0 0 ${width} 10`);
      const columns = [...new Set(seen.map((at) => columnOf(at, width)))];
      one("path", svg).setAttribute("d", columns.map((column) => `M${column}.5 0v10`).join(""));
    });
    const last = range[1] - range[0] + 1;
    const ticks = [...new Set([1, ...[1, 2, 3, 4].map((n) => Math.max(Math.floor((last * n) / 4), 1))])];
    one(".axis", line.section).replaceChildren(...ticks.map((n) => make("span", {}, words(range[0] - 1 + n))));
  };

  const drawAll = () => timelines.forEach((line) => { draw(line); point(line); });

  const point = (line) => {
    const width = Math.min(range[1] - range[0] + 1, COLUMNS), column = columnOf(step, width);
    const inside = step >= range[0] && step <= range[1];
    line.cursor.setAttribute("d", inside ? `M${(column + 0.5) * unitOf(width)} 0V${HEIGHT}` : "");
  };

  const notesOf = (line) => line.marks.flatMap((mark, place) => {
    const found = [];
    for (let i = mark.at.indexOf(step); i >= 0 && mark.at[i] === step; i++) {
      found.push(mark.notes[i] ? `${line.names[place]}: ${mark.notes[i]}` : line.names[place]);
    }
    return found;
  });

  const tell = (line) => {
    point(line);
    one(".at .step", line.section).textContent = words(step);
    one(".at .label", line.section).textContent = labels[step - 1];
    const layers = line.layers.map((layer) => layer[step - 1]);
    const bounds = line.bounds.map((bound) => bound[step - 1]);
    const values = [...layers, ...bounds, layers.reduce((total, value) => total + value, 0)];
    all(".legend b", line.section).forEach((value, place) => {
      value.textContent = values[place] < 0 ? "-" : words(values[place]);
    });
    one(".notes", line.section).replaceChildren(...notesOf(line).map((note) => make("li", {}, note)));
  };

  // Frames: the state of every row is walked from the first step, which is quicker than the drawing; only rows that
  // differ from what is shown are written.
  const frames = all("section.frames").map((section, place) => {
    const own = data.frames[place];
    const rows = all("tbody tr", section);
    const lanes = own.lanes.map(({ title, moves, why }) => {
      const [at, row, state, size, by] = moves.map(unpack);
      return { title, at, row, state, size, by, why };
    });
    const heads = all("table.head th", section).length;
    const frame = {
      section, rows, lanes, states: own.states, came: unpack(own.came), sizes: unpack(own.sizes), shown: [],
      first: heads - (lanes.length === 1 ? 4 : lanes.length), moved: new Set(),
      parts: all("div.part", section).map((part) => ({ part, size: all("tbody tr", part).length })),
    };
    frame.shown = lanes.map((lane) => walk(frame, lane, data.at));
    return frame;
  });

  function walk(frame, lane, upto) {
    const count = frame.rows.length;
    const state = new Int8Array(count).fill(-1), last = new Int32Array(count).fill(-1);
    for (let i = 0; i < count; i++) if (frame.came[i] && frame.came[i] <= upto) state[i] = 0;
    for (let i = 0; i < lane.at.length && lane.at[i] <= upto; i++) {
      state[lane.row[i]] = lane.state[i];
      last[lane.row[i]] = i;
    }
    return { state, last };
  }

  const stands = (frame, state) => state >= 0 && frame.states[state][1] === 1;
  const sizeOf = (frame, lane, now, row) => (now.last[row] < 0 ? frame.sizes[row] : lane.size[now.last[row]]);

  const put = (cell, text) => {
    const old = cell.firstChild;
    if (old) old.data = text;
    else if (text) cell.append(text);
  };
  const write = (frame, now, row) => {
    const { lanes, first } = frame, cells = frame.rows[row].cells;
    lanes.forEach((lane, place) => {
      const state = now[place].state[row], last = now[place].last[row], size = sizeOf(frame, lane, now[place], row);
      const name = state < 0 ? "" : frame.states[state][0];
      if (lanes.length > 1) {
        put(cells[first + place], stands(frame, state) && state ? `${name} ${words(size)}` : name);
        return;
      }
      put(cells[first], name);
      put(cells[first + 1], state < 0 ? "" : words(size));
      put(cells[first + 2], last < 0 ? "" : words(lane.at[last]));
      put(cells[first + 3], last < 0 ? "" : lane.why[lane.by[last]]);
    });
  };

  const show = (frame) => {
    const now = frame.lanes.map((lane) => walk(frame, lane, step));
    const sums = frame.lanes.map(() => [0, 0]), dirty = new Set(), moved = new Set();
    let gone = 0;
    for (let row = 0; row < frame.rows.length; row++) {
      let changed = false, come = false, part = false;
      for (let place = 0; place < now.length; place++) {
        const { state, last } = now[place], shown = frame.shown[place], lane = frame.lanes[place];
        changed ||= state[row] !== shown.state[row] || last[row] !== shown.last[row];
        come ||= state[row] >= 0;
        if (last[row] >= 0 && lane.at[last[row]] === step) moved.add(row);
        if (!stands(frame, state[row])) continue;
        part = true;
        sums[place][0]++;
        sums[place][1] += sizeOf(frame, lane, now[place], row);
      }
      if (come && !part) gone++;
      if (changed) {
        write(frame, now, row);
        dirty.add(row);
      }
      if (changed || moved.has(row) || frame.moved.has(row)) {
        frame.rows[row].className = `${come ? (part ? "" : "gone") : "absent"}${moved.has(row) ? " moved" : ""}`.trim();
      }
    }
    frame.shown = now;
    frame.moved = moved;
    if (dirty.size || !frame.fitted) fit(frame);
    one(".gone-count", frame.section).textContent = words(gone);
    one(".at .step", frame.section).textContent = words(step);
    const { items, units } = frame.section.dataset;
    one(".sums", frame.section).textContent = sums.map(([count, size], place) => {
      const under = frame.lanes.length > 1 ? `${frame.lanes[place].title}: ` : "";
      return `${under}${words(count)} ${items}, ${words(size)} ${units}`;
    }).join("; ");
    filters.get(frame.section)?.(dirty);
  };

  /** Gives parts that hold nothing to show no room, and the others about theirs. */
  const fit = (frame) => {
    frame.fitted = true;
    let row = 0;
    for (const { part, size } of frame.parts) {
      let count = 0, gone = 0;
      for (const end = row + size; row < end; row++) {
        const kind = frame.rows[row].className;
        if (kind.startsWith("gone")) gone++;
        else if (!kind.startsWith("absent")) count++;
      }
      const name = count ? "part" : gone ? "part gone" : "part absent";
      if (part.className !== name) part.className = name;
      part.style.containIntrinsicBlockSize = `auto ${Math.max(count, 1) * ROW}px`;
    }
  };

  // Filters: a search, a choice for each column of few words, and for tables of steps how they follow the cursor.
  const filters = new Map();
  const follow = [];

  const laneOf = (frame, place) => {
    const lane = frame ? place - frame.first : -1;
    return lane >= 0 && lane < frame.lanes.length ? lane : -1;
  };
  const textOf = (frame, row, i, place) => {
    const lane = laneOf(frame, place);
    if (lane < 0) return row.cells[place].textContent;
    const state = frame.shown[lane].state[i];
    return state < 0 ? "" : frame.states[state][0];
  };

  const choiceOf = (section, rows, head, place) => {
    const select = make("select", { "aria-label": head.textContent }, make("option", { value: "" }, "all"));
    const counts = new Map();
    for (const row of rows) {
      const text = row.cells[place].textContent;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const frame = frames.find((each) => each.section === section);
    const known = laneOf(frame, place) < 0 ? [...counts.keys()].sort() : frame.states.map(([name]) => name);
    for (const text of known) {
      const count = frame ? "" : ` (${words(counts.get(text))})`;
      select.append(make("option", { value: `=${text}` }, `${text || "none"}${count}`));
    }
    return select;
  };

  const filter = (section) => {
    const rows = all("tbody tr", section), parts = all("div.part", section);
    const heads = all("table.head th", section);
    const titles = heads.length ? heads : all("thead th", section);
    const search = make("input", { type: "search", placeholder: "search", "aria-label": `search in ${one("h2", section)?.textContent ?? "table"}` });
    const tools = make("div", { class: "tools", role: "search" }, search);
    const choices = titles.map((head, place) => [head, place]).filter(([head]) => "choice" in head.dataset)
      .map(([head, place]) => [choiceOf(section, rows, head, place), place, head.textContent]);
    for (const [select, , title] of choices) tools.append(make("label", {}, title, select));
    const lanes = frames.find((each) => each.section === section);
    const apart = make("input", { type: "checkbox" });
    if (lanes && lanes.lanes.length > 1) tools.append(make("label", {}, apart, "only where they differ"));
    const column = section.dataset.steps === undefined || !steps ? -1 : Number(section.dataset.steps);
    const when = make("select", { "aria-label": `${data.word}s shown` });
    for (const [value, text] of [["", "all"], ["upto", "up to the cursor"], ["at", "at the cursor"]]) {
      when.append(make("option", { value }, text));
    }
    if (column >= 0) tools.append(make("label", {}, `${data.word}s`, when));
    const count = make("output", { "aria-live": "polite" });
    tools.append(count);
    const before = one(".box", section);
    before.before(tools);
    const texts = [], numbers = [], showGone = one(".showgone", section);
    const matches = (row, i, wanted) => {
      if (column >= 0 && when.value) {
        numbers[i] ??= Number(row.cells[column].textContent.replaceAll(",", ""));
        if (when.value === "at" ? numbers[i] !== step : numbers[i] > step) return false;
      }
      for (const [select, place] of choices) {
        if (select.value && textOf(lanes, row, i, place) !== select.value.slice(1)) return false;
      }
      if (apart.checked && new Set(lanes.shown.map((lane) => lane.state[i])).size < 2) return false;
      if (!wanted) return true;
      texts[i] ??= row.textContent.toLowerCase();
      return texts[i].includes(wanted);
    };
    let active = false;
    const run = () => {
      const wanted = search.value.trim().toLowerCase();
      const now = wanted || apart.checked || when.value || choices.some(([select]) => select.value);
      if (!now && !active) return;
      active = Boolean(now);
      // Who looks for a text or a state wants to see that a row has left.
      const seeks = wanted || choices.some(([select, place]) => select.value && laneOf(lanes, place) >= 0);
      section.classList.toggle("sought", Boolean(seeks));
      const gone = seeks || !showGone || showGone.checked;
      let found = 0, come = 0;
      rows.forEach((row, i) => {
        const hit = !active || matches(row, i, wanted);
        if (row.hidden === hit) row.hidden = !hit;
        if (row.classList.contains("absent")) return;
        come++;
        if (hit && (gone || !row.classList.contains("gone"))) found++;
      });
      for (const part of parts) part.hidden = !part.querySelector("tbody tr:not([hidden])");
      count.textContent = active ? `${words(found)} of ${words(come)} rows` : "";
    };
    search.addEventListener("input", run);
    showGone?.addEventListener("change", run);
    for (const [select] of choices) select.addEventListener("change", run);
    when.addEventListener("change", run);
    apart.addEventListener("change", run);
    filters.set(section, (dirty) => {
      for (const i of dirty) delete texts[i];
      run();
    });
    if (column >= 0) follow.push(() => { if (when.value) run(); });
  };
  all("section[data-filter]").forEach(filter);

  // The cursor: one step that everything on the page follows.
  let waiting = false;
  let control = null;
  const refresh = () => {
    waiting = false;
    if (step < range[0] || step > range[1]) zoom(control.around.value);
    timelines.forEach(tell);
    frames.forEach(show);
    follow.forEach((run) => run());
    control.slider.value = control.number.value = String(step);
    control.slider.setAttribute("aria-valuetext", `${data.word} ${step}, ${labels[step - 1]}`);
    const line = timelines[0];
    const total = line ? line.layers.reduce((sum, layer) => sum + layer[step - 1], 0) : 0;
    const alone = timelines.length === 1;
    const notes = alone ? notesOf(line) : [];
    const sum = alone ? `${words(total)} together` : "";
    control.said.textContent = [labels[step - 1], sum, ...notes].filter(Boolean).join("  \u00b7  ");
  };
  const go = (to) => {
    if (!Number.isFinite(to)) return;
    step = Math.min(Math.max(Math.round(to), 1), steps);
    try {
      history.replaceState(null, "", `#step=${step}`);
    } catch {
      // A page in a frame without its own address keeps the old one.
    }
    if (!waiting) requestAnimationFrame(refresh);
    waiting = true;
  };

  const zoom = (around) => {
    const half = Math.floor(Number(around) / 2);
    const from = half ? Math.max(1, Math.min(step - half, steps - 2 * half)) : 1;
    range = [from, half ? Math.min(steps, from + 2 * half) : steps];
    drawAll();
  };

  const jump = (way) => {
    const kind = control.kind.value;
    const at = [...new Set(timelines.flatMap((line) => line.marks.flatMap((mark, place) => (
      !kind || line.names[place] === kind ? mark.at : []))))].sort((a, b) => a - b);
    const next = way > 0 ? at.find((each) => each > step) : at.reverse().find((each) => each < step);
    if (next !== undefined) go(next);
  };

  const button = (text, title, act) => {
    const made = make("button", { type: "button", "aria-label": title, title }, text);
    made.addEventListener("click", act);
    return made;
  };

  const build = () => {
    const { word } = data;
    const slider = make("input", { type: "range", min: 1, max: steps, value: step, "aria-label": word, id: "slider" });
    const number = make("input", { type: "number", min: 1, max: steps, value: step, "aria-label": `${word} number` });
    const around = make("select", { "aria-label": "steps in view" }, make("option", { value: "0" }, `all ${words(steps)}`));
    for (const count of [1000, 300, 100, 30]) {
      if (count < steps) around.append(make("option", { value: count }, `${words(count)} around`));
    }
    const kind = make("select", { "aria-label": "kind of mark" }, make("option", { value: "" }, "any mark"));
    for (const name of new Set(timelines.flatMap((line) => line.names))) kind.append(make("option", {}, name));
    const said = make("output", { "aria-live": "polite" });
    const form = make("form", { class: "control", "aria-label": `choose a ${word}` }, make("label", {}, `${word} `, number),
      button("\u25c0", `previous ${word}`, () => go(step - 1)), slider, button("\u25b6", `next ${word}`, () => go(step + 1)),
      make("span", {}, button("|\u25c0", "previous mark", () => jump(-1)), kind, button("\u25b6|", "next mark", () => jump(1))),
      make("label", {}, "view ", around), said);
    form.addEventListener("submit", (event) => event.preventDefault());
    slider.addEventListener("input", () => go(Number(slider.value)));
    number.addEventListener("change", () => go(Number(number.value)));
    around.addEventListener("change", () => zoom(around.value));
    control = { slider, number, around, kind, said };
    one("section.timeline, section.frames").before(form);
    for (const line of timelines) {
      line.svg.addEventListener("click", (event) => {
        const { left, width } = line.svg.getBoundingClientRect();
        go(range[0] + Math.floor(((event.clientX - left) / width) * (range[1] - range[0] + 1)));
      });
    }
  };

  /** Goes where the address points: a step, an anchor, or the first row with an id. */
  const aim = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const found = /^step[-=](\d+)$/.exec(name);
    if (found && steps) return go(Number(found[1]));
    let row = name && document.getElementById(name);
    if (!row && /^[0-9a-f]{12}$/.test(name)) {
      for (const { section, rows } of frames) {
        const place = all("table.head th", section).findIndex((head) => head.classList.contains("i"));
        row ||= rows.find(({ cells }) => cells[place].textContent === name);
      }
    }
    all(".aimed").forEach((old) => old.classList.remove("aimed"));
    if (!row || row.tagName !== "TR") return undefined;
    row.hidden = false;
    const part = row.closest("div.part");
    if (part) part.hidden = false;
    const box = row.closest("section")?.querySelector(".showgone");
    if (box && row.classList.contains("gone")) box.checked = true;
    row.classList.add("aimed");
    row.scrollIntoView({ block: "center" });
    return undefined;
  };
  if (steps) {
    build();
    refresh();
  }
  window.addEventListener("hashchange", aim);
  // A step's number in a table moves the cursor; the page stays where it is.
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("td"), section = cell?.closest("section[data-steps]");
    if (!steps || !section || cell.cellIndex !== Number(section.dataset.steps)) return;
    event.preventDefault();
    go(Number(cell.textContent.replaceAll(",", "")));
  });
  aim();
})();
