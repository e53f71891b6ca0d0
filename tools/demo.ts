/** Shows jobmeter at work on a small job and a small workflow, in a ledger of its own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const program = join(import.meta.dirname, '../bin/jobmeter.cjs')
const job = join(import.meta.dirname, 'demo-job.ts')
const folder = mkdtempSync(join(tmpdir(), 'jobmeter-demo-'))
const ledger = join(folder, 'ledger.db')

function jobmeter(...args: string[]): void {
  console.log(`\n$ jobmeter ${args.join(' ').replace(job, 'tools/demo-job.ts')}`)
  const { status } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: 'inherit',
    // Jobs use the Node that runs this.
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      JOBMETER_DB: ledger,
    },
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Data is prepared, three models of different sizes are trained beside each other, and then compared. */
const workflow = `name: demo
resource_monitor: { granularity: time_series, sample_interval_seconds: 0.1 }
jobs:
  - name: prepare
    command: head -c 60000000 /dev/zero > data && sort data > /dev/null
    resource_requirements: { cpus: 1, memory: 500m, runtime: PT1M }
  - name: train_{size}
    command: >-
      node -e 'const model = []; for (let i = 0; i < {size}; i++) { model.push(Buffer.alloc(2 ** 24, i)); const end = Date.now() + 150; while (Date.now() < end); }'
    parameters: { size: [4, 8, 12] }
    depends_on: [prepare]
    resource_requirements: { cpus: 1, memory: 1g, runtime: PT1M }
  - name: compare
    command: cksum data && sleep 0.5
    depends_on_regexes: ["^train_"]
    resource_requirements: { cpus: 1, memory: 100m, runtime: PT1M }
`
writeFileSync(join(folder, 'demo.yaml'), workflow)

jobmeter(
  'run',
  '--name',
  'demo',
  '--cpus',
  '2',
  '--memory',
  '1g',
  '--param',
  'epochs=12',
  '--',
  'node',
  job,
)
jobmeter('run', 'demo.yaml')
jobmeter('results', 'list', '1')
jobmeter('report', '1', '-o', 'report.html')
console.log(`
To see more in this ledger:

  export JOBMETER_DB=${ledger}
  npx jobmeter show last                 all figures, and how each was obtained
  npx jobmeter history                   everything that ran
  npx jobmeter stats                     totals over all jobs
  npx jobmeter doctor                    what can be measured on this machine

Without JOBMETER_DB, jobs go to your own ledger: npx jobmeter run -- COMMAND
A page about the workflow, for any browser:
${join(folder, 'report.html')}`)
