/** What draws the figure that stands in the page, and saves it as a picture. */
export const plotScript = String.raw`
document.title = page.title
document.querySelector('h1').textContent = page.title
document.getElementById('note').textContent = page.note

const asText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A picture is passed on without its page: it gets the title, and a legend with as much room as it takes. */
function picture(format) {
  const shown = entries.filter(({ button, isOn }) => button && isOn)
  const firsts = new Map(shown.map((entry) => [entry.traces[0], asText(entry.name)]))
  const data = plot.data.map((trace, index) => ({ ...trace, showlegend: firsts.has(index), name: firsts.get(index) ?? trace.name }))
  const margin = { ...page.figure.layout.margin, t: page.figure.layout.margin.t + 24 }
  const annotations = (plot.layout.annotations ?? []).filter((_, index) => !hiddenNotes.has(index))
  const layout = { ...plot.layout, annotations, autosize: false, showlegend: true, margin, title: { text: asText(page.title.length > 100 ? page.title.slice(0, 99) + '\u2026' : page.title), font: { size: 16 }, yref: 'container', y: 1, yanchor: 'top', pad: { t: 12 } },
    legend: { itemsizing: 'constant', font: { size: 12 }, y: 1, yanchor: 'top' } }
  const height = Math.max(plot.clientHeight, shown.length * 20 + 160)
  return Plotly.downloadImage({ data: data.filter(({ visible }) => visible !== false), layout }, {
    format, filename: page.pictureName, width: plot.clientWidth, height, scale: format === 'png' ? 2 : 1,
  })
}

const arrow = { width: 24, height: 24, path: 'M11 3h2v9l3-3 1.4 1.4L12 15.8l-5.4-5.4L8 9l3 3zM4 19h16v2H4z' }
const config = {
  displayModeBar: true,
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: '',
  scrollZoom: true,
  modeBarButtonsToRemove: ['toImage', 'select2d', 'lasso2d'],
  modeBarButtonsToAdd: [
    { name: 'png', title: 'Save as PNG', icon: { ...arrow }, click: () => picture('png') },
    { name: 'svg', title: 'Save as SVG', icon: { ...arrow }, click: () => picture('svg') },
  ],
}

/** Notes are listed by weight: one that has no room beside those before it, or in the window, is not shown. */
const hiddenNotes = new Set()
function fitNotes() {
  const placed = []
  hiddenNotes.clear()
  for (const note of plot.querySelectorAll('.annotation')) {
    const { left, right, top, bottom } = note.getBoundingClientRect()
    const hasRoom = right <= innerWidth && left >= 0 && placed.every((other) => right + 4 <= other.left || other.right + 4 <= left || bottom <= other.top || other.bottom <= top)
    note.style.visibility = hasRoom ? '' : 'hidden'
    if (hasRoom) placed.push({ left, right, top, bottom })
    else hiddenNotes.add(Number(note.dataset.index))
  }
}

function draw() {
  const whole = { ...page.figure.layout, autosize: true, showlegend: false, font: { family: 'system-ui, sans-serif', size: 13 }, hoverlabel: { namelength: -1 } }
  // Ticks and titles take the room that they need, however long the figures are.
  for (const name of axisNames) whole[name] = { ...whole[name], automargin: true }
  const data = page.figure.data.map((trace) => changed(trace, traceColours(trace)))
  return Plotly.newPlot(plot, data, changed(whole, layoutColours()), config)
}

function follow() {
  fitNotes()
  plot.on('plotly_afterplot', fitNotes)
  plot.dataset.drawn = 'yes'
  // The window, or a legend that has become longer.
  new ResizeObserver(() => Plotly.Plots.resize(plot)).observe(plot)
  dark.addEventListener('change', () => {
    page.figure.data.forEach((trace, index) => Object.assign(plot.data[index], changed(plot.data[index], traceColours(trace))))
    for (const { button, trace } of entries) button?.firstChild.replaceWith(sample(trace))
    Plotly.relayout(plot, layoutColours()).then(() => Plotly.redraw(plot))
  })
}

if (typeof Plotly === 'undefined')
  plot.append(Object.assign(document.createElement('p'), { textContent: 'The plot cannot be drawn: ' + document.querySelector('script[src]')?.getAttribute('src') + ' is not in the folder of this page. A page made with --self-contained needs nothing beside it.' }))
else draw().then(follow)

const align = document.getElementById('align')
if (page.canAlign) {
  align.hidden = false
  const clock = page.figure.layout.xaxis.title.text
  const times = page.figure.data.map((trace) => trace.x)
  const starts = page.figure.data.map((trace) => trace.meta)
  const lines = starts.flatMap((start, index) => (start === undefined ? [] : [index]))
  align.addEventListener('click', () => {
    const aligned = align.getAttribute('aria-pressed') !== 'true'
    align.setAttribute('aria-pressed', String(aligned))
    const x = lines.map((index) => aligned ? times[index].map((time) => (time - starts[index]) / 1000) : times[index])
    // The highest of all at each moment is none of lines that have left their moments.
    for (const entry of entries) entry.isAway = aligned && starts[entry.traces[0]] === undefined
    showEntries()
    Plotly.update(plot, { x }, {
      'xaxis.type': aligned ? 'linear' : 'date',
      'xaxis.title.text': aligned ? 'Seconds since the start of each' : clock,
      'xaxis.hoverformat': aligned ? ',.1f' : '%Y-%m-%d %H:%M:%S',
      'xaxis.autorange': true,
    }, lines)
  })
}
`
