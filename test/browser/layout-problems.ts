/**
 * Run in a page: what is cut, hidden, covered or out of sight. Rectangles are compared as they are on the screen, with a pixel
 * for rounding.
 */
const shared = String.raw`
  const problems = []
  const need = (good, what) => { if (!good) problems.push(what) }
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]
  const box = (node) => node.getBoundingClientRect()
  const isSeen = (node) => box(node).width > 0 && box(node).height > 0 && getComputedStyle(node).visibility !== 'hidden'
  const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const words = (node) => (node.className.baseVal ?? node.className) + ' "' + node.textContent.slice(0, 30) + '" ' + JSON.stringify([box(node).left, box(node).top, box(node).right, box(node).bottom].map(Math.round))
  const none = (found, what) => need(found.length === 0, found.length + ' ' + what + ', such as ' + (found[0] ? words(found[0]) : ''))
  need(document.documentElement.scrollWidth <= innerWidth, 'the page scrolls sideways: ' + document.documentElement.scrollWidth)
  // In a narrow window figures without end scroll, in a box of their own; on a telephone only the table of several jobs does.
  const mayScroll = (node) => innerWidth < 960 && node.closest(innerWidth > 704 ? '.scroll' : '.scroll.jobs:not(.one)') !== null
  none(all('body *').filter((node) => !mayScroll(node) && /auto|scroll/.test(getComputedStyle(node).overflow) && (node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight)), 'boxes scroll')
`

export const plotLayoutProblems = String.raw`(() => {
  ${shared}
  const plot = document.getElementById('plot')
  need(document.documentElement.scrollHeight <= innerHeight, 'the page scrolls: ' + document.documentElement.scrollHeight)
  const window = { left: 0, right: innerWidth, top: 0, bottom: innerHeight }
  none(all('body *:not(svg *, script, style, #js-plotly-tester)').filter((node) => isSeen(node) && !inside(box(node), window)), 'elements are outside the window')
  // Whatever has a text; bars and lines are clipped to their panel.
  const texts = all('svg.main-svg text', plot).filter(isSeen)
  none(texts.filter((text) => !inside(box(text), box(plot))), 'texts are cut')
  need(all('.scrollbar', plot).every((bar) => !isSeen(bar)), 'a legend scrolls')
  const bar = box(plot.querySelector('.modebar'))
  const buttons = all('#legend button')
  need(buttons.length > 0, 'there is no legend')
  none([...buttons, ...all('h1, #note'), ...texts].filter((node) => overlap(box(node), bar)), 'texts are under the toolbar')
  none(buttons.filter((button) => box(button).bottom > box(plot).top + 1), 'legend entries are under the plot')
  const named = all('#legend .name')
  none(named.filter((name) => !isSeen(name) || name.scrollWidth > name.clientWidth || name.textContent === ''), 'names in the legend are cut')
  none(buttons.filter((a, index) => buttons.slice(index + 1).some((b) => overlap(box(a), box(b)))), 'legend entries cover one another')
  need(box(plot).height > innerHeight * 0.3, 'the plot is only ' + box(plot).height + ' high')
  for (const layer of ['.annotation-text', '.xtick text', '.ytick text', '.y2tick text', '.y3tick text']) {
    const labels = all(layer, plot).filter(isSeen)
    // Slanted ones overlap by their rectangles only.
    if (labels.some((text) => /rotate\((?!0)/.test(text.getAttribute('transform') ?? ''))) continue
    none(labels.filter((a, index) => labels.slice(index + 1).some((b) => overlap(box(a), box(b)))), layer + ' cover one another')
  }
  const full = plot._fullLayout
  for (const trace of plot._fullData.filter((each) => /requested/.test(each.name))) {
    const [from, to] = full[trace.yaxis.replace('y', 'yaxis')].range
    for (const level of trace.y) need(level === null || (level >= from && level <= to), trace.name + ' at ' + level + ' is not in ' + [from, to])
  }
  const [first, last] = full.xaxis.range.map((at) => full.xaxis.type === 'date' ? Date.parse(at + 'Z') : at)
  for (const { x0 } of (full.shapes ?? []).map((shape) => ({ x0: Date.parse(shape.x0 + 'Z') }))) need(x0 >= first - 1 && x0 <= last + 1, 'a mark at ' + x0 + ' is not in ' + [first, last])
  return problems
})()`

/** At the size of a screen nothing scrolls at all. */
export const heatLayoutProblems = String.raw`(() => {
  ${shared}
  need(innerWidth < 1400 || document.documentElement.scrollHeight <= innerHeight, 'the page scrolls: ' + document.documentElement.scrollHeight)
  const window = { left: 0, right: innerWidth, top: -Infinity, bottom: Infinity }
  none(all('body *:not(.skip, caption, option, script, style)').filter((node) => isSeen(node) && !inside(box(node), window)), 'elements are outside the window')
  const cells = all('.map :is(th, td)')
  need(cells.length === 8 * 26, cells.length + ' cells')
  none(cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1), 'figures are wider than their place')
  none(cells.filter((a, index) => cells.slice(index + 1).some((b) => overlap(box(a), box(b)))), 'cells cover one another')
  return problems
})()`

export const reportLayoutProblems = String.raw`(() => {
  ${shared}
  const window = { left: 0, right: innerWidth, top: -Infinity, bottom: Infinity }
  none(all('body *:not(.skip, caption, legend, script, style)').filter((node) => isSeen(node) && (!mayScroll(node) || node.matches('.scroll')) && !inside(box(node), window)), 'elements are outside the window')
  for (const svg of all('main svg')) none(all('text, path, rect', svg).filter((node) => isSeen(node) && !inside(box(node), box(svg))), 'parts of ' + svg.getAttribute('aria-label').slice(0, 20) + ' are cut')
  none(all('td, th, dd, h1, .tiles li, .tiles strong').filter((node) => node.scrollWidth > node.clientWidth + 1), 'texts are wider than their place')
  // Headings that wrap out of sight leave an empty band above those in sight.
  none(all('thead th').filter((head) => innerWidth <= 704 && isSeen(head) && box(head).height > 2.5 * parseFloat(getComputedStyle(head).fontSize) + 8), 'headings are higher than a line')
  const report = JSON.parse(document.getElementById('report').textContent)
  const gantt = document.querySelector('.gantt')
  if (report.jobs.length > 1) {
    const rows = all('g[data-job]', gantt)
    need(rows.length === report.jobs.length, rows.length + ' rows of ' + report.jobs.length + ' jobs')
    none(rows.filter((row) => !inside(box(row), box(gantt))), 'rows are outside the timeline')
    const names = all('.name', gantt)
    none(names.filter((a, index) => names.slice(index + 1).some((b) => overlap(box(a), box(b)))), 'names of rows cover one another')
    const asked = document.querySelector('.bars .asked')
    const [resource, unit] = ['resource', 'unit'].map((name) => document.querySelector('[name=' + name + ']:checked').value)
    const wanted = report.jobs.map(({ use }) => use[resource]).filter((use) => use.request !== null && (unit === 'raw' ? use.used : use.share) !== null).length
    need((asked?.getAttribute('d').match(/M/g) ?? []).length === wanted, 'not all ' + wanted + ' requests are drawn')
  } else if (report.kind === 'job') {
    const [{ use }] = report.jobs
    for (const { id, lines } of report.charts.charts) {
      const place = document.querySelector('[data-chart=' + id + ']')
      need((use[id]?.request ?? null) === null || lines.some(({ kind }) => kind === 'request'), 'the request for ' + id + ' is not in its chart')
      need(all('.jc-key:is(.request, .limit)', place).length === lines.length, 'not all lines of ' + id + ' are told of')
      const parts = all('.jc-legend > *', place).filter(isSeen)
      none(parts.filter((a, index) => !inside(box(a), box(place)) || parts.slice(index + 1).some((b) => overlap(box(a), box(b)))), 'parts of the legend of ' + id + ' are cut or cover one another')
    }
    need(all('.jc-chart').length === report.charts.charts.length, 'not all charts are drawn')
    none(all('.jc-plot').filter((place) => Math.abs(place.querySelector('canvas').clientWidth - place.clientWidth) > 1), 'charts do not fill their place')
  }
  for (const svg of all('.bars svg, .boxes svg, .axis svg')) {
    const labels = all('text', svg)
    none(labels.filter((a, index) => labels.slice(index + 1).some((b) => overlap(box(a), box(b)))), 'labels of ' + svg.getAttribute('aria-label').slice(0, 20) + ' cover one another')
  }
  const edge = (cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return range.getBoundingClientRect().right
  }
  for (const table of all('table')) {
    const row = table.querySelector('tbody tr')
    all('thead th', table).forEach((head, index) => {
      // In a narrow window each figure has its name before it instead.
      if (!head.classList.contains('figure') || row === null || box(head).height < 2) return
      need(Math.abs(edge(head) - edge(row.cells[index])) < 1.5, head.textContent + ' is not over its figures: ' + edge(head) + ', ' + edge(row.cells[index]))
    })
  }
  return problems
})()`

/** Short words that stand on more than one line. */
export const brokenWords = String.raw`(() => {
  const broken = []
  for (const cell of document.querySelectorAll('td, tbody th, .badge')) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) for (const match of walker.currentNode.data.matchAll(/(?<!\S)\S{1,14}(?!\S)/g)) {
      const range = document.createRange()
      range.setStart(walker.currentNode, match.index)
      range.setEnd(walker.currentNode, match.index + match[0].length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(match[0])
    }
  }
  return broken
})()`

const notes = `[...document.querySelectorAll('#plot .annotation')].filter((note) => getComputedStyle(note).visibility !== 'hidden')`

/** The words above a plot that are to be seen. */
export const seenNotes = `${notes}.map((note) => note.textContent)`

/** Those that run into the next, or out of the plot. */
export const overlappingNotes = `(() => {
  const boxes = ${notes}.map((note) => [note.textContent, note.getBoundingClientRect()])
  return boxes.filter(([, a], index) => a.right > innerWidth || boxes.slice(index + 1).some(([, b]) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).map(([text]) => text)
})()`
