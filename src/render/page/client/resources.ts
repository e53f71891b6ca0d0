/** Each resource over all jobs, as measured or in percent of the request; and how it is spread within groups. */
export const resourcesScript = String.raw`
if (report.jobs.length === 1) {
  const [{ use }] = report.jobs
  section('resources', 'Resources', 'What the job used, as measured and in percent of what it asked for.').append(rows('Resources of the job',
    [['Resource', ''], ['Most used', 'figure'], ['Mean', 'figure'], ['Requested', 'figure'], ['of request', 'figure']],
    Object.entries(resources).map(([name, { title }]) => [title, use[name].text, use[name].mean ?? '\u2013', use[name].requestText ?? '\u2013', share(use[name])])))
} else if (report.jobs.some((job) => job.bars.length > 0)) {
  const place = section('resources', 'Resources', 'Every job as a bar, the largest first; the line is what it asked for.')
  let resource = 'memory'
  let unit = 'raw'
  const bars = element('div', { class: 'bars' })
  const boxes = element('div', { class: 'boxes' })
  const valueOf = (job) => unit === 'raw' ? job.use[resource].used : job.use[resource].share
  const words = (value) => unit === 'raw' ? resources[resource].words(value) : amount(Math.round(value)) + '%'
  const requestOf = (job) => unit === 'raw' ? job.use[resource].request : job.use[resource].request === null ? null : 100

  const drawBars = (width) => {
    const jobs = report.jobs.filter((job) => valueOf(job) !== null).sort((a, b) => valueOf(b) - valueOf(a))
    if (jobs.length === 0) {
      bars.replaceChildren(element('p', { class: 'none' }, unit === 'raw' ? 'Not measured.' : 'No job asked for any, or none was measured.'))
      return
    }
    const left = 72
    const room = width - left - 8
    const step = Math.min(room / jobs.length, 150)
    const isNamed = step > 80
    const [height, bottom] = isNamed ? [250, 28] : [230, 8]
    const highest = highestOf(jobs.map((job) => Math.max(valueOf(job), requestOf(job) ?? 0))) || 1
    const y = (value) => 8 + (1 - Math.min(1, value / (highest * 1.04))) * (height - bottom - 8)
    const path = (list, part) => list.map(part).join('')
    // A bar as wide as the page would say nothing.
    const gap = isNamed ? step - 48 : step > 6 ? step * 0.22 : step > 3 ? 0.6 : 0
    const bar = ([job, index]) => {
      const from = left + index * step + gap / 2
      return 'M' + from.toFixed(2) + ' ' + y(0).toFixed(1) + 'V' + y(valueOf(job)).toFixed(1) + 'h' + Math.max(0.4, step - gap).toFixed(2) + 'V' + y(0).toFixed(1) + 'z'
    }
    const placed = jobs.map((job, index) => [job, index])
    const isOver = ([job]) => (job.use[resource].share ?? 0) > 100
    const asked = placed.filter(([job]) => requestOf(job) !== null)
    const svg = chart(width, height, resources[resource].title + ' of ' + jobs.length + ' jobs, from ' + words(valueOf(jobs[0])) + ' to ' + words(valueOf(jobs.at(-1))),
      ...ticks(highest, 5, unit === 'raw' ? resources[resource].base : 10).map((at) => drawn('g', {}, drawn('path', { class: 'grid', d: 'M' + left + ' ' + y(at).toFixed(1) + 'H' + (width - 8) }),
        label(left - 8, y(at), words(at), { class: 'tick', 'text-anchor': 'end', 'dominant-baseline': 'central' }))),
      drawn('path', { class: 'ran', d: path(placed.filter((each) => !isOver(each)), bar) }),
      drawn('path', { class: 'failed', d: path(placed.filter(isOver), bar) }),
      drawn('path', { class: 'asked', d: path(asked, ([job, index]) => 'M' + (left + index * step + (isNamed ? gap / 2 - 6 : 0)).toFixed(2) + ' ' + y(requestOf(job)).toFixed(1) + 'h' + (isNamed ? step - gap + 12 : step).toFixed(2)) }),
      ...(isNamed ? placed.map(([job, index]) => label(left + (index + 0.5) * step, height - 8, job.name, { class: 'name', 'text-anchor': 'middle' })) : []))
    svg.addEventListener('pointermove', (event) => {
      const job = jobs[Math.floor((event.clientX - svg.getBoundingClientRect().left - left) / step)]
      if (job === undefined) return hideTip()
      const use = job.use[resource]
      showTip(event, [job.name, use.text + (use.mean === null ? '' : ', mean ' + use.mean), use.requestText === null ? 'no request' : 'asked for ' + use.requestText + (use.share === null ? '' : ': ' + Math.round(use.share) + '% used')])
    })
    svg.addEventListener('pointerleave', hideTip)
    bars.replaceChildren(svg)
    for (const name of svg.querySelectorAll('.name')) shorten(name, step - 8)
  }

  const mostGroups = 24
  const drawBoxes = (width) => {
    const groups = report.groups.filter((group) => group[unit][resource]).slice(0, mostGroups)
    boxes.hidden = groups.length === 0
    if (boxes.hidden) return
    const [line, bottom] = [30, 24]
    const gutter = Math.min(230, Math.floor(width * 0.3))
    // In percent of the request the request itself, 100, is always in sight.
    const most = Math.max(unit === 'share' ? 100 : 0, ...groups.map((group) => Math.max(group[unit][resource].high, highestOf(group[unit][resource].outliers)))) * 1.03 || 1
    const x = (value) => gutter + (value / most) * (width - gutter - 16)
    const height = groups.length * line + bottom
    const rows = groups.map((group, index) => {
      const box = group[unit][resource]
      const [middle, thick] = [index * line + line / 2, 7]
      const at = (value) => x(value).toFixed(1)
      return drawn('g', { 'data-group': index }, drawn('rect', { class: 'row', x: 0, y: index * line, width, height: line }),
        label(gutter - 12, middle, group.group, { class: 'name', 'text-anchor': 'end', 'dominant-baseline': 'central' }),
        drawn('path', { class: 'whisker', d: 'M' + at(box.low) + ' ' + middle + 'H' + at(box.high) + 'M' + at(box.low) + ' ' + (middle - 4) + 'v8M' + at(box.high) + ' ' + (middle - 4) + 'v8' }),
        drawn('rect', { class: 'box', x: x(box.quarter), y: middle - thick, width: Math.max(1, x(box.threeQuarters) - x(box.quarter)), height: thick * 2, rx: 2 }),
        drawn('path', { class: 'median', d: 'M' + at(box.median) + ' ' + (middle - thick) + 'v' + thick * 2 }),
        ...box.outliers.slice(-100).map((value) => drawn('circle', { class: 'outlier', cx: at(value), cy: middle, r: 2.2 })))
    })
    const marks = ticks(most, Math.max(3, Math.floor((width - gutter) / 110)), unit === 'raw' ? resources[resource].base : 10)
    const svg = chart(width, height, 'Box plots of ' + resources[resource].title + ' for ' + groups.length + ' groups of jobs',
      drawn('path', { class: 'grid', d: marks.map((at) => 'M' + x(at).toFixed(1) + ' 0V' + (height - bottom)).join('') }),
      ...(unit === 'share' ? [drawn('path', { class: 'request', d: 'M' + x(100).toFixed(1) + ' 0V' + (height - bottom) })] : []),
      ...rows, ...marks.map((at) => label(x(at), height - 7, words(at), { class: 'tick', 'text-anchor': at === 0 ? 'start' : x(at) > width - 40 ? 'end' : 'middle' })))
    svg.addEventListener('pointermove', (event) => {
      const group = groups[event.target.closest('[data-group]')?.dataset.group]
      if (group === undefined) return hideTip()
      const box = group[unit][resource]
      showTip(event, [group.group, number(box.count) + (box.count === 1 ? ' job' : ' jobs'), 'median ' + words(box.median), 'half of them from ' + words(box.quarter) + ' to ' + words(box.threeQuarters), 'highest ' + words(Math.max(box.high, ...box.outliers))])
    })
    svg.addEventListener('pointerleave', hideTip)
    const left = report.groups.length - groups.length
    boxes.replaceChildren(svg, ...(left > 0 ? [element('p', { class: 'none' }, 'and ' + number(left) + ' smaller groups')] : []))
    for (const name of svg.querySelectorAll('.name')) shorten(name, gutter - 16)
  }

  place.append(element('div', { class: 'choices' },
    choice('Resource', 'resource', Object.entries(resources).map(([value, { title }]) => [value, title]), resource, (value) => { resource = value; redraw() }),
    choice('Shown', 'unit', [['raw', 'as measured'], ['share', '% of request']], unit, (value) => { unit = value; redraw() })))
  place.append(bars)
  const again = [keepDrawn(bars, drawBars)]
  place.append(element('h3', {}, 'By group', element('small', {}, 'median, middle half, range and outliers')), boxes)
  again.push(keepDrawn(boxes, drawBoxes))
  function redraw() { again.forEach((each) => each()) }
}
`
