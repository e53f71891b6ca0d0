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
  'live-feed':
    'telling 200 listeners of 50 running jobs, against one statement that reads their rows',
  serve:
    'jobmeter serve with 200 live clients and 50 running jobs, against writing the same bytes to 200 sockets',
  'served-jobs':
    'ten jobs alone and beside jobmeter serve with 50 clients: what watching them costs',
  'live-meter': 'one look of a program at itself, and a profiler that runs beside it',
  'gpu-sample': 'one look at every GPU against nvidia-smi',
  sensors: 'what each gauge adds to a look, and the bars of watch-cost with all of them',
  'slow-down': 'a CPU-bound job alone and under jobmeter',
  training: 'ResourceMonitorCallback in a loop of 10 ms batches',
  kill9: 'jobmeter killed 200 times at random moments',
  'workflow-throughput':
    '10,000 jobs of true, two at a time, against xargs (with and without logs), make, parallel',
  queue: '10,000 jobs of true through the queue and two workers, against pg-boss alone and xargs',
  'workflow-dependents': 'from the end of a job to the start of the one that waits for it',
  agent: 'the agent beside 1,000 processes, at 1 s, 10 s and 60 s, and a node-day on disk',
  'node-questions': 'usage and ps over a year of 50 nodes',
  'team-nodes': 'questions about a year of 50 nodes and 1,000,000 jobs in a team ledger',
  hogs: 'hogs over the last week of a year of 50 nodes',
  year: 'a year of samples of 50 nodes imported, and asked by hour of week and user',
  alerts: 'judging a look by all shipped rules, against the look itself',
  plan: '100,000 jobs behind barriers, read and planned',
  utilization: 'check-resource-utilization over 100,000 results',
  metrics: 'scrapes of /metrics over 100,000 attempts, against counting them in SQL',
  'remote-write': 'metrics encoded for remote write and OTLP, against compressing the same bytes',
  'team-ledger': 'a team ledger filled with records and samples, against plain COPY, and asked',
  'large-ledger': 'stats, compare, lists and exports over 200,000 records',
  'job-pages': 'pages of the list of 100,000 jobs against plain SELECTs',
  'workflow-page': 'the page of a workflow of 1,000 jobs in Chromium',
  plots: 'plots of a series file of millions of samples',
  'job-series': 'a job of 1,000,000 samples as charts of 2,000 points, against its bare rows',
  'draw-job': 'its charts drawn in Chromium, against uPlot alone',
  'team-chunks': 'samples of real jobs packed for a team ledger, against plain doubles',
  'workflow-kill': 'the runner of a workflow killed 100 times, and resumed',
  slurm:
    '200 jobs on a real Slurm by arrays, workers and single jobs, the runner killed and resumed',
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
