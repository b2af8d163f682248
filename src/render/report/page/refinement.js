// ---- Long sequences: the pooled map first, closer looks on request ----

const cellsOfWindow = 128;

class Refinement {
  constructor(panel) {
    this.panel = panel;
    this.long = panel.long;
    this.levels = this.long.levels.map(level => new Level(level));
    this.trail = [{level: -1, row: 0, col: 0, rows: panel.queries.length, cols: panel.keys.length}];
    if (this.long.top_keys) {
      this.topKeys = unpack(this.long.top_keys);
      this.topWeights = unpack(this.long.top_weights);
    }
  }

  get place() { return this.trail[this.trail.length - 1]; }

  get finer() { return this.place.level + 1 < this.levels.length; }

  // How many queries or keys a cell of a level stands for.
  run(kind, level) {
    if (level < 0) return kind === 'query' ? this.long.queries_per_row : this.long.keys_per_col;
    return kind === 'query' ? this.levels[level].queries_per_cell : this.levels[level].keys_per_cell;
  }

  count(kind) { return kind === 'query' ? this.long.query_count : this.long.key_count; }

  // The first and last single query or key of a cell, or of all cells in the window.
  range(kind, index, place = this.place) {
    const run = this.run(kind, place.level);
    const from = (kind === 'query' ? place.row : place.col) + index;
    return [from * run, Math.min((from + 1) * run, this.count(kind)) - 1];
  }

  single(kind, index) {
    const labels = kind === 'query' ? this.long.queries : this.long.keys;
    return labels.length ? labels[index] : String(index);
  }

  label(kind, index) {
    if (this.place.level < 0) return this.panel.words(kind)[index];
    const [first, last] = this.range(kind, index);
    return first === last ? this.single(kind, first) : `${first}–${last}`;
  }

  // The window of the next level around a cell of this one.
  refine(row, col) {
    if (!this.finer) return false;
    const {place} = this, level = place.level + 1, {rows, cols} = this.levels[level];
    const around = (kind, cell, all) => {
      const ratio = this.run(kind, place.level) / this.run(kind, level);
      const middle = ((kind === 'query' ? place.row : place.col) + cell + 0.5) * ratio;
      return clamp(Math.round(middle - cellsOfWindow / 2), 0, Math.max(0, all - cellsOfWindow));
    };
    this.trail.push({level, row: around('query', row, rows), col: around('key', col, cols),
      rows: Math.min(rows, cellsOfWindow), cols: Math.min(cols, cellsOfWindow)});
    return true;
  }

  back(depth = this.trail.length - 2) {
    if (depth < 0 || depth >= this.trail.length - 1) return false;
    this.trail.length = depth + 1;
    return true;
  }

  // Moves the window by half its size, or up to the edge; says by how many rows and columns.
  pan(down, across) {
    const {place} = this;
    if (place.level < 0) return [0, 0];
    const {rows, cols} = this.levels[place.level];
    const row = clamp(place.row + down * Math.ceil(place.rows / 2), 0, rows - place.rows);
    const col = clamp(place.col + across * Math.ceil(place.cols / 2), 0, cols - place.cols);
    const moved = [row - place.row, col - place.col];
    Object.assign(place, {row, col});
    return moved;
  }

  mapOf(choice) {
    const {place} = this;
    if (place.level < 0) return this.panel.mapOf(choice);
    const {layers, heads} = this.panel, level = this.levels[place.level];
    const values = new Float32Array(place.rows * place.cols);
    const chosen = [];
    for (let layer = 0; layer < layers; ++layer) {
      for (let head = 0; head < heads; ++head) {
        if ((choice.layer ?? layer) === layer && (choice.head ?? head) === head) chosen.push(layer * heads + head);
      }
    }
    for (const head of chosen) level.addTo(values, head, place, 1 / chosen.length);
    return {rows: place.rows, cols: place.cols, values, top: level.scale_top};
  }

  // Where a place of the trail is, in words.
  describe(place) {
    if (place.level < 0) return 'whole';
    const span = kind => {
      const cells = kind === 'query' ? place.rows : place.cols;
      return `${this.range(kind, 0, place)[0]}–${this.range(kind, cells - 1, place)[1]}`;
    };
    return `${span('query')} × ${span('key')}`;
  }

  // The heaviest keys of a single query in a single layer and head: [key, weight] each.
  heaviest(layer, head, query) {
    const {query_count} = this.long, count = this.long.top_count;
    const from = ((layer * this.panel.heads + head) * query_count + query) * count;
    return Array.from({length: count}, (_, i) => [this.topKeys[from + i], this.topWeights[from + i]])
        .filter(([key]) => key >= 0);
  }
}

// A field for the number of a query, and the list of its heaviest keys.
class HeaviestKeys {
  constructor(view) {
    this.view = view;
    this.input = element('input', {type: 'number', min: '0', max: String(view.panel.long.query_count - 1), value: '0'});
    this.list = element('ol');
    this.input.addEventListener('input', () => this.show());
    this.element = element('div', {class: 'heaviest'},
        element('label', {}, 'heaviest keys of query ', this.input), this.list);
  }

  set(query) {
    this.input.value = String(query);
    this.show();
  }

  show() {
    const {panel, refinement, choice} = this.view;
    const layer = choice.layer ?? (panel.layers === 1 ? 0 : null), head = choice.head ?? (panel.heads === 1 ? 0 : null);
    if (layer === null || head === null) {
      this.list.replaceChildren(element('li', {class: 'hint'}, 'choose a head in the overview'));
      return;
    }
    const query = clamp(Math.floor(Number(this.input.value)) || 0, 0, panel.long.query_count - 1);
    this.list.replaceChildren(...refinement.heaviest(layer, head, query).map(([key, weight]) =>
        element('li', {}, element('b', {dir: 'auto'}, refinement.single('key', key)), ` ${percent(weight)}`)));
  }
}
