import { readFileSync, writeFileSync } from 'node:fs'
import { sandbox } from '../test/program.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * How long after its dependency's end a job starts, while 1,000 others wait. The jobs themselves write the time, as
 * their last and first deed, so starting the shell that tells it counts as well.
 */
const chains = 2
const links = Number(process.env['JOBMETER_LINKS'] ?? 100)
const waiting = 1000

using box = sandbox()
const now = 'date +%s%N'
writeFileSync(
  box.path('flow.yaml'),
  `name: chains
parameters: { c: "1:${chains}" }
jobs:
  - { name: "c{c}_1", command: "${now} > e{c}_1", priority: 1 }
${Array.from({ length: links - 1 }, (_, index) => {
  const [before, link] = [index + 1, index + 2]
  return `  - { name: "c{c}_${link}", command: "${now} > s{c}_${link}; ${now} > e{c}_${link}", depends_on: ["c{c}_${before}"], priority: 1 }\n`
}).join(
  '',
)}  - { name: "w{i}", command: "true", parameters: { i: "1:${waiting}" }, depends_on: [c1_${links}] }
`,
)
const ended = await box.jobmeter(['run', 'flow.yaml', '--quiet', '--cpus', String(chains)], {
  timeoutMs: 300_000,
})
if (ended.code !== 0) throw new Error(ended.stderr)

const gaps: number[] = []
for (let chain = 1; chain <= chains; chain++)
  for (let link = 2; link <= links; link++)
    gaps.push((at(`s${chain}_${link}`) - at(`e${chain}_${link - 1}`)) / 1e6)
const sorted = gaps.toSorted((a, b) => a - b)
printTable([
  ['', 'ms'],
  ['median', rounded(median(gaps))],
  ['95 %', rounded(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN)],
  ['worst', rounded(sorted.at(-1) ?? Number.NaN)],
])
console.log(`${gaps.length} dependents in ${chains} chains, ${waiting} more waiting`)
verdict('from the end of one to the start of the next, median', median(gaps), 10, ' ms')

function at(name: string): number {
  return Number(readFileSync(box.path(name), 'utf8'))
}
