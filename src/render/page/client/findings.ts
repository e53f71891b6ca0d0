/** The outcome and what is to be done about it. */
export const findingsScript = String.raw`
function rows(caption, headers, lines) {
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    element('table', {}, element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...headers.map(([text, kind]) => element('th', { scope: 'col', class: kind }, text)))),
      element('tbody', {}, ...lines.map((cells) => element('tr', {}, ...cells.map((cell, index) =>
        element(index === 0 ? 'th' : 'td', { class: headers[index][1], scope: index === 0 ? 'row' : null, 'data-label': headers[index][0] }, cell)))))))
}

function share(use) {
  if (use.share === null) return element('span', { class: 'quiet' }, '\u2013')
  return element('span', { class: use.share > 100 ? 'share over' : 'share', style: '--part:' + Math.min(100, use.share) + '%' }, Math.round(use.share) + '%')
}

/** The first lines of a long table, and a button for the rest. */
function shortened(caption, headers, lines) {
  const first = 10
  const place = element('div', { class: 'shortened' }, rows(caption, headers, lines.slice(0, first)))
  const whole = () => place.replaceChildren(rows(caption, headers, lines))
  if (lines.length > first) {
    place.append(element('button', { type: 'button', class: 'more', onclick: whole }, 'Show all ' + number(lines.length)))
    addEventListener('beforeprint', whole)
  }
  return place
}

const outcome = section('outcome', 'Outcome')
outcome.append(element('ul', { class: 'tiles' }, ...report.tiles.map((tile) =>
  element('li', { class: tile.mood }, element('span', { class: 'label' }, tile.label),
    element('strong', {}, tile.figure), element('span', { class: 'under' }, tile.note)))))
if (report.kind === 'job' && report.jobs[0]?.boundBy)
  outcome.append(element('p', { class: 'bound' }, element('span', { class: 'quiet' }, 'Bound by '), report.jobs[0].boundBy))
if (report.jobs.length > 1) {
  const total = report.jobs.length
  const states = Object.entries(report.states).sort(([, a], [, b]) => b - a)
  outcome.append(
    element('div', { class: 'states', role: 'img', 'aria-label': states.map(([state, count]) => count + ' ' + state).join(', ') },
      ...states.map(([state, count]) => element('span', { class: state, style: 'flex-grow:' + Math.max(count, total / 200) }))),
    element('ul', { class: 'key' }, ...states.map(([state, count]) => element('li', { class: state }, number(count) + ' ' + state))))
}

const warned = report.jobs.filter((job) => job.warning !== null)
if (warned.length + report.violations.length + report.failures.length + report.recommendations.length > 0) {
  const findings = section('findings', 'What to look at')
  if (report.failures.length > 0)
    findings.append(element('h3', {}, 'Did not succeed'), shortened('Jobs that did not succeed, and why',
      [['Job', ''], ['Outcome', ''], ['Probable cause', ''], ['Evidence', '']],
      report.failures.map((failure) => [failure.name, badge(failure.status), failure.cause, failure.evidence])))
  if (warned.length > 0)
    findings.append(element('h3', {}, 'Succeeded with a warning'), shortened('Jobs that succeeded although something went wrong',
      [['Job', ''], ['Warning', '']], warned.map((job) => [job.name, job.warning])))
  if (report.violations.length > 0)
    findings.append(element('h3', {}, 'Used more than requested'), shortened('Uses above the request, the furthest first',
      [['Job', ''], ['Resource', ''], ['Requested', 'figure'], ['Used', 'figure'], ['Over', 'figure']],
      report.violations.map((each) => [each.name, each.resource, each.specified, each.used, element('b', { class: 'over' }, each.over)])))
  if (report.recommendations.length > 0)
    findings.append(element('h3', {}, 'What to ask for next time'), shortened('Requests that should be others',
      [['Requirement', ''], ['Resource', ''], ['Now', 'figure'], ['Better', 'figure'], ['Why', ''], ['Confidence', '']],
      report.recommendations.map((each) => [each.requirement, each.resource, each.now, element('b', {}, each.suggested), each.reason, each.confidence])))
}
`
