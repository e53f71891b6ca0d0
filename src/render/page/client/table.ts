/** All jobs in a table that can be searched and sorted, and how their figures came about. */
export const tableScript = String.raw`
function spark(values, name) {
  if (!values || values.length < 2) return element('span', { class: 'quiet' }, '\u2013')
  const most = Math.max(...values) || 1
  const d = values.map((value, index) => (index === 0 ? 'M' : 'L') + ((index / (values.length - 1)) * 60).toFixed(1) + ' ' + (17 - (value / most) * 16).toFixed(1)).join('')
  return drawn('svg', { viewBox: '0 0 60 18', width: 60, height: 18, role: 'img', 'aria-label': name, class: 'spark' }, drawn('path', { d }))
}

const waited = (job) => job.bars.length === 0 || job.readyAt === null ? null : job.bars[0][0] - job.readyAt
const hasShapes = report.jobs.some((job) => job.shape)
const columns = [
  ['ID', 'figure', (job) => job.id, (job) => number(job.id)],
  ['Job', 'job', (job) => job.name, (job) => element('span', { title: job.boundBy }, job.name, element('small', {}, job.group === job.name ? '' : job.group ?? ''))],
  ['State', '', (job) => job.state, (job) => job.warning === null ? badge(job.state) : element('span', { class: 'badge warned' }, job.state + ' \u26a0')],
  ['Tries', 'figure', (job) => job.attempts, (job) => number(job.attempts)],
  ['Waited', 'figure', waited, (job) => waited(job) === null ? '\u2013' : seconds(waited(job))],
  ['Runtime', 'figure', (job) => job.use.runtime.used, (job) => job.use.runtime.text],
  ['of request', 'figure', (job) => job.use.runtime.share, (job) => share(job.use.runtime)],
  ['Memory peak', 'figure', (job) => job.use.memory.used, (job) => figure(job.use.memory)],
  ['of request', 'figure', (job) => job.use.memory.share, (job) => share(job.use.memory)],
  ['CPU peak', 'figure', (job) => job.use.cpu.used, (job) => figure(job.use.cpu)],
  ['CPU mean', 'figure', (job) => job.use.cpu.meanUsed, (job) => job.use.cpu.mean ?? '\u2013'],
  ['of request', 'figure', (job) => job.use.cpu.share, (job) => share(job.use.cpu)],
  ...(hasShapes ? [
    ['Memory', 'shape', null, (job) => spark(job.shape?.memoryBytes, 'Memory of ' + job.name + ' over time')],
    ['CPU', 'shape', null, (job) => spark(job.shape?.cpuPercent, 'CPU of ' + job.name + ' over time')],
  ] : []),
]
// Why a figure is missing is long; the cell says that it is, and the rest when it is pointed at.
const figure = (use) => use.used === null ? element('span', { class: 'quiet', title: use.text }, 'not measured') : use.text

if (report.jobs.length > 0) {
  const place = section('jobs', report.jobs.length === 1 ? 'Job' : 'Jobs')
  const lines = report.jobs.map((job) => ({ job, words: [job.id, job.name, job.group ?? '', job.state, job.reason ?? ''].join(' ').toLowerCase() }))
  const search = element('input', { type: 'search', id: 'search', placeholder: 'name, group, state, reason', autocomplete: 'off' })
  const state = element('select', { id: 'state' }, element('option', { value: '' }, 'all'), ...Object.keys(report.states).map((name) => element('option', { value: name }, name)))
  const over = element('input', { type: 'checkbox', id: 'over' })
  const count = element('output', { for: 'search state over', 'aria-live': 'polite' })
  if (report.jobs.length > 1)
    place.append(element('form', { class: 'filter', role: 'search', onsubmit: (event) => event.preventDefault() },
      element('label', { for: 'search' }, 'Search'), search, element('label', { for: 'state' }, 'State'), state,
      element('label', { class: 'check' }, over, 'over its request'), count))

  const headers = columns.map(([title, kind, value], index) => element('th', { scope: 'col', class: kind, 'aria-sort': value ? 'none' : null },
    value ? element('button', { type: 'button', onclick: () => sort(index) }, title) : title))
  const body = element('tbody')
  place.append(element('div', { class: 'scroll jobs', tabindex: '0', role: 'region', 'aria-label': 'Table of jobs' },
    element('table', {}, element('caption', {}, 'All jobs, what they used and what they asked for'), element('thead', {}, element('tr', {}, ...headers)), body)))
  const more = element('button', { type: 'button', class: 'more', onclick: () => { limit = Infinity; show() } })
  place.append(more)

  // A line is made when it is first shown: most pages are never searched to their end.
  const lineOf = (entry) => entry.line ??= element('tr', { 'data-job': entry.job.id }, ...columns.map(([, kind, , cell], index) =>
    element(index === 1 ? 'th' : 'td', { class: kind, scope: index === 1 ? 'row' : null, title: index === 2 ? entry.job.reason : null }, cell(entry.job))))
  let limit = 200
  let matching = lines
  function show() {
    body.replaceChildren(...matching.slice(0, limit).map(lineOf))
    more.hidden = matching.length <= limit
    more.textContent = 'Show all ' + number(matching.length)
    count.textContent = matching.length === lines.length ? number(lines.length) + ' jobs' : number(matching.length) + ' of ' + number(lines.length) + ' jobs'
  }

  let sorted = { index: -1, direction: 1 }
  function sort(index) {
    sorted = { index, direction: sorted.index === index ? -sorted.direction : index === 1 || index === 2 || index === 0 ? 1 : -1 }
    const value = columns[index][2]
    // What is not known comes last, whichever way the rest is sorted.
    const unknown = (each) => each === null || Number.isNaN(each)
    lines.sort((a, b) => {
      const [left, right] = [value(a.job), value(b.job)]
      if (unknown(left) || unknown(right)) return Number(unknown(left)) - Number(unknown(right))
      const order = typeof left === 'string' ? left.localeCompare(right, 'en', { numeric: true }) : left - right
      return sorted.direction * order || a.job.id - b.job.id
    })
    headers.forEach((header, at) => {
      if (header.hasAttribute('aria-sort')) header.setAttribute('aria-sort', at !== index ? 'none' : sorted.direction > 0 ? 'ascending' : 'descending')
    })
    filter()
  }

  let pending = 0
  function filter() {
    const wanted = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean)
    matching = lines.filter(({ job, words }) => wanted.every((word) => words.includes(word)) && (state.value === '' || job.state === state.value) &&
      (!over.checked || Object.values(job.use).some((use) => (use.share ?? 0) > 100)))
    shown.clear()
    for (const { job } of matching) shown.add(job)
    show()
    // The timeline follows in the next frame, so that typing is never held up.
    cancelAnimationFrame(pending)
    pending = requestAnimationFrame(() => redrawTimeline())
  }
  search.addEventListener('input', filter)
  state.addEventListener('change', filter)
  over.addEventListener('change', filter)
  addEventListener('beforeprint', () => { limit = Infinity; show() })
  show()
}

const measured = section('measured', 'How it was measured', 'Where each figure is from, and over how many attempts. What was not measured is never counted as 0.')
const known = report.measured.filter((each) => each.ways.some((way) => way.isMeasured))
const ways = (list) => element('ul', { class: 'ways' }, ...list.slice(0, 4).map((way) => element('li', { class: way.isMeasured ? '' : 'quiet' },
  (way.isMeasured ? '' : 'not measured: ') + way.text, element('small', {}, number(way.count) + (way.count === 1 ? ' attempt' : ' attempts')))))
measured.append(rows('Ways of measuring', [['Figure', ''], ['Way', '']], known.map((each) => [each.group + ', ' + each.label, ways(each.ways)])))
const reasons = new Map()
for (const each of report.measured) if (!known.includes(each)) {
  const why = each.ways.map((way) => way.text).join('; ')
  reasons.set(why, [...(reasons.get(why) ?? []), each.group + ', ' + each.label])
}
if (reasons.size > 0)
  measured.append(element('h3', {}, 'Not measured'), element('dl', { class: 'reasons' }, ...[...reasons].flatMap(([why, figures]) =>
    [element('dt', {}, why), element('dd', {}, figures.join(' \u00b7 '))])))
`
