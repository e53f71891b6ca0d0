/** One job over time, each resource in a chart of its own. */
export const seriesScript = String.raw`
const seriesCharts = [
  ['cpuPercent', 'CPU', (value) => amount(Math.round(value)) + '%', 10, (job) => job.use.cpu.request, (job) => job.use.cpu.text, (job) => job.use.cpu.used],
  ['memoryBytes', 'Memory', bytes, 1024, (job) => job.use.memory.request, (job) => job.use.memory.text, (job) => job.use.memory.used],
  ['processes', 'Processes', (value) => amount(Math.round(value)), 10, () => null, (job) => job.processesPeak, () => null],
  ['readBytesPerSecond', 'Read', (value) => bytes(value) + '/s', 1024, () => null, () => null, () => null],
  ['writeBytesPerSecond', 'Written', (value) => bytes(value) + '/s', 1024, () => null, () => null, () => null],
]

if (report.kind === 'job' && report.jobs[0]?.shape) {
  const [job] = report.jobs
  const { shape } = job
  const place = section('series', 'Over time', 'The highest value of each moment; dashed is what the job asked for.')
  for (const [metric, title, words, base, requested, recorded, exactly] of seriesCharts) {
    const values = shape[metric]
    const peak = highestOf(values ?? [])
    // A line along zero says no more than the table does.
    if (!values || peak === 0) continue
    const request = requested(job)
    // The job's own figure where it has one: samples may have missed its peak.
    const exact = exactly(job)
    const differs = exact !== null && Math.abs(peak - exact) > 0.01 * exact
    const told = recorded(job) === null ? 'up to ' + words(peak) + ' between two samples'
      : 'peak ' + recorded(job) + (differs ? '; samples show up to ' + words(peak) : '')
    const body = element('div', { class: 'series ' + metric })
    place.append(element('h3', {}, title, element('small', {}, told)), body)
    keepDrawn(body, (width) => {
      const [height, left, bottom] = [150, 64, 22]
      const most = Math.max(peak, request ?? 0) * 1.06 || 1
      const x = (index) => left + (index / (values.length - 1)) * (width - left - 8)
      const y = (value) => 6 + (1 - value / most) * (height - bottom - 6)
      const line = values.map((value, index) => (index === 0 ? 'M' : 'L') + x(index).toFixed(1) + ' ' + y(value).toFixed(1)).join('')
      const cursor = drawn('path', { class: 'cursor' })
      const svg = chart(width, height, title + ' over ' + seconds(shape.seconds) + ', ' + told,
        ...ticks(most, 4, base).filter((at) => metric !== 'processes' || Number.isInteger(at)).map((at) => drawn('g', {}, drawn('path', { class: 'grid', d: 'M' + left + ' ' + y(at).toFixed(1) + 'H' + (width - 8) }),
          label(left - 8, y(at), words(at), { class: 'tick', 'text-anchor': 'end', 'dominant-baseline': 'central' }))),
        ...timeLabels(shape.seconds, Math.max(3, Math.floor(width / 130)), (at) => left + (at / shape.seconds) * (width - left - 8), width, height - 5),
        drawn('path', { class: 'area', d: line + 'V' + y(0) + 'H' + left + 'Z' }), drawn('path', { class: 'line', d: line }),
        ...(request !== null ? [drawn('path', { class: 'request', d: 'M' + left + ' ' + y(request).toFixed(1) + 'H' + (width - 8) })] : []), cursor)
      svg.addEventListener('pointermove', (event) => {
        const at = (event.clientX - svg.getBoundingClientRect().left - left) / (width - left - 8)
        const index = Math.max(0, Math.min(values.length - 1, Math.round(at * (values.length - 1))))
        cursor.setAttribute('d', 'M' + x(index).toFixed(1) + ' 6V' + (height - bottom))
        showTip(event, [words(values[index]), 'after ' + seconds((index / (values.length - 1)) * shape.seconds)])
      })
      svg.addEventListener('pointerleave', () => { cursor.removeAttribute('d'); hideTip() })
      body.replaceChildren(svg)
    })
  }
}
`
