/** What all parts of the report's script share. Plain JavaScript for browsers. */
export const baseScript = String.raw`
const report = JSON.parse(document.getElementById('report').textContent)
const main = document.getElementById('main')

// Text only ever becomes text: names of jobs are whatever somebody typed.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children.filter((child) => child !== null && child !== undefined))
  return made
}

function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

const chart = (width, height, label, ...children) =>
  drawn('svg', { viewBox: '0 0 ' + width + ' ' + height, width, height, role: 'img', 'aria-label': label }, ...children)

const label = (x, y, text, attributes = {}) => drawn('text', { x, y, ...attributes }, text)

/** A part of the page with its heading, listed in the contents. */
function section(id, title, note) {
  const made = element('section', { id, 'aria-labelledby': id + '-title' },
    element('h2', { id: id + '-title' }, title), note ? element('p', { class: 'note' }, note) : null)
  main.append(made)
  document.getElementById('contents').append(element('li', {}, element('a', { href: '#' + id }, title)))
  return made
}

/** As much of a text as has room, its end included: names of many jobs differ in their ends. */
function shorten(text, most) {
  const whole = [...text.textContent]
  if (whole.length * 14 < most || text.getComputedTextLength() <= most) return
  const keep = (count) => {
    const end = Math.floor(count * 0.4)
    text.textContent = whole.slice(0, count - end).join('') + '\u2026' + whole.slice(whole.length - end).join('')
  }
  let [fits, tooLong] = [0, whole.length]
  while (fits + 1 < tooLong) {
    const kept = (fits + tooLong) >> 1
    keep(kept)
    if (text.getComputedTextLength() <= most) fits = kept
    else tooLong = kept
  }
  keep(fits)
}

/** The highest of any number of values: a call takes some 120,000 arguments. */
const highestOf = (values) => values.reduce((most, value) => Math.max(most, value), 0)

const number = (value) => value.toLocaleString('en-US')
/** What was measured, and so may be anything: the axes have room for some nine characters. */
const amount = (value) => value < 1e7 ? number(value) : value.toLocaleString('en-US', { notation: value < 1e15 ? 'compact' : 'scientific', maximumSignificantDigits: 3 })

function seconds(value) {
  if (value >= 1e9) return amount(value / 86400) + 'd'
  if (value < 1) return Number(value.toPrecision(2)) + 's'
  if (value < 60) return (value < 10 && value % 1 !== 0 ? value.toFixed(1) : Math.round(value)) + 's'
  const whole = Math.round(value)
  const [d, h, m, s] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
  const parts = [[d, 'd'], [h, 'h'], [m, 'm'], [s, 's']].filter(([amount]) => amount > 0)
  return parts.slice(0, 2).map(([amount, unit]) => amount + unit).join(' ')
}

function bytes(value) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) { value /= 1024; unit += 1 }
  return Number(value.toPrecision(3)) + ' ' + units[unit]
}

const resources = {
  memory: { title: 'Memory', words: bytes, base: 1024 },
  cpu: { title: 'CPU', words: (value) => amount(Math.round(value * 10) / 10) + '%', base: 10 },
  runtime: { title: 'Runtime', words: seconds, base: 60 },
}

/** Round steps up to a value; those of time and of bytes are round in their own units, and less than a second is in tenths. */
function ticks(most, wanted, base) {
  if (!(most > 0)) return [0]
  if (base === 60 && most < wanted) base = 10
  const power = base === 10 ? 10 ** Math.floor(Math.log10(most / wanted)) : base ** Math.floor(Math.log(Math.max(1, most / wanted)) / Math.log(base))
  const factors = base === 60 ? [1, 2, 5, 10, 15, 30, 60, 120, 300, 720, 1440] : base === 1024 ? [1, 2, 5, 10, 20, 50, 100, 200, 256, 512, 1024] : [1, 2, 5, 10]
  const enough = factors.findIndex((factor) => most / (power * factor) <= wanted)
  // One mark beside 0 is no scale: rather a few more than were wanted.
  const index = enough < 0 ? factors.length - 1 : enough > 0 && most < 2 * power * factors[enough] ? enough - 1 : enough
  const step = power * factors[index]
  return Array.from({ length: Math.floor((most * 1.0001) / step) + 1 }, (_, at) => at * step)
}

/** The times under or above a chart; the last stands before its mark where it would be cut. */
const timeLabels = (most, wanted, x, width, y) => ticks(most, wanted, 60).map((at) =>
  label(x(at), y, seconds(at), { class: 'tick', 'text-anchor': at === 0 ? 'start' : x(at) > width - 40 ? 'end' : 'middle' }))

const tip = document.getElementById('tip')
function showTip(event, lines) {
  tip.replaceChildren(...lines.map((line, index) => element(index === 0 ? 'strong' : 'span', {}, line)))
  tip.hidden = false
  const box = tip.getBoundingClientRect()
  tip.style.left = Math.max(4, Math.min(innerWidth - box.width - 4, event.clientX + 14)) + 'px'
  tip.style.top = (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18) + 'px'
}
const hideTip = () => { tip.hidden = true }

/** Charts are drawn for the width they have, and again when that changes. */
const redraws = []
function keepDrawn(place, draw) {
  let width = 0
  const redraw = () => {
    const { paddingLeft, paddingRight } = getComputedStyle(place)
    const now = Math.max(280, Math.floor(place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)))
    if (now === width) return
    width = now
    draw(now)
  }
  redraws.push(redraw)
  redraw()
  return () => { width = 0; redraw() }
}
addEventListener('resize', () => redraws.forEach((redraw) => redraw()))

/** A group of choices of which one is taken. */
function choice(legend, name, options, chosen, take) {
  return element('fieldset', { class: 'choice' }, element('legend', {}, legend),
    ...options.map(([value, text]) => element('label', {},
      element('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => take(value) }),
      element('span', {}, text))))
}

const badge = (state) => element('span', { class: 'badge ' + state }, state)

document.title = report.title + ' \u2013 jobmeter report'
document.querySelector('h1').textContent = report.title
document.getElementById('made').textContent = 'Made by ' + report.made + '. 100% is one core; a GB is 1024\u00b3 bytes.'
document.getElementById('facts').append(...report.facts.flatMap(([name, fact]) =>
  [element('div', {}, element('dt', {}, name), element('dd', {}, fact))]))

const theme = document.getElementById('theme')
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (document.documentElement.dataset.theme ?? (systemDark.matches ? 'dark' : 'light')) === 'dark'
const nameTheme = () => theme.setAttribute('aria-pressed', String(isDark()))
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'
  nameTheme()
})
systemDark.addEventListener('change', nameTheme)
nameTheme()
`
