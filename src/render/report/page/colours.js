// ---- Colours ----

const colours = JSON.parse(document.getElementById('colours').textContent);
const dark = matchMedia('screen and (prefers-color-scheme: dark)');
let printing = false;

const channelsOf = table => table.map(hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)));
const ramps = {light: channelsOf(colours.light), dark: channelsOf(colours.dark)};

// Pictures are shown as they are, also on a dark page, and so are the colours on them.
const rampOf = onPicture => dark.matches && !printing && !onPicture ? ramps.dark : ramps.light;

const colourAt = (ramp, share) => ramp[Math.round(clamp(share, 0, 1) * (ramp.length - 1))];

const css = ([red, green, blue]) => `rgb(${red},${green},${blue})`;

// Black or white, whichever is easier to read on the colour.
const inkOn = ([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? '#222222' : '#ffffff';

// One pixel for each cell; the style makes it larger.
function paintCells(canvas, map, ramp, top) {
  canvas.width = map.cols;
  canvas.height = map.rows;
  const context = canvas.getContext('2d');
  const image = context.createImageData(map.cols, map.rows);
  map.values.forEach((weight, index) => {
    image.data.set(colourAt(ramp, weight / top), 4 * index);
    image.data[4 * index + 3] = 255;
  });
  context.putImageData(image, 0, 0);
}

function paintRamp(canvas, ramp) {
  paintCells(canvas, {rows: 1, cols: 128, values: Float32Array.from({length: 128}, (_, i) => i / 127)}, ramp, 1);
}

// ---- Heat over a picture ----

// How light the picture is at each pixel of a canvas, from 0.5 for black to 1 for white, as OverlayHeat has it.
function shadesOf(picture, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  const {data} = context.getImageData(0, 0, width, height);
  return Float32Array.from({length: width * height}, (_, i) =>
      0.5 + 0.5 * (0.2126 * data[4 * i] + 0.7152 * data[4 * i + 1] + 0.0722 * data[4 * i + 2]) / 255);
}

// Where the middle of a pixel falls between the middles of two cells.
function between(pixels, cells) {
  return Array.from({length: pixels}, (_, pixel) => {
    const place = clamp((pixel + 0.5) * cells / pixels - 0.5, 0, cells - 1);
    const first = Math.floor(place);
    return [first, Math.min(first + 1, cells - 1), place - first];
  });
}

// The picture in greys, inked with `weights` [rows, cols] over it.
function paintHeat(canvas, shades, weights, {rows, cols}, ramp, top) {
  const {width, height} = canvas;
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  const down = between(height, rows), across = between(width, cols);
  let at = 0;
  for (const [above, below, lower] of down) {
    for (const [left, right, righter] of across) {
      const mix = row => weights[row * cols + left] * (1 - righter) + weights[row * cols + right] * righter;
      const colour = colourAt(ramp, (mix(above) * (1 - lower) + mix(below) * lower) / top);
      const shade = shades[at];
      for (let channel = 0; channel < 3; ++channel) image.data[4 * at + channel] = colour[channel] * shade;
      image.data[4 * at++ + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}
