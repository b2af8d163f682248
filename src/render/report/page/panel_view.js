// ---- One panel on the page ----

class PanelView {
  constructor(panel) {
    this.panel = panel;
    this.choice = {layer: null, head: null, named: null};
    this.step = null;
    this.zoom = 1;
    this.kept = false;
    this.active = {query: null, key: null};
    this.resting = {query: null, key: null};
    this.refinement = panel.long ? new Refinement(panel) : null;
    this.section = element('section', {class: 'panel'});
    this.build();
  }

  get ramp() { return rampOf(Object.keys(this.grids).length > 0); }

  topOf(map) { return (ownScale && this.panel.largestOf(map)) || map.top || report.scale_top; }

  // ---- Building ----

  build() {
    const {panel} = this;
    this.grids = {};
    for (const kind of ['query', 'key']) if (panel.pictures[kind]) this.grids[kind] = new PictureGrid(this, kind);
    if (panel.onPicture) this.rest();
    this.section.append(element('h2', {dir: 'auto'}, panel.name), element('p', {class: 'shape'}, this.shape()));
    if (panel.steps > 1) this.section.append(this.buildSteps());
    const parts = element('div', {class: 'parts'});
    if (panel.layers * panel.heads + panel.named.length > 1) {
      this.overview = new Overview(this);
      parts.append(this.overview.element);
    }
    parts.append(this.buildDetail());
    this.section.append(parts);
    this.section.addEventListener('keydown', event => this.pressed(event));
  }

  shape() {
    const {panel} = this;
    const size = kind => panel.long ? (kind === 'query' ? panel.long.query_count : panel.long.key_count) :
        panel.words(kind).length;
    const number = kind => size(kind).toLocaleString('en');
    return `${panel.query_axis} (${number('query')}) down, ${panel.key_axis} (${number('key')}) across; ` +
        `${counted(panel.layers, 'layer')} of ${counted(panel.heads, 'head')}` +
        (panel.steps > 1 ? `; ${counted(panel.steps, 'step')}` : '');
  }

  // A slider over the steps; at its left end, before the first, is the mean of all.
  buildSteps() {
    const {panel} = this;
    this.slider = element('input', {type: 'range', min: '-1', max: String(panel.steps - 1), value: '-1',
      'aria-label': 'step of the sampler'});
    this.stepName = element('output');
    this.slider.addEventListener('input', () => setSteps(this.panel.steps, Number(this.slider.value)));
    return element('p', {class: 'steps'}, element('label', {}, 'step ', this.slider), this.stepName);
  }

  setStep(step) {
    this.slider.value = String(step);
    this.step = step < 0 ? null : step;
    const name = this.step === null ? `mean of ${this.panel.steps} steps` : this.panel.stepName(this.step);
    this.stepName.textContent = name;
    this.slider.setAttribute('aria-valuetext', name);
    this.redraw();
  }

  buildDetail() {
    const {panel} = this;
    this.caption = element('h3');
    this.facts = element('p', {class: 'facts'});
    this.sentences = {};
    this.status = element('p', {class: 'status', 'aria-live': 'polite'});
    this.detail = element('div', {class: 'detail'}, this.caption, this.facts);
    for (const kind of ['query', 'key']) {
      const list = this.buildSentence(kind);
      if (list) this.detail.append(list);
    }
    this.detail.append(this.status, this.buildTools());
    if (this.refinement) this.buildRefinement();
    const grids = Object.values(this.grids).map(grid => grid.element);
    if (grids.length) this.detail.append(element('div', {class: 'pictures'}, ...grids));
    if (!panel.onPicture) {
      this.matrix = new Matrix(this);
      this.detail.append(this.matrix.element);
    }
    return this.detail;
  }

  buildTools() {
    const smaller = element('button', {type: 'button', class: 'smaller', 'aria-label': 'smaller map'}, '−');
    const larger = element('button', {type: 'button', class: 'larger', 'aria-label': 'larger map'}, '+');
    smaller.addEventListener('click', () => this.setZoom(this.zoom / 1.5));
    larger.addEventListener('click', () => this.setZoom(this.zoom * 1.5));
    this.legend = element('canvas');
    this.legendTop = element('span');
    this.legendName = element('span');
    return element('div', {class: 'tools'}, element('span', {}, smaller, ' ', larger),
        element('span', {class: 'legend'}, this.legendName, this.legend, this.legendTop));
  }

  buildRefinement() {
    this.trail = element('nav', {class: 'trail', 'aria-label': 'closer looks'});
    this.detail.append(this.trail);
    if (this.refinement.topKeys) {
      this.heaviest = new HeaviestKeys(this);
      this.detail.append(this.heaviest.element);
    }
  }

  // The words of an axis in a line; of a picture only those that are no places. Runs of a long sequence have none.
  buildSentence(kind) {
    const {panel} = this;
    if (panel.long) return null;
    const list = element('ol', {class: 'sentence', 'data-axis': panel.axis(kind), 'aria-label': panel.axis(kind)});
    panel.words(kind).forEach((word, index) => {
      if (panel.pictures[kind] && panel.placeOf(kind, index) >= 0) return;
      const item = element('li', {dir: 'auto', tabindex: list.children.length ? '-1' : '0', 'data-index': index}, word);
      this.listenToWord(item, kind, index);
      item.addEventListener('focus', () => this.point(kind, index));
      list.append(item);
    });
    if (!list.children.length) return null;
    list.addEventListener('keydown', event => this.moveWord(event, list, kind));
    this.sentences[kind] = list;
    return list;
  }

  // ---- Words ----

  labels(kind) {
    if (!this.refinement) return this.panel.words(kind);
    const length = kind === 'query' ? this.map.rows : this.map.cols;
    return Array.from({length}, (_, index) => this.refinement.label(kind, index));
  }

  label(kind, index) {
    return this.refinement ? this.refinement.label(kind, index) : this.panel.words(kind)[index];
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
      this.keep(kind, Number(items[at].dataset.index));
    } else if (to !== undefined) {
      event.preventDefault();
      this.kept = false;
      focusOne(items, items[clamp(to, 0, items.length - 1)], true);
    }
  }

  // ---- What is pointed at ----

  point(kind, index) {
    if (!this.kept) this.show({query: null, key: null, [kind]: index});
  }

  // A word whose map is on a picture stays there until another one is kept.
  keep(kind, index) {
    if (this.panel.onPicture && !this.grids[kind]) {
      this.resting = {query: null, key: null, [kind]: index};
      this.kept = false;
      this.redraw();
      return;
    }
    const again = this.kept && this.active[kind] === index;
    this.kept = !again;
    this.show(again ? {query: null, key: null} : {query: null, key: null, [kind]: index});
  }

  clicked(place) {
    if (this.refinement && this.refinement.refine(place.query, place.key)) {
      this.windowChanged();
      return;
    }
    this.kept = !this.kept;
    this.show(place);
  }

  release() {
    if (!this.kept) this.show({query: null, key: null});
  }

  letGo() {
    this.kept = false;
    this.release();
  }

  // The word that a picture shows while none is pointed at: the one whose weights differ most over its places.
  rest() {
    const {panel} = this, kind = this.grids.key ? 'query' : 'key', on = this.grids.key ? 'key' : 'query';
    const map = panel.mapOf({});
    const spread = panel.words(kind).map((_, index) => {
      const places = panel.across(on, map, index).filter((_, place) => panel.placeOf(on, place) >= 0);
      return Math.max(...places) - Math.min(...places);
    });
    this.resting = {query: null, key: null, [kind]: spread.indexOf(Math.max(...spread))};
  }

  // The axis of the picture and its weights for the resting word.
  restingWeights(map) {
    const {query, key} = this.resting;
    return query !== null ? ['key', this.panel.across('key', map, query)] :
        ['query', this.panel.across('query', map, key)];
  }

  show(active) {
    this.active = active;
    const idle = active.query === null && active.key === null;
    const {query, key} = idle ? this.resting : active;
    const row = query === null ? null : this.panel.across('key', this.map, query);
    const column = key === null ? null : this.panel.across('query', this.map, key);
    this.tint('key', query !== null && key === null ? row : null);
    this.tint('query', key !== null && query === null ? column : null);
    this.markActive();
    this.matrix?.show(active);
    this.status.textContent = this.statusOf({query, key}, row, column);
    if (this.heaviest && active.query !== null) this.heaviest.set(this.refinement.range('query', active.query)[0]);
  }

  // The words or places of one side in the colours of their weights, where there are some.
  tint(kind, weights) {
    const top = this.topOf(this.map);
    const paint = item => {
      const colour = weights && colourAt(this.ramp, weights[Number(item.dataset.index)] / top);
      item.style.background = colour ? css(colour) : '';
      item.style.color = colour ? inkOn(colour) : '';
    };
    this.itemsOf(kind).forEach(paint);
    const grid = this.grids[kind];
    if (!grid) return;
    const [on, resting] = this.panel.onPicture ? this.restingWeights(this.map) : [null, null];
    grid.show(Math.round((this.panel.onPicture ? 380 : 240) * this.zoom), weights ?? (on === kind ? resting : null), top,
        this.active[kind]);
  }

  itemsOf(kind) { return [...(this.sentences[kind]?.children ?? []), ...(this.matrix?.labelsOf(kind) ?? [])]; }

  markActive() {
    for (const kind of ['query', 'key']) {
      for (const item of this.itemsOf(kind)) {
        item.classList.toggle('active', Number(item.dataset.index) === this.active[kind]);
        item.classList.toggle('resting', Number(item.dataset.index) === this.resting[kind]);
      }
    }
  }

  statusOf({query, key}, row, column) {
    const name = (kind, index) => `“${this.label(kind, index)}”`;
    const list = (weights, kind) => topPlaces(weights, 4)
        .map(([weight, index]) => `${name(kind, index)} ${percent(weight)}`).join(', ') || 'nothing';
    if (row && column) return `${name('query', query)} gives ${name('key', key)} ${percent(row[key])}`;
    if (row) return `${name('query', query)} looks at: ${list(row, 'key')}`;
    if (column) return `${name('key', key)} is looked at by: ${list(column, 'query')}`;
    return this.refinement?.finer ? 'Click a cell, or press Enter on it, for a closer look.' : '';
  }

  // ---- Choosing and drawing ----

  choose(choice) {
    this.choice = choice;
    this.overview?.mark(choice);
    this.drawDetail();
  }

  setZoom(zoom) {
    this.zoom = clamp(zoom, 0.25, 16);
    this.drawDetail();
  }

  pressed(event) {
    if (event.target.matches('input')) return;
    if (event.key === 'Escape') this.letGo();
    if (event.key === '+' || event.key === '=') this.setZoom(this.zoom * 1.5);
    if (event.key === '-') this.setZoom(this.zoom / 1.5);
  }

  pictureCame() {
    if (Object.values(this.grids).every(grid => grid.picture.complete)) this.redraw();
  }

  redraw() {
    this.overview?.draw();
    this.drawDetail();
  }

  drawDetail() {
    const {panel} = this;
    const choice = {...this.choice, step: this.choice.named === null ? this.step : null};
    this.map = this.refinement ? this.refinement.mapOf(choice) : panel.mapOf(choice);
    this.caption.textContent = panel.describe(choice);
    const head = panel.statisticsOf(choice);
    this.facts.textContent = head ? describeStatistics(panel, head) : '';
    this.drawLegend();
    if (this.trail) this.drawTrail();
    if (this.matrix) {
      this.matrix.canvas.setAttribute('aria-label', `${panel.name}, ${panel.describe(choice)}: arrow keys read the cells`);
      this.matrix.draw();
    }
    this.show(this.active);
    this.heaviest?.show();
  }

  drawLegend() {
    paintRamp(this.legend, this.ramp);
    const quantity = this.choice.named === null ? report.quantity : this.panel.named[this.choice.named].name;
    this.legendName.textContent = quantity + ' 0';
    const top = this.topOf(this.map);
    // Tiles hold weights to one part in a hundred.
    const above = this.map.values.some(weight => weight > top * 1.02);
    this.legendTop.textContent = top.toPrecision(3) + (above ? ' and above' : '');
  }

  // ---- Closer looks ----

  drawTrail() {
    const {refinement} = this;
    this.trail.replaceChildren(...refinement.trail.map((place, depth) => {
      const current = place === refinement.place;
      const button = element('button', {type: 'button', ...(current && {'aria-current': 'true'})},
          refinement.describe(place));
      button.addEventListener('click', () => {
        if (refinement.back(depth)) this.windowChanged();
      });
      return button;
    }));
    const run = refinement.run('query', refinement.place.level);
    this.trail.append(` a cell is ${counted(run, 'query', 'queries')} by ` +
        counted(refinement.run('key', refinement.place.level), 'key'));
  }

  windowChanged() {
    this.kept = false;
    this.active = {query: null, key: null};
    this.drawDetail();
  }

  goBack() {
    if (this.refinement?.back()) this.windowChanged();
  }

  // Moves the window where an arrow key would leave it to `next`; false at the edge of the sequence.
  pan(step, next) {
    const [down, across] = this.refinement?.pan(...step) ?? [0, 0];
    if (!down && !across) return false;
    this.active = {query: next.query - down, key: next.key - across};
    this.drawDetail();
    return true;
  }
}
