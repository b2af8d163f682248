// ---- What a panel holds ----

// Words of one axis that are seen best on the picture of the other: the same number as in picture_sheet.cc.
const mostWordsOnPicture = 40;

class Panel {
  constructor(data) {
    Object.assign(this, data);
    this.cells = this.queries.length * this.keys.length;
    this.weights = unpack(data.weights);
    this.named = (data.named_maps ?? []).map(map => ({...map, values: unpack(map.weights)}));
    this.long = data.long_sequences ?? null;
    this.known = new Map();
    this.pictures = {query: data.query_picture ?? null, key: data.key_picture ?? null};
    this.onPicture = Boolean(this.pictures.query) !== Boolean(this.pictures.key) &&
        this.words(this.pictures.key ? 'query' : 'key').length <= mostWordsOnPicture;
  }

  words(kind) { return kind === 'query' ? this.queries : this.keys; }

  axis(kind) { return kind === 'query' ? this.query_axis : this.key_axis; }

  // The number of a place of the axis's picture, or -1.
  placeOf(kind, index) {
    const {first, rows, cols} = this.pictures[kind];
    const place = index - first;
    return place >= 0 && place < rows * cols ? place : -1;
  }

  // The weights of one query over the keys ('key') or of one key over the queries ('query').
  across(kind, map, index) {
    const {rows, cols, values} = map;
    return kind === 'key' ? values.subarray(index * cols, (index + 1) * cols) :
        Float32Array.from({length: rows}, (_, row) => values[row * cols + index]);
  }

  // The map of a choice: `values` [rows, cols], and `top` where it has a scale of its own. Nothing chosen is a mean.
  mapOf({named = null, step = null, layer = null, head = null}) {
    const name = [named, step, layer, head].join();
    if (!this.known.has(name)) this.known.set(name, this.makeMap(named, step, layer, head));
    return this.known.get(name);
  }

  makeMap(named, step, layer, head) {
    const shape = {rows: this.queries.length, cols: this.keys.length};
    if (named !== null) return {...shape, values: this.named[named].values, top: this.named[named].scale_top};
    const range = (chosen, count) => chosen === null ? [...Array(count).keys()] : [chosen];
    const sum = new Float64Array(this.cells);
    let count = 0;
    for (const s of range(step, this.steps)) {
      for (const l of range(layer, this.layers)) {
        for (const h of range(head, this.heads)) {
          const from = ((s * this.layers + l) * this.heads + h) * this.cells;
          for (let i = 0; i < this.cells; ++i) sum[i] += this.weights[from + i];
          ++count;
        }
      }
    }
    return {...shape, values: Float32Array.from(sum, weight => weight / count)};
  }

  // The largest weight, of the places of pictures where there are some.
  largestOf(map) {
    const counts = kind => index => !this.pictures[kind] || this.placeOf(kind, index) >= 0;
    const cols = [...Array(map.cols).keys()].filter(counts('key'));
    let top = 0;
    for (let row = 0; row < map.rows; ++row) {
      if (counts('query')(row)) for (const col of cols) top = Math.max(top, map.values[row * map.cols + col]);
    }
    return top;
  }

  statisticsOf({named = null, layer = null, head = null}) {
    if (!this.statistics || named !== null) return null;
    if ((layer === null && this.layers > 1) || (head === null && this.heads > 1)) return null;
    return this.statistics[layer ?? 0][head ?? 0];
  }

  stepName(step) { return this.step_names ? this.step_names[step] : `step ${step + 1}`; }

  describe({named = null, step = null, layer = null, head = null}) {
    if (named !== null) return this.named[named].name;
    return this.describeHeads(layer, head) + (step === null ? '' : `, ${this.stepName(step)}`);
  }

  describeHeads(layer, head) {
    const {layers, heads} = this;
    if (layer === null && head === null && layers > 1)
      return heads > 1 ? `mean of ${layers} layers of ${heads} heads` : `mean of ${layers} layers`;
    if (layers === 1 && heads === 1) return 'weights';
    const name = layers === 1 ? '' : `layer ${(layer ?? 0) + 1}, `;
    return name + (head === null && heads > 1 ? `mean of ${heads} heads` : `head ${(head ?? 0) + 1}`);
  }
}

// The statistics of a head in words.
function describeStatistics(panel, head) {
  const even = head.even_entropy > 0 ? ` of ${head.even_entropy.toFixed(2)}` : '';
  const parts = [`${head.kind}: entropy ${head.entropy.toFixed(2)}${even} nats`, `first key ${percent(head.first_key)}`,
    `heaviest key ${percent(head.top_key)}`];
  if (panel.self_attention) {
    parts.push(`itself ${percent(head.self)}`, `one before ${percent(head.previous)}`,
        `one behind ${percent(head.next)}`, `mean distance ${head.mean_distance.toPrecision(3)}`);
  }
  return parts.join(' · ');
}
