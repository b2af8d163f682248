// ---- The page ----

const report = JSON.parse(document.getElementById('report').textContent);
let ownScale = false;

document.querySelector('h1').textContent = report.title;
for (const note of report.notes) document.querySelector('.notes').append(element('li', {dir: 'auto'}, note));
const views = report.panels.map(data => new PanelView(new Panel(data)));
for (const view of views) {
  document.querySelector('main').append(view.section);
  const {layers, heads} = view.panel;
  view.choice = {layer: layers > 1 ? null : 0, head: heads > 1 ? null : 0, named: null};
  view.overview?.mark(view.choice);
  view.slider ? view.setStep(-1) : view.redraw();
}

// The panels of one sampler go through its steps together.
function setSteps(count, step) {
  for (const view of views) if (view.slider && view.panel.steps === count) view.setStep(step);
}

const redraw = () => views.forEach(view => view.redraw());
for (const input of document.querySelectorAll('input[name=scale]')) {
  input.addEventListener('change', () => {
    ownScale = input.value === 'map';
    redraw();
  });
}
dark.addEventListener('change', redraw);
addEventListener('resize', () => views.forEach(view => view.drawDetail()));
addEventListener('beforeprint', () => { printing = true; redraw(); });
addEventListener('afterprint', () => { printing = false; redraw(); });
