// ---- The chosen map as a matrix: queries down, keys across ----

class Matrix {
  constructor(view) {
    this.view = view;
    this.canvas = element('canvas', {tabindex: '0', role: 'img'});
    this.labels = element('div', {class: 'labels', 'aria-hidden': 'true'});
    this.cross = [element('div', {class: 'cross'}), element('div', {class: 'cross'})];
    this.figure = element('div', {class: 'map'}, this.canvas, this.labels, ...this.cross);
    this.element = element('div', {class: 'scroll'}, this.figure);
    this.listen();
  }

  placeOf(event) {
    const box = this.canvas.getBoundingClientRect(), {rows, cols} = this.view.map;
    return {
      query: clamp(Math.floor((event.clientY - box.top) / box.height * rows), 0, rows - 1),
      key: clamp(Math.floor((event.clientX - box.left) / box.width * cols), 0, cols - 1),
    };
  }

  listen() {
    const {view} = this;
    this.canvas.addEventListener('mousemove', event => {
      if (!view.kept) view.show(this.placeOf(event));
    });
    this.canvas.addEventListener('mouseleave', () => view.release());
    this.canvas.addEventListener('click', event => view.clicked(this.placeOf(event)));
    this.canvas.addEventListener('keydown', event => this.moved(event));
  }

  moved(event) {
    const {view} = this, {rows, cols} = view.map, {query, key} = view.active;
    if (event.key === 'Enter' && query !== null && key !== null) view.clicked({query, key});
    if (event.key === 'Backspace') view.goBack();
    const step = arrowSteps[event.key];
    if (!step) return;
    event.preventDefault();
    if (query === null || key === null) {
      view.show({query: query ?? 0, key: key ?? 0});
      return;
    }
    const next = {query: query + step[0], key: key + step[1]};
    if ((next.query < 0 || next.query >= rows || next.key < 0 || next.key >= cols) && view.pan(step, next)) return;
    view.show({query: clamp(next.query, 0, rows - 1), key: clamp(next.key, 0, cols - 1)});
  }

  draw() {
    const {view} = this;
    paintCells(this.canvas, view.map, view.ramp, view.topOf(view.map));
    this.layOut();
  }

  // Cells as large as the room allows, whole pixels, 2 to 30 before zooming.
  layOut() {
    const {rows, cols} = this.view.map;
    const words = {query: this.view.labels('query'), key: this.view.labels('key')};
    const queryRoom = this.longestOf(words.query, 180), keyRoom = this.longestOf(words.key, 150);
    const room = Math.max(200, (this.element.parentElement.clientWidth || 700) - queryRoom - keyRoom * 0.7 - 24);
    const fitting = Math.floor(Math.min(room, 760) / Math.max(cols, rows));
    const cell = Math.max(2, Math.round(clamp(fitting, 2, 30) * this.view.zoom));
    const slanted = cell >= 19;
    const left = queryRoom + 8, top = (slanted ? keyRoom * 0.72 + 14 : keyRoom + 4);
    const width = cell * cols, height = cell * rows;
    this.place = {left, top, width, height, cell};
    this.canvas.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    this.figure.style.cssText =
        `width:${left + width + (slanted ? keyRoom * 0.72 + 14 : 4)}px;height:${top + height + 4}px`;
    this.placeLabels(words, slanted, queryRoom, keyRoom);
  }

  longestOf(words, most) {
    const context = document.createElement('canvas').getContext('2d');
    context.font = '13px "DejaVu Sans", Verdana, system-ui, sans-serif';
    return Math.min(most, Math.max(10, ...words.map(word => context.measureText(word).width + 8)));
  }

  placeLabels(words, slanted, queryRoom, keyRoom) {
    const {left, top, cell} = this.place;
    const size = cell >= 15 ? 13 : 11;
    const line = Math.ceil(size * 1.3);
    const step = Math.max(1, Math.ceil(size * 1.1 / cell));
    this.labels.replaceChildren();
    const add = (kind, index, style) => {
      const label = element('span', {class: kind, dir: 'auto', 'data-index': index, style:
          `font-size:${size}px;line-height:${line}px;overflow:hidden;text-overflow:ellipsis;${style}`},
          words[kind][index]);
      label.title = words[kind][index];
      this.view.listenToWord(label, kind, index);
      this.labels.append(label);
    };
    for (let i = 0; i < words.query.length; i += step) {
      add('query', i, `max-width:${queryRoom}px;` +
          `right:calc(100% - ${left - 4}px);top:${top + (i + 0.5) * cell - line / 2}px`);
    }
    for (let i = 0; i < words.key.length; i += step) {
      add('key', i, `max-width:${keyRoom}px;left:${left + (i + 0.5) * cell}px;` +
          `top:${top - 4 - line / 2}px;transform:rotate(${slanted ? -45 : -90}deg)`);
    }
  }

  labelsOf(kind) { return [...this.labels.querySelectorAll('.' + kind)]; }

  show({query, key}) {
    const {left, top, width, height, cell} = this.place;
    const [row, column] = this.cross;
    row.hidden = query === null;
    column.hidden = key === null;
    row.style.cssText = `left:${left - 2}px;top:${top + (query ?? 0) * cell - 2}px;` +
        `width:${width + 4}px;height:${cell + 4}px`;
    column.style.cssText = `left:${left + (key ?? 0) * cell - 2}px;top:${top - 2}px;` +
        `width:${cell + 4}px;height:${height + 4}px`;
  }
}
