import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** `npm run bench` runs all of these, `npm run bench -- start-up kill9` the named ones. */
const benches = {
  'start-up': 'jobmeter run -- true against node -e 0',
  exactness: 'what jobmeter says against what the workloads say of themselves',
  'watch-cost': 'CPU and memory of watching 50 idle children for 15 s',
  'steady-cost':
    'CPU and memory of watching 50 and 1,000 idle children, whole runs and the steady state',
  'sample-cost': 'one look at 1,000 processes against a C program',
  'gpu-sample': 'one look at every GPU against nvidia-smi',
  sensors: 'what each gauge adds to a look, and the bars of steady-cost with all of them',
  'slow-down': 'a CPU-bound job alone and under jobmeter',
  kill9: 'jobmeter killed 200 times at random moments',
  'workflow-throughput':
    '10,000 jobs of true, two at a time, against xargs (with and without logs), make, parallel',
  'workflow-dependents': 'from the end of a job to the start of the one that waits for it',
  plan: '100,000 jobs behind barriers, read and planned',
  utilization: 'check-resource-utilization over 100,000 results',
  'large-ledger': 'stats, compare, lists and exports over 200,000 records',
  plots: 'plots of a series file of millions of samples',
  'workflow-kill': 'the runner of a workflow killed 100 times, and resumed',
} as const

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are:`)
  for (const [name, says] of Object.entries(benches)) console.error(`  ${name.padEnd(20)} ${says}`)
  process.exit(2)
}
for (const [name, says] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name}: ${says}`)
  const ended = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  })
  if (ended.status !== 0) process.exitCode = 1
}
