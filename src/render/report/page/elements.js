// ---- Elements ----

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// One element of a group takes part in the Tab order; arrow keys move between them.
function focusOne(group, chosen, focus) {
  for (const item of group) item.tabIndex = item === chosen ? 0 : -1;
  if (focus) chosen.focus();
}

const arrowSteps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

const counted = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

// What each kind of head looks like as a small matrix: a pattern, for eyes that tell colours badly, and a name.
const kindPatterns = {
  'first key': 'M0 0h4v12h-4z',
  'one key': 'M6 0h3v12h-3z',
  'self': 'M0 0h3v3h3v3h3v3h3v3h-3v-3h-3v-3h-3v-3h-3z',
  'previous': 'M0 3h3v3h3v3h3v3h-3v-3h-3v-3h-3z',
  'next': 'M3 0h3v3h3v3h3v3h-3v-3h-3v-3h-3z',
  'neighbours': 'M0 0h6v3h3v3h3v6h-6v-3h-3v-3h-3z',
  'focused': 'M1 1h3v3h-3z M8 4h3v3h-3z M3 8h3v3h-3z',
  'broad': 'M0 0h12v12h-12z',
  'mixed': 'M0 0h4v4h-4z M8 0h4v4h-4z M4 4h4v4h-4z M0 8h4v4h-4z M8 8h4v4h-4z',
};

function kindSign(kind) {
  const sign = element('span', {class: 'sign', 'aria-hidden': 'true'});
  sign.innerHTML = '<svg viewBox="-0.5 -0.5 13 13"><path class="ground" d="M0 0h12v12h-12z"/>' +
      `<path class="pattern" d="${kindPatterns[kind]}"/></svg>`;
  return sign;
}
