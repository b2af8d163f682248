'use strict';
(() => {
  const report = JSON.parse(document.getElementById('report').textContent);
  const colours = JSON.parse(document.getElementById('colours').textContent);
  const dark = matchMedia('screen and (prefers-color-scheme: dark)');
  const views = [];
  let printing = false;
  let ownScale = false;

  // ---- Small pieces ----

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const ramp = () => dark.matches && !printing ? colours.dark : colours.light;

  function colourOf(share) {
    const table = ramp();
    return table[Math.round(Math.min(1, Math.max(0, share)) * (table.length - 1))];
  }

  function channels(hex) {
    return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
  }

  // Black or white, whichever is easier to read on the colour.
  function inkOn(hex) {
    const [red, green, blue] = channels(hex);
    return 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? '#222222' : '#ffffff';
  }

  function percent(weight) {
    const value = 100 * weight;
    return (value >= 9.95 ? value.toFixed(0) : value >= 0.095 ? value.toFixed(1) : value.toPrecision(1)) + '\u00a0%';
  }

  const largestOf = map => map.reduce((top, row) => row.reduce((a, b) => Math.max(a, b), top), 0);

  const scaleTop = map => (ownScale && largestOf(map)) || report.scale_top;

  // One pixel for each cell; the style makes it larger.
  function paintMap(canvas, map) {
    const top = scaleTop(map);
    const rows = map.length, cols = map[0].length;
    canvas.width = cols;
    canvas.height = rows;
    const context = canvas.getContext('2d');
    const image = context.createImageData(cols, rows);
    let at = 0;
    for (const row of map) {
      for (const weight of row) {
        image.data.set(channels(colourOf(weight / top)), at);
        image.data[at + 3] = 255;
        at += 4;
      }
    }
    context.putImageData(image, 0, 0);
  }

  function paintRamp(canvas) {
    paintMap(canvas, [Array.from({length: 128}, (_, i) => i / 127 * report.scale_top)]);
  }

  // The places of the largest weights, the largest first.
  function topPlaces(weights, count) {
    return weights.map((weight, index) => [weight, index]).sort((a, b) => b[0] - a[0]).slice(0, count)
        .filter(([weight]) => weight > 0);
  }

  // One element of a group takes part in the Tab order; arrow keys move between them.
  function focusOne(group, chosen, focus) {
    for (const item of group) item.tabIndex = item === chosen ? 0 : -1;
    if (focus) chosen.focus();
  }

  // ---- One panel ----

  class PanelView {
    constructor(panel) {
      this.panel = panel;
      this.choice = {layer: null, head: null};
      this.zoom = 1;
      this.kept = false;
      this.active = {query: null, key: null};
      this.section = element('section', {class: 'panel'});
      this.buildHeading();
      const parts = element('div', {class: 'parts'});
      if (panel.layers * panel.heads > 1) parts.append(this.buildOverview());
      parts.append(this.buildDetail());
      this.section.append(parts);
    }

    buildHeading() {
      const {panel} = this;
      const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;
      this.section.append(
          element('h2', {dir: 'auto'}, panel.name),
          element('p', {class: 'shape'},
              `${panel.query_axis} (${panel.queries.length}) down, ${panel.key_axis} (${panel.keys.length}) across; ` +
              `${count(panel.layers, 'layer')} of ${count(panel.heads, 'head')}`));
    }

    // ---- Overview: layers down, heads across ----

    buildOverview() {
      const {panel} = this;
      this.tiles = [];
      const columns = panel.heads > 1 ? [null] : [];
      for (let head = 0; head < panel.heads; ++head) columns.push(head);
      const header = element('tr', {}, element('td'));
      for (const head of columns)
        header.append(element('th', {scope: 'col'}, head === null ? 'mean' : `head ${head + 1}`));
      const table = element('table', {'aria-label': `${panel.name}: layers and heads`}, header);
      if (panel.layers > 1) this.addTileRow(table, 'all layers', [{layer: null, head: null}]);
      for (let layer = 0; layer < panel.layers; ++layer)
        this.addTileRow(table, `layer ${layer + 1}`, columns.map(head => ({layer, head})));
      table.addEventListener('keydown', event => this.moveTile(event));
      return element('div', {class: 'overview'}, table);
    }

    addTileRow(table, name, choices) {
      const row = element('tr', {}, element('th', {scope: 'row'}, name));
      const tiles = choices.map(choice => this.makeTile(choice));
      for (const tile of tiles) row.append(element('td', {}, tile.button));
      this.tiles.push(tiles);
      table.append(row);
    }

    makeTile(choice) {
      const {panel} = this;
      const side = panel.heads > 8 ? 64 : 84;
      const longest = Math.max(panel.queries.length, panel.keys.length);
      const canvas = element('canvas', {style:
          `width:${Math.max(4, panel.keys.length / longest * side)}px;` +
          `height:${Math.max(4, panel.queries.length / longest * side)}px`});
      const button = element('button', {class: 'tile', type: 'button', 'aria-label': this.describe(choice)}, canvas);
      const entropy = this.entropyOf(choice);
      if (entropy !== null) button.append(`${entropy.toFixed(2)} nats`);
      button.title = this.describe(choice) + (entropy === null ? '' : `: mean entropy ${entropy.toFixed(2)} nats`);
      button.addEventListener('click', () => this.choose(choice));
      return {button, canvas, choice};
    }

    entropyOf({layer, head}) {
      return this.panel.statistics && layer !== null && head !== null ? this.panel.statistics[layer][head].entropy : null;
    }

    moveTile(event) {
      const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
        Home: [0, -1e6], End: [0, 1e6]};
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      const row = this.tiles.findIndex(tiles => tiles.some(tile => tile.button === document.activeElement));
      if (row < 0) return;
      const col = this.tiles[row].findIndex(tile => tile.button === document.activeElement);
      const limit = (value, count) => Math.max(0, Math.min(count - 1, value));
      const nextRow = limit(row + step[0], this.tiles.length);
      const next = this.tiles[nextRow][limit(col + step[1], this.tiles[nextRow].length)];
      focusOne(this.tiles.flat().map(tile => tile.button), next.button, true);
    }

    // ---- The chosen map ----

    buildDetail() {
      const {panel} = this;
      this.caption = element('h3');
      this.sentences = {
        query: this.buildSentence('query', panel.queries, panel.query_axis),
        key: this.buildSentence('key', panel.keys, panel.key_axis),
      };
      this.status = element('p', {class: 'status', 'aria-live': 'polite'});
      this.legend = element('canvas');
      this.legendTop = element('span');
      this.canvas = element('canvas', {tabindex: '0', role: 'img'});
      this.labels = element('div', {class: 'labels', 'aria-hidden': 'true'});
      this.cross = [element('div', {class: 'cross'}), element('div', {class: 'cross'})];
      this.figure = element('div', {class: 'map'}, this.canvas, this.labels, ...this.cross);
      this.scroll = element('div', {class: 'scroll'}, this.figure);
      this.listenToMap();
      return element('div', {class: 'detail'}, this.caption, this.sentences.query, this.sentences.key, this.status,
          this.buildTools(), this.scroll);
    }

    buildTools() {
      const smaller = element('button', {type: 'button', 'aria-label': 'smaller map'}, '−');
      const larger = element('button', {type: 'button', 'aria-label': 'larger map'}, '+');
      smaller.addEventListener('click', () => this.setZoom(this.zoom / 1.5));
      larger.addEventListener('click', () => this.setZoom(this.zoom * 1.5));
      return element('div', {class: 'tools'}, element('span', {}, smaller, ' ', larger),
          element('span', {class: 'legend'}, 'weight 0', this.legend, this.legendTop));
    }

    buildSentence(kind, words, axis) {
      const list = element('ol', {class: 'sentence', 'data-axis': axis, 'aria-label': axis});
      words.forEach((word, index) => {
        const item = element('li', {dir: 'auto', tabindex: index === 0 ? '0' : '-1', 'data-index': index}, word);
        this.listenToWord(item, kind, index);
        item.addEventListener('focus', () => this.point(kind, index));
        list.append(item);
      });
      list.addEventListener('keydown', event => this.moveWord(event, list, kind));
      return list;
    }

    listenToWord(item, kind, index) {
      item.addEventListener('mouseenter', () => this.point(kind, index));
      item.addEventListener('mouseleave', () => this.release());
      item.addEventListener('click', () => this.keep(kind, index));
    }

    moveWord(event, list, kind) {
      const items = [...list.children];
      const at = items.indexOf(document.activeElement);
      const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1}[event.key];
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        this.keep(kind, at);
      } else if (to !== undefined) {
        event.preventDefault();
        this.kept = false;
        focusOne(items, items[Math.max(0, Math.min(items.length - 1, to))], true);
      }
    }

    listenToMap() {
      const place = event => {
        const box = this.canvas.getBoundingClientRect();
        const limit = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
        return {
          query: limit((event.clientY - box.top) / box.height * this.panel.queries.length, this.panel.queries.length),
          key: limit((event.clientX - box.left) / box.width * this.panel.keys.length, this.panel.keys.length),
        };
      };
      this.canvas.addEventListener('mousemove', event => {
        if (!this.kept) this.show(place(event));
      });
      this.canvas.addEventListener('mouseleave', () => this.release());
      this.canvas.addEventListener('click', event => {
        this.kept = !this.kept;
        this.show(place(event));
      });
      this.canvas.addEventListener('keydown', event => this.moveCell(event));
      this.section.addEventListener('keydown', event => {
        if (event.key === 'Escape') this.letGo();
        if (event.key === '+' || event.key === '=') this.setZoom(this.zoom * 1.5);
        if (event.key === '-') this.setZoom(this.zoom / 1.5);
      });
    }

    moveCell(event) {
      const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
      if (!step) return;
      event.preventDefault();
      const {query, key} = this.active;
      const fresh = query === null || key === null;
      const limit = (value, count) => Math.max(0, Math.min(count - 1, value));
      this.show({
        query: limit((query ?? 0) + (fresh ? 0 : step[0]), this.panel.queries.length),
        key: limit((key ?? 0) + (fresh ? 0 : step[1]), this.panel.keys.length),
      });
    }

    // ---- What is pointed at ----

    point(kind, index) {
      if (!this.kept) this.show({query: null, key: null, [kind]: index});
    }

    keep(kind, index) {
      const again = this.kept && this.active[kind] === index;
      this.kept = !again;
      this.show(again ? {query: null, key: null} : {query: null, key: null, [kind]: index});
    }

    release() {
      if (!this.kept) this.show({query: null, key: null});
    }

    letGo() {
      this.kept = false;
      this.release();
    }

    show(active) {
      this.active = active;
      const {query, key} = active;
      const row = query === null ? null : this.map[query];
      const column = key === null ? null : this.map.map(weights => weights[key]);
      this.tint('key', query !== null && key === null ? row : null);
      this.tint('query', key !== null && query === null ? column : null);
      this.markActive();
      this.placeCross();
      this.status.textContent = this.statusOf(row, column);
    }

    // The words of one side in the colours of their weights, where there are some.
    tint(kind, weights) {
      const top = weights && scaleTop(this.map);
      const paint = (item, index) => {
        const colour = weights ? colourOf(weights[index] / top) : '';
        item.style.background = colour;
        item.style.color = colour && inkOn(colour);
      };
      [...this.sentences[kind].children].forEach(paint);
      for (const label of this.labels.querySelectorAll('.' + kind)) paint(label, Number(label.dataset.index));
    }

    markActive() {
      for (const kind of ['query', 'key']) {
        const mark = item => item.classList.toggle('active', Number(item.dataset.index) === this.active[kind]);
        [...this.sentences[kind].children].forEach(mark);
        this.labels.querySelectorAll('.' + kind).forEach(mark);
      }
    }

    placeCross() {
      const {left, top, width, height, cell} = this.place;
      const {query, key} = this.active;
      const [row, column] = this.cross;
      row.hidden = query === null;
      column.hidden = key === null;
      row.style.cssText = `left:${left - 2}px;top:${top + (query ?? 0) * cell - 2}px;` +
          `width:${width + 4}px;height:${cell + 4}px`;
      column.style.cssText = `left:${left + (key ?? 0) * cell - 2}px;top:${top - 2}px;` +
          `width:${cell + 4}px;height:${height + 4}px`;
    }

    statusOf(row, column) {
      const {queries, keys} = this.panel;
      const {query, key} = this.active;
      const list = (weights, words) => topPlaces(weights, 4)
          .map(([weight, index]) => `“${words[index]}” ${percent(weight)}`).join(', ') || 'nothing';
      if (row && column) return `“${queries[query]}” gives “${keys[key]}” ${percent(row[key])}`;
      if (row) return `“${queries[query]}” looks at: ${list(row, keys)}`;
      if (column) return `“${keys[key]}” is looked at by: ${list(column, queries)}`;
      return '';
    }

    // ---- Drawing ----

    describe({layer, head}) {
      const {layers, heads} = this.panel;
      if (layer === null && head === null && layers > 1)
        return heads > 1 ? `mean of ${layers} layers of ${heads} heads` : `mean of ${layers} layers`;
      const name = `layer ${(layer ?? 0) + 1}`;
      if (head === null && heads > 1) return `${name}, mean of ${heads} heads`;
      return `${name}, head ${(head ?? 0) + 1}`;
    }

    mapOf({layer, head}) {
      if (layer === null) return this.panel.mean;
      return head === null ? this.panel.mean_over_heads[layer] : this.panel.weights[0][layer][head];
    }

    choose(choice) {
      this.choice = choice;
      this.map = this.mapOf(choice);
      const entropy = this.entropyOf(choice);
      this.caption.textContent =
          this.describe(choice) + (entropy === null ? '' : ` (mean entropy ${entropy.toFixed(2)} nats)`);
      this.canvas.setAttribute('aria-label', `${this.panel.name}, ${this.describe(choice)}: arrow keys read the cells`);
      this.markTile();
      this.draw();
    }

    markTile() {
      if (!this.tiles) return;
      const tiles = this.tiles.flat();
      const same = ({choice}) => this.mapOf(choice) === this.map;
      const chosen = tiles.find(same) ?? tiles[0];
      for (const tile of tiles) tile.button.setAttribute('aria-pressed', String(tile === chosen));
      focusOne(tiles.map(tile => tile.button), chosen.button, false);
    }

    setZoom(zoom) {
      this.zoom = Math.max(0.25, Math.min(16, zoom));
      this.draw();
    }

    draw() {
      paintMap(this.canvas, this.map);
      paintRamp(this.legend);
      this.legendTop.textContent = scaleTop(this.map).toPrecision(3);
      this.layOut();
      this.show(this.active);
    }

    drawTiles() {
      for (const {canvas, choice} of (this.tiles ?? []).flat()) paintMap(canvas, this.mapOf(choice));
    }

    // Cells as large as the room allows, whole pixels, 2 to 30 before zooming.
    layOut() {
      const {panel} = this;
      const queryRoom = this.longestOf(panel.queries, 180), keyRoom = this.longestOf(panel.keys, 150);
      const room = Math.max(200, (this.scroll.parentElement.clientWidth || 700) - queryRoom - keyRoom * 0.7 - 24);
      const fitting = Math.floor(Math.min(room, 760) / Math.max(panel.keys.length, panel.queries.length));
      const cell = Math.max(2, Math.round(Math.max(2, Math.min(30, fitting)) * this.zoom));
      const slanted = cell >= 19;
      const left = queryRoom + 8, top = (slanted ? keyRoom * 0.72 + 14 : keyRoom + 4);
      const width = cell * panel.keys.length, height = cell * panel.queries.length;
      this.place = {left, top, width, height, cell};
      this.canvas.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
      this.figure.style.cssText =
          `width:${left + width + (slanted ? keyRoom * 0.72 + 14 : 4)}px;height:${top + height + 4}px`;
      this.placeLabels(slanted, queryRoom, keyRoom);
    }

    longestOf(words, most) {
      const context = document.createElement('canvas').getContext('2d');
      context.font = '13px "DejaVu Sans", Verdana, system-ui, sans-serif';
      return Math.min(most, Math.max(10, ...words.map(word => context.measureText(word).width + 8)));
    }

    placeLabels(slanted, queryRoom, keyRoom) {
      const {left, top, cell} = this.place;
      const size = cell >= 15 ? 13 : 11;
      const line = Math.ceil(size * 1.3);
      const step = Math.max(1, Math.ceil(size * 1.1 / cell));
      this.labels.replaceChildren();
      const add = (kind, words, index, style) => {
        const label = element('span', {class: kind, dir: 'auto', 'data-index': index, style:
            `font-size:${size}px;line-height:${line}px;overflow:hidden;text-overflow:ellipsis;${style}`}, words[index]);
        label.title = words[index];
        this.listenToWord(label, kind, index);
        this.labels.append(label);
      };
      for (let i = 0; i < this.panel.queries.length; i += step) {
        add('query', this.panel.queries, i, `max-width:${queryRoom}px;` +
            `right:calc(100% - ${left - 4}px);top:${top + (i + 0.5) * cell - line / 2}px`);
      }
      for (let i = 0; i < this.panel.keys.length; i += step) {
        add('key', this.panel.keys, i, `max-width:${keyRoom}px;left:${left + (i + 0.5) * cell}px;` +
            `top:${top - 4 - line / 2}px;transform:rotate(${slanted ? -45 : -90}deg)`);
      }
    }
  }

  // ---- The page ----

  function redraw() {
    for (const view of views) {
      view.drawTiles();
      view.draw();
    }
  }

  document.querySelector('h1').textContent = report.title;
  for (const note of report.notes) document.querySelector('.notes').append(element('li', {dir: 'auto'}, note));
  for (const panel of report.panels) {
    const view = new PanelView(panel);
    document.querySelector('main').append(view.section);
    views.push(view);
    view.drawTiles();
    view.choose({layer: panel.layers > 1 ? null : 0, head: panel.heads > 1 ? null : 0});
  }
  for (const input of document.querySelectorAll('input[name=scale]')) {
    input.addEventListener('change', () => {
      ownScale = input.value === 'map';
      redraw();
    });
  }
  dark.addEventListener('change', redraw);
  addEventListener('resize', () => views.forEach(view => view.draw()));
  addEventListener('beforeprint', () => { printing = true; redraw(); });
  addEventListener('afterprint', () => { printing = false; redraw(); });
})();
