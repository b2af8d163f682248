// ---- Overview: layers down, heads across, named maps below ----

class Overview {
  constructor(view) {
    this.view = view;
    const {panel} = view;
    this.rows = [];
    this.table = element('table', {'aria-label': `${panel.name}: layers and heads`});
    const columns = panel.heads > 1 ? [null] : [];
    for (let head = 0; head < panel.heads; ++head) columns.push(head);
    this.table.append(element('tr', {}, element('td'), ...columns.map(head =>
        element('th', {scope: 'col'}, head === null ? 'mean' : `head ${head + 1}`))));
    if (panel.layers > 1) this.addRow('all layers', [{layer: null, head: null, named: null}]);
    for (let layer = 0; layer < panel.layers; ++layer)
      this.addRow(panel.layers > 1 ? `layer ${layer + 1}` : '', columns.map(head => ({layer, head, named: null})));
    panel.named.forEach((map, named) => this.addRow(map.name, [{layer: null, head: null, named}]));
    this.table.addEventListener('keydown', event => this.moved(event));
    this.element = element('div', {class: 'overview'}, this.table);
  }

  get tiles() { return this.rows.flat(); }

  addRow(name, choices) {
    const row = element('tr', {}, element('th', {scope: 'row', dir: 'auto'}, name));
    const tiles = choices.map(choice => this.makeTile(choice));
    for (const tile of tiles) row.append(element('td', {}, tile.button));
    this.rows.push(tiles);
    this.table.append(row);
  }

  makeTile(choice) {
    const {view} = this, {panel} = view;
    const canvas = element('canvas');
    const button = element('button', {class: 'tile', type: 'button', 'aria-label': panel.describe(choice)}, canvas);
    const head = panel.statisticsOf(choice);
    button.title = panel.describe(choice) + (head ? `: ${describeStatistics(panel, head)}` : '');
    if (head) this.addStatistics(button, head);
    button.addEventListener('click', () => view.choose(choice));
    return {button, canvas, choice};
  }

  // The kind of head as pattern and word, its entropy as a bar (full: even weights) and a number.
  addStatistics(button, head) {
    const share = head.even_entropy > 0 ? clamp(head.entropy / head.even_entropy, 0, 1) : 0;
    const bar = element('span', {class: 'bar'}, element('span', {style: `width:${100 * share}%`}));
    button.setAttribute('aria-label', button.title);
    button.append(element('span', {class: 'kind'}, kindSign(head.kind), head.kind), bar,
        element('span', {class: 'nats'}, `${head.entropy.toFixed(2)} nats`));
  }

  moved(event) {
    const step = {...arrowSteps, Home: [0, -1e6], End: [0, 1e6]}[event.key];
    if (!step) return;
    event.preventDefault();
    const row = this.rows.findIndex(tiles => tiles.some(tile => tile.button === document.activeElement));
    if (row < 0) return;
    const col = this.rows[row].findIndex(tile => tile.button === document.activeElement);
    const tiles = this.rows[clamp(row + step[0], 0, this.rows.length - 1)];
    focusOne(this.tiles.map(tile => tile.button), tiles[clamp(col + step[1], 0, tiles.length - 1)].button, true);
  }

  mark(choice) {
    const same = tile => ['layer', 'head', 'named'].every(part => tile.choice[part] === choice[part]);
    const chosen = this.tiles.find(same) ?? this.tiles[0];
    for (const tile of this.tiles) tile.button.setAttribute('aria-pressed', String(tile === chosen));
    focusOne(this.tiles.map(tile => tile.button), chosen.button, false);
  }

  draw() {
    const {view} = this, {panel} = view;
    const side = panel.heads > 8 ? 64 : 84;
    for (const {canvas, choice} of this.tiles) {
      const map = panel.mapOf({...choice, step: view.step});
      if (panel.onPicture) {
        const [kind, weights] = view.restingWeights(map);
        view.grids[kind].paint(canvas, side, weights, view.topOf(map));
      } else {
        const longest = Math.max(map.rows, map.cols);
        paintCells(canvas, map, view.ramp, view.topOf(map));
        canvas.style.cssText = `width:${Math.max(4, map.cols / longest * side)}px;` +
            `height:${Math.max(4, map.rows / longest * side)}px`;
      }
    }
  }
}
