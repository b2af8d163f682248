// Draws attention under the roofs of the machine as SVG: GFLOP/s over operations for
// each byte of inputs and outputs, both axes logarithmic.

const kWidth = 860, kHeight = 520;
const kPlot = { left: 70, right: 650, top: 30, bottom: 460 };
const kOperations = { from: 0.25, to: 4096 };   // for each byte
const kSpeed = { from: 8, to: 1000 };           // GFLOP/s
const kLabelAt = 6;                             // operations for each byte: where a roof is named

const scale = ({ from, to }, begin, end) => (value) =>
  begin + (end - begin) * Math.log(value / from) / Math.log(to / from);
const x = scale(kOperations, kPlot.left, kPlot.right);
const y = scale(kSpeed, kPlot.bottom, kPlot.top);

const attributes = (of) => Object.entries(of).map(([name, value]) =>
  `${name}="${typeof value === 'number' ? +value.toFixed(1) : value}"`).join(' ');
const element = (name, of, content = '') => `<${name} ${attributes(of)}>${content}</${name}>`;
const line = (x1, y1, x2, y2, stroke, more = {}) => element('line', { x1, y1, x2, y2, stroke, ...more });
const label = (at, text, more = {}) =>
  element('text', { x: at[0], y: at[1], fill: '#333', ...more }, text);

function axes() {
  const parts = [];
  for (let value = kOperations.from; value <= kOperations.to; value *= 4) {
    parts.push(line(x(value), kPlot.top, x(value), kPlot.bottom, '#e6e6e6'),
      label([x(value), kPlot.bottom + 18], String(value), { 'text-anchor': 'middle' }));
  }
  for (const value of [10, 20, 50, 100, 200, 500, 1000]) {
    parts.push(line(kPlot.left, y(value), kPlot.right, y(value), '#e6e6e6'),
      label([kPlot.left - 8, y(value) + 4], String(value), { 'text-anchor': 'end' }));
  }
  parts.push(
    label([(kPlot.left + kPlot.right) / 2, kPlot.bottom + 42],
      'floating-point operations for each byte of inputs and outputs', { 'text-anchor': 'middle' }),
    label([18, (kPlot.top + kPlot.bottom) / 2], 'GFLOP/s',
      { 'text-anchor': 'middle', transform: `rotate(-90 18 ${(kPlot.top + kPlot.bottom) / 2})` }));
  return parts;
}

// The slope of the read bandwidth up to the multiply-add peak.
function roof({ name, peak, bandwidth, colour }) {
  const ridge = peak / bandwidth;
  const start = Math.max(kOperations.from, kSpeed.from / bandwidth);
  const style = { 'stroke-width': 2 };
  return [
    line(x(start), y(start * bandwidth), x(ridge), y(peak), colour, style),
    line(x(ridge), y(peak), x(kOperations.to), y(peak), colour, style),
    label([x(kLabelAt), y(peak) - 6], `${name}: ${peak.toFixed(0)} GFLOP/s`, { fill: colour }),
  ];
}

// Along the slope, which the roofs share.
function slopeLabel(bandwidth) {
  const at = [x(0.6), y(0.6 * bandwidth) - 8];
  const angle = Math.atan2(y(10) - y(1), x(10) - x(1)) * 180 / Math.PI;
  return label(at, `read bandwidth: ${bandwidth.toFixed(0)} GB/s`,
    { transform: `rotate(${angle.toFixed(1)} ${at[0].toFixed(1)} ${at[1].toFixed(1)})` });
}

const shapes = {
  circle: (px, py, colour) => element('circle', { cx: px, cy: py, r: 5, fill: colour, 'fill-opacity': '0.75' }),
  square: (px, py, colour) => element('rect',
    { x: px - 4.5, y: py - 4.5, width: 9, height: 9, fill: colour, 'fill-opacity': '0.75' }),
  diamond: (px, py, colour) => element('path',
    { d: `M${px.toFixed(1)} ${(py - 7).toFixed(1)}l6 7l-6 7l-6 -7z`, fill: colour, 'fill-opacity': '0.75' }),
};

function legend(series) {
  return series.flatMap(({ name, shape, colour }, i) => {
    const py = kPlot.top + 20 + 24 * i;
    return [shapes[shape](kPlot.right + 24, py, colour), label([kPlot.right + 38, py + 4], name)];
  });
}

// `roofs` are { name, peak, bandwidth, colour }, GFLOP/s and GB/s; `series` are
// { name, shape, colour, points }, points { operationsPerByte, gflops, title }; `notes`
// are { operationsPerByte, text }, written above the axis.
export function roofline({ title, roofs, series, notes }) {
  const points = series.flatMap(({ shape, colour, points: own }) =>
    own.map(({ operationsPerByte, gflops, title: text }) =>
      `<g><title>${text}</title>${shapes[shape](x(operationsPerByte), y(gflops), colour)}</g>`));
  const written = notes.map(({ operationsPerByte, text }) =>
    label([x(operationsPerByte), kPlot.bottom - 8], text, { 'text-anchor': 'middle' }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${kWidth}" height="${kHeight}" ` +
    `viewBox="0 0 ${kWidth} ${kHeight}" font-family="DejaVu Sans, Arial, sans-serif" font-size="12">\n` +
    [`<title>${title}</title>`, element('rect', { width: kWidth, height: kHeight, fill: '#fff' }),
      ...axes(), ...written, ...roofs.flatMap(roof), slopeLabel(roofs[0].bandwidth), ...points,
      ...legend(series)].join('\n') + '\n</svg>\n';
}
