// ---- A picture whose places are queries or keys ----

class PictureGrid {
  constructor(view, kind) {
    this.view = view;
    this.kind = kind;
    this.axis = view.panel.pictures[kind];
    this.picture = new Image();
    this.picture.addEventListener('load', () => view.pictureCame());
    this.picture.src = 'data:image/png;base64,' + this.axis.png;
    this.canvas = element('canvas', {tabindex: '0', role: 'img',
      'aria-label': `${view.panel.axis(kind)}: arrow keys read the places`});
    this.mark = element('div', {class: 'cross'});
    this.element = element('figure', {}, element('figcaption', {dir: 'auto'}, view.panel.axis(kind)),
        element('div', {class: 'picture'}, this.canvas, this.mark));
    this.shades = new Map();
    this.listen();
  }

  listen() {
    const place = event => {
      const box = this.canvas.getBoundingClientRect(), {rows, cols, first} = this.axis;
      const row = clamp(Math.floor((event.clientY - box.top) / box.height * rows), 0, rows - 1);
      const col = clamp(Math.floor((event.clientX - box.left) / box.width * cols), 0, cols - 1);
      return first + row * cols + col;
    };
    this.canvas.addEventListener('mousemove', event => this.view.point(this.kind, place(event)));
    this.canvas.addEventListener('mouseleave', () => this.view.release());
    this.canvas.addEventListener('click', event => this.view.keep(this.kind, place(event)));
    this.canvas.addEventListener('keydown', event => this.moved(event));
  }

  moved(event) {
    const {rows, cols, first} = this.axis;
    const active = this.view.active[this.kind];
    const place = active === null ? -1 : this.view.panel.placeOf(this.kind, active);
    if (event.key === 'Enter' && place >= 0) this.view.keep(this.kind, active);
    const step = arrowSteps[event.key];
    if (!step) return;
    event.preventDefault();
    this.view.kept = false;
    const row = clamp((place < 0 ? 0 : Math.floor(place / cols) + step[0]), 0, rows - 1);
    const col = clamp((place < 0 ? 0 : place % cols + step[1]), 0, cols - 1);
    this.view.point(this.kind, first + row * cols + col);
  }

  shadesFor(width, height) {
    const name = `${width},${height}`;
    if (!this.shades.has(name)) this.shades.set(name, shadesOf(this.picture, width, height));
    return this.shades.get(name);
  }

  // The picture, `side` pixels at its longer side, with the weights of the axis over it, or as it is without.
  paint(canvas, side, weights, top) {
    const {width, height} = this.axis;
    canvas.width = Math.max(1, Math.round(side * width / Math.max(width, height)));
    canvas.height = Math.max(1, Math.round(side * height / Math.max(width, height)));
    if (!this.picture.complete || !this.picture.naturalWidth) return;
    if (!weights) {
      const context = canvas.getContext('2d');
      context.fillStyle = '#ffffff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(this.picture, 0, 0, canvas.width, canvas.height);
      return;
    }
    const {first, rows, cols} = this.axis;
    paintHeat(canvas, this.shadesFor(canvas.width, canvas.height), weights.subarray(first, first + rows * cols),
        this.axis, ramps.light, top);
  }

  show(side, weights, top, active) {
    this.paint(this.canvas, side, weights, top);
    const {rows, cols} = this.axis, {width, height} = this.canvas;
    const place = active === null ? -1 : this.view.panel.placeOf(this.kind, active);
    this.mark.hidden = place < 0;
    this.mark.style.cssText = `left:${place % cols * width / cols - 1}px;top:${Math.floor(place / cols) * height / rows - 1}px;` +
        `width:${width / cols + 2}px;height:${height / rows + 2}px`;
  }
}
