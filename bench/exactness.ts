import { sandbox, truth, users, type User } from '../test/program.ts'
import { cost, prepare, program } from './outside.ts'
import { peersHere, type PeerFigures } from './peers.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/** The truth, as workloads tell it of themselves, against what jobmeter and others make of it. */
const cpuCases = [
  { what: '300 children of 30 ms', command: ['children', '300', '30', '2'] },
  { what: 'a daemon of 3 s', command: ['daemon', '3000'] },
  { what: 'a job of 0.3 s', command: ['burn', '300'] },
  { what: 'a job of 20 ms', command: ['burn', '20'] },
]
const memoryCases = [
  { what: '500 MB and four readers', interval: 1, command: ['shared-readers', '500', '4', '1500'] },
  { what: 'ten of 50 MB', interval: 1, command: ['private-children', '10', '50', '1500'] },
  {
    what: '300 MB for 150 ms',
    interval: 5,
    command: ['spike', 'self', '1200', '300', '150', '1500'],
  },
  { what: 'so in a child', interval: 5, command: ['spike', 'child', '1200', '300', '150', '1500'] },
]
const cases = [
  ...cpuCases.map((one) => ({ ...one, interval: 1, figure: 'cpuSeconds' as const })),
  ...memoryCases.map((one) => ({ ...one, figure: 'memoryBytes' as const })),
]
type Case = (typeof cases)[number]

prepare()
const peers = peersHere()
let misses = 0
const rows: string[][] = [
  [
    '',
    'truth',
    ...users.map(({ name }) => `jobmeter as ${name}`),
    ...peers.map(({ tool }) => tool),
  ],
]

async function ask(user: User, one: Case): Promise<{ told: PeerFigures; used: PeerFigures }> {
  using box = sandbox(user)
  const [name = '', ...args] = one.command
  const job = [program(name), ...args, box.path('truth')]
  const { record } = await box.run(['--interval', String(one.interval), '--', ...job])
  const { cpu_total_seconds, memory_peak_mb } = record.resource_usage
  const cpuSeconds = cpu_total_seconds ?? Number.NaN
  const memoryBytes = (memory_peak_mb ?? Number.NaN) * 2 ** 20
  return { told: { cpuSeconds, memoryBytes }, used: truth(box.path('truth')) }
}

const show = (figures: PeerFigures, { figure }: Case): string =>
  figure === 'cpuSeconds'
    ? `${rounded(figures.cpuSeconds)} s`
    : `${rounded(figures.memoryBytes / 2 ** 20)} MB`

function isExact(told: PeerFigures, used: PeerFigures, { figure }: Case): boolean {
  const allowed =
    figure === 'cpuSeconds' ? Math.max(0.02, 0.02 * used[figure]) : 0.05 * used[figure]
  return Math.abs(told[figure] - used[figure]) <= allowed
}

for (const one of cases) {
  const row = [one.what]
  for (const user of users) {
    const { told, used } = await ask(user, one)
    if (row.length === 1) row.push(show(used, one))
    const exact = isExact(told, used, one)
    if (!exact) misses++
    row.push(`${show(told, one)}${exact ? '' : ' (!)'}`)
  }
  for (const peer of peers) {
    using box = sandbox()
    const [name = '', ...args] = one.command
    const job = [program(name), ...args, box.path('truth')]
    cost(peer.command(job, one.interval, box.path('notes')), box.path('cost'), box.env)
    row.push(show(peer.figures(box.path('notes')), one))
  }
  rows.push(row)
}
printTable(rows)
verdict('figures of jobmeter beyond 2 % or 20 ms of CPU, 5 % of memory', misses, 0, '')
