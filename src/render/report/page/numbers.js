// ---- Numbers: arrays as the report packs them ----

const bytesOf = base64 => Uint8Array.from(atob(base64), character => character.charCodeAt(0));

function floatOfHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// An array of the report, row-major and flat, whichever way it was packed.
function unpack(packed) {
  if (packed.numbers) return Float32Array.from(packed.numbers);
  const bytes = bytesOf(packed.float16 ?? packed.int32);
  if (packed.int32) return new Int32Array(bytes.buffer);
  const halves = new Uint16Array(bytes.buffer);
  return Float32Array.from(halves, floatOfHalf);
}

// One level of a long panel: maps in tiles of bytes, of which those without weight were left out. A byte is the square
// root of the weight's share of `top`.
class Level {
  constructor(packed) {
    Object.assign(this, packed);
    this.decoded = new Map();
  }

  tile(head, row, col) {
    const name = `${head},${row},${col}`;
    if (!this.decoded.has(name))
      this.decoded.set(name, this.tiles[name] ? bytesOf(this.tiles[name]) : null);
    return this.decoded.get(name);
  }

  // Adds `factor` times the weights of a window to `values` [rows, cols].
  addTo(values, head, window, factor) {
    const {side} = this;
    for (let row = 0; row < window.rows; ++row) {
      const y = window.row + row;
      for (let col = 0; col < window.cols; ++col) {
        const x = window.col + col;
        const tile = this.tile(head, Math.floor(y / side), Math.floor(x / side));
        if (!tile) continue;
        const width = Math.min(side, this.cols - Math.floor(x / side) * side);
        const root = tile[y % side * width + x % side] / 255;
        values[row * window.cols + col] += factor * root * root * this.top;
      }
    }
  }
}

const sizeOf = shape => shape.reduce((product, length) => product * length, 1);

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

function percent(weight) {
  const value = 100 * weight;
  return (value >= 9.95 ? value.toFixed(0) : value >= 0.095 ? value.toFixed(1) : value.toPrecision(1)) + '\u00a0%';
}

// The places of the largest weights, the largest first.
function topPlaces(weights, count) {
  return Array.from(weights, (weight, index) => [weight, index]).sort((a, b) => b[0] - a[0]).slice(0, count)
      .filter(([weight]) => weight > 0);
}
