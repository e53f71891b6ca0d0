/** All jobs over time: waiting, running, the chain that decided how long it took. */
export const timelineScript = String.raw`
const shown = new Set(report.jobs)
let redrawTimeline = () => {}

if (report.jobs.length > 1 && report.timeline.seconds > 0) {
  const critical = report.jobs.filter((job) => job.isCritical)
  const place = section('timeline', 'Timeline',
    'Each line is a job, in the order in which they started. Grey is time in which a job could have run and waited for room.')
  place.append(element('ul', { class: 'key' }, element('li', { class: 'success' }, 'ran'), element('li', { class: 'failed' }, 'did not succeed'),
    element('li', { class: 'wait' }, 'waited'), element('li', { class: 'critical' }, 'critical path: ' + critical.length + (critical.length === 1 ? ' job' : ' jobs'))))
  const axis = element('div', { class: 'axis' })
  const body = element('div', { class: 'gantt' })
  const lowerAxis = element('div', { class: 'axis' })
  place.append(axis, body, lowerAxis)
  const total = report.timeline.seconds
  const ran = report.jobs.filter((job) => job.bars.length > 0).sort((a, b) => a.bars[0][0] - b.bars[0][0] || a.id - b.id)
  const failing = (status) => !['success', 'running', 'unknown'].includes(status)

  const draw = (width) => {
    const jobs = ran.filter((job) => shown.has(job))
    // Many jobs are drawn thinner, so that all of them are seen together; the search below the timeline makes them fewer.
    const line = jobs.length <= 40 ? 24 : jobs.length <= 110 ? 18 : Math.max(0.6, Math.min(13, 2000 / jobs.length))
    const isNamed = line >= 12
    const gutter = isNamed ? Math.min(220, Math.floor(width * 0.28)) : 8
    const room = width - gutter - 12
    const x = (at) => gutter + (at / total) * room
    // What is wider than its line needs room at both ends.
    const height = Math.max(6, jobs.length * line)
    const wanted = Math.max(3, Math.floor(room / 110))
    const marks = ticks(total, wanted, 60)
    const times = () => chart(width, 22, 'Time since the start, from 0 to ' + seconds(total), ...timeLabels(total, wanted, x, width, 15))
    axis.replaceChildren(times())
    // Who has scrolled to the last of many jobs does not see the first axis any more.
    lowerAxis.hidden = height < 500
    lowerAxis.replaceChildren(...(lowerAxis.hidden ? [] : [times()]))
    const grid = drawn('path', { class: 'grid', d: marks.map((at) => 'M' + x(at).toFixed(1) + ' 0V' + height).join('') })
    // A run's name stands before its mark where it would be cut behind it; one that would run into the last is left out.
    let taken = gutter
    const breaks = report.timeline.runs.slice(1).map((run) => {
      const words = 'run ' + run.runId
      const wide = words.length * 8
      const isBefore = x(run.at) + 4 + wide > width
      const from = isBefore ? x(run.at) - 4 - wide : x(run.at) + 4
      const hasRoom = from >= taken
      if (hasRoom) taken = from + wide
      return drawn('g', { class: 'break' }, drawn('path', { d: 'M' + x(run.at).toFixed(1) + ' 0V' + height }),
        ...(hasRoom ? [label(x(run.at) + (isBefore ? -4 : 4), 11, words, { 'text-anchor': isBefore ? 'end' : 'start' })] : []))
    })
    const bars = jobs.map((job, index) => {
      const top = index * line
      const thick = line >= 18 ? line * 0.58 : line > 4 ? line * 0.8 : line
      const y = top + (line - thick) / 2
      const parts = []
      const waited = job.bars[0][0] - (job.readyAt ?? job.bars[0][0])
      if (waited > total / 2000)
        parts.push(drawn('rect', { class: 'wait', x: x(job.readyAt), y: y + (line > 4 ? thick * 0.25 : 0), width: Math.max(1, x(job.bars[0][0]) - x(job.readyAt)), height: line > 4 ? thick * 0.5 : thick }))
      for (const [from, to, status] of job.bars) {
        const kind = failing(status) ? 'failed' : job.isCritical ? 'critical' : 'ran'
        // What matters is seen however many jobs there are.
        const high = Math.max(thick, kind === 'critical' ? 5 : kind === 'failed' ? 2 : 1.2)
        parts.push(drawn('rect', { class: kind, x: x(from), y: Math.max(0, Math.min(height - high, y + (thick - high) / 2)), width: Math.max(kind === 'ran' ? 1.5 : 3, x(to) - x(from)), height: high, rx: line >= 18 ? 2 : 0 }))
      }
      if (isNamed)
        parts.push(label(gutter - 10, top + line / 2, job.name, { class: job.isCritical ? 'name strong' : 'name', 'text-anchor': 'end', 'dominant-baseline': 'central' }))
      return drawn('g', { 'data-job': index }, drawn('rect', { class: 'row', x: 0, y: top, width, height: line }), ...parts)
    })
    const inFront = bars.toSorted((a, b) => jobs[a.dataset.job].isCritical - jobs[b.dataset.job].isCritical)
    const svg = chart(width, height, 'Timeline of ' + jobs.length + ' jobs over ' + seconds(total) + '; the table of jobs has the same times', grid, ...inFront, ...breaks)
    svg.addEventListener('pointermove', (event) => {
      const job = jobs[event.target.closest('[data-job]')?.dataset.job]
      if (job === undefined) return hideTip()
      const [from] = job.bars[0]
      showTip(event, [job.name, job.state + (job.attempts > 1 ? ', ' + job.attempts + ' attempts' : ''),
        'started after ' + seconds(from) + ', waited ' + seconds(from - (job.readyAt ?? from)), 'ran ' + job.use.runtime.text, ...(job.isCritical ? ['on the critical path'] : []), ...(job.boundBy ? [job.boundBy] : [])])
    })
    svg.addEventListener('pointerleave', hideTip)
    svg.classList.toggle('dense', line < 4)
    svg.classList.toggle('close', isNamed && line < 18)
    body.replaceChildren(svg)
    for (const name of svg.querySelectorAll('.name')) shorten(name, gutter - 16)
  }

  redrawTimeline = keepDrawn(body, draw)
}
`
