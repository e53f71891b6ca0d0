/** Shows jobmeter at work on a small job, in a ledger of its own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../bin/jobmeter.cjs')
const job = join(import.meta.dirname, 'demo-job.ts')
const ledger = join(mkdtempSync(join(tmpdir(), 'jobmeter-demo-')), 'ledger.db')

function jobmeter(...args: string[]): void {
  console.log(`\n$ jobmeter ${args.join(' ').replace(job, 'tools/demo-job.ts')}`)
  const { status } = spawnSync(process.execPath, [program, ...args], {
    stdio: 'inherit',
    env: { ...process.env, JOBMETER_DB: ledger },
  })
  if (status !== 0) process.exit(status ?? 1)
}

jobmeter(
  'run',
  '--name',
  'short',
  '--quiet',
  '--',
  'sh',
  '-c',
  'for i in 1 2 3; do ls / >/dev/null; done',
)
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
jobmeter('history')
console.log(`Look on, in this ledger:

  export JOBMETER_DB=${ledger}
  npx jobmeter show last                 all figures, and how each was obtained
  npx jobmeter series last > demo.csv    what it used over time
  npx jobmeter stats                     totals over all jobs
  npx jobmeter doctor                    what can be measured on this machine

Without JOBMETER_DB, jobs go to your own ledger: npx jobmeter run -- COMMAND`)
