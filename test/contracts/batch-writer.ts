/**
 * A process of its own that runs jobs of a workflow, five in each batch, and prints a line after each. After a number of
 * batches it waits to be killed: on a busy machine it may get far before whoever kills it has its turn.
 * Arguments: the path of the ledger, the workflow's id, how many batches at most.
 */
import { writeSync } from 'node:fs'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { someRun } from './workflows.ts'
import { someEnd, someStart } from './attempts.ts'

const perBatch = 5
const [path = '', id = '0', most = '0'] = process.argv.slice(2)
const ledger = openSqliteLedger(path)
const workflowId = Number(id)
const left = (ledger.workflows.findWorkflow(workflowId)?.jobs ?? [])
  .filter(({ state }) => state !== 'success')
  .slice(0, perBatch * Number(most))
const runId = ledger.workflows.beginRun(workflowId, someRun)
for (let first = 0; first < left.length; first += perBatch) {
  const group = left.slice(first, first + perBatch)
  ledger.batch(() => {
    for (const { jobId, attempts, job } of group) {
      const attempt = { jobId, workflowId, runId, attempt: attempts + 1 }
      const start = someStart(`${job.name}-${runId}`, { job: { name: job.name } })
      ledger.jobs.finish(ledger.workflows.beginAttempt(attempt, start), someEnd())
    }
  })
  writeSync(1, `${group.map(({ job }) => job.name).join(' ')}\n`)
}
setInterval(() => {}, 60_000)
