/** What each line is called. In the page and not in the plot, where Plotly would cut it or let it scroll. */
export const legendScript = String.raw`
const legend = document.getElementById('legend')
const more = document.getElementById('more')
const entries = page.figure.legend.map((entry) => {
  const trace = page.figure.data[entry.traces[0]]
  return { ...entry, trace, isOn: trace.visible !== false, button: null }
})

function svg(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

const dashes = { solid: 'none', dash: '6 4', dot: '1.6 3' }
const marks = {
  circle: 'M9.5 7a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0z', square: 'M10 4h6v6h-6z', diamond: 'M13 2.5l4.5 4.5-4.5 4.5-4.5-4.5z',
  'triangle-up': 'M13 3l4 7h-8z', x: 'M9.5 5l1.5-1.5 2 2 2-2 1.5 1.5-2 2 2 2-1.5 1.5-2-2-2 2-1.5-1.5 2-2z',
  star: 'M13 2l1.4 3.4 3.6.2-2.8 2.3 1 3.6-3.2-2-3.2 2 1-3.6-2.8-2.3 3.6-.2z',
}

/** The line, bar or mark as the plot draws it. */
function sample({ type, line, marker, mode }) {
  const picture = svg('svg', { width: 26, height: 14, viewBox: '0 0 26 14', 'aria-hidden': 'true' })
  if (type === 'bar') picture.append(svg('rect', { x: 6, y: 1, width: 14, height: 12, fill: inTheme(marker.color) }))
  else if (mode === 'markers') picture.append(svg('path', { d: 'M2 7h22', stroke: marker.line.color, 'stroke-width': 2.5 }))
  else picture.append(svg('path', { d: 'M1 7h24', stroke: inTheme(line.color), 'stroke-width': 2.4, 'stroke-dasharray': dashes[line.dash ?? 'solid'] }))
  if (marks[marker?.symbol]) picture.append(svg('path', { d: marks[marker.symbol], fill: inTheme(marker.color) }))
  return picture
}

function buttonOf(entry) {
  const button = document.createElement('button')
  const name = document.createElement('span')
  name.className = 'name'
  name.textContent = entry.name
  button.type = 'button'
  button.title = entry.wholeName ?? ''
  button.append(sample(entry.trace), name)
  button.addEventListener('click', () => { entry.isOn = !entry.isOn; showEntries() })
  button.addEventListener('dblclick', () => {
    const listed = entries.filter((each) => each.button)
    const isAlone = listed.every((each) => each.isOn === (each === entry))
    for (const each of listed) each.isOn = isAlone || each === entry
    showEntries()
  })
  return button
}

/** All columns as wide as the longest name, so that names stand under one another. */
function arrange() {
  legend.style.gridTemplateColumns = 'repeat(auto-fill, max-content)'
  const widest = Math.max(0, ...[...legend.children].map((item) => item.firstChild.getBoundingClientRect().width))
  legend.style.gridTemplateColumns = 'repeat(auto-fill, minmax(min(100%, ' + Math.ceil(widest + 14) + 'px), max-content))'
}

function list(entry) {
  const item = document.createElement('li')
  entry.button = buttonOf(entry)
  item.append(entry.button)
  legend.append(item)
}

function showEntries() {
  for (const { button, isOn } of entries) button?.setAttribute('aria-pressed', String(isOn))
  const shown = []
  entries.forEach((entry) => { for (const index of entry.traces) shown[index] = entry.isOn && !entry.isAway })
  const indexes = shown.flatMap((isShown, index) => (plot.data[index].visible ?? true) === isShown ? [] : [index])
  if (indexes.length > 0) Plotly.restyle(plot, { visible: indexes.map((index) => shown[index]) }, indexes)
}

/** Lines that are not drawn at first are chosen from a list. */
function offerOthers() {
  const others = entries.filter((entry) => !entry.button)
  more.hidden = others.length === 0
  const option = (text, value) => Object.assign(document.createElement('option'), { textContent: text, value })
  more.querySelector('select').replaceChildren(option('one of ' + others.length.toLocaleString('en-US') + ' others', ''), ...others.map((entry) => option(entry.name, entries.indexOf(entry))))
}

entries.filter(({ isOn }) => isOn).forEach(list)
arrange()
offerOthers()
more.addEventListener('change', ({ target }) => {
  const entry = entries[target.value]
  if (!entry) return
  entry.isOn = true
  list(entry)
  arrange()
  offerOthers()
  showEntries()
})
`
