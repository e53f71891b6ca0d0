import type { HeatData } from '../render/node/heat-data.ts'
import { metricWords } from '../render/node/usage-labels.ts'
import { byId, element, embedded, factLine } from './dom.ts'
import { gridsOf, type ShownGrid } from './heat/grids.ts'
import { drawMap } from './heat/map.ts'
import { drawScale } from './heat/scale.ts'
import { drawWho } from './heat/who.ts'
import { followTheme } from './theme-button.ts'

/** Draws a heat map from the data that stands in its page. */
const data = embedded('heat') as HeatData
const { all, parts } = gridsOf(data)

const what = {
  cpu: 'CPU',
  memory: 'Memory',
  gpu: 'GPUs',
  'gpu-memory': 'GPU memory',
  io: 'Reading and writing',
  energy: 'Energy',
}
const title = `${what[data.metric]} by hour of the week`
document.title = `${title} – jobmeter usage`
document.querySelector('h1')?.replaceChildren(title)
byId('facts').append(...data.facts.map(factLine))
byId('made').textContent =
  `Made by ${data.made}. ${metricWords[data.metric].header} are added up over all hosts; time in which nobody looked counts neither as use nor as capacity.`
followTheme()

const map = element('section', { class: 'map', 'aria-label': 'Heat map' })
const show = (grid: ShownGrid): void =>
  map.replaceChildren(drawMap(data, grid, parts), drawScale(data, grid))

const main = byId('main')
if (parts.length > 0) {
  const choose = element(
    'select',
    { id: 'of', onchange: () => show([all, ...parts][choose.selectedIndex] ?? all) },
    ...[all, ...parts].map(({ name }) => element('option', {}, name)),
  )
  const label = element('label', { for: 'of' }, `Show ${data.by ?? ''}`)
  main.append(element('div', { class: 'filter' }, label, choose))
}
main.append(map)
show(all)
if (parts.length > 0) main.append(drawWho(data, all, parts))
