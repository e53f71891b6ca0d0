import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteLedger } from '../../../src/store/ledger/open.ts'
import { openNodeStore } from '../../../src/store/node/open-node.ts'
import { nodeJob, nodeRound } from '../../node/made-round.ts'
import { sandbox, type Sandbox } from '../../program.ts'
import { addLongJob } from '../../synthetic/long-job.ts'
import { ask, serve, type Answer, type ServedProgram } from '../served-program.ts'

/** More than a second's work each. */
const rows = 1_000_000
const samples = 200_000
/** So many that they could not all have come first. */
const enough = 12

let box: Sandbox
let served: ServedProgram
let taskId = ''

const read = (path: string): Promise<Answer> =>
  ask(served.port, path, {
    headers: { host: served.host, authorization: `Bearer ${served.token}` },
  })

function fillNode(path: string): void {
  const store = openNodeStore(path)
  store.addRound(nodeRound(1_772_409_660, [nodeJob('1', 'ada', 1)]))
  store.close()
  using database = new DatabaseSync(path)
  database.exec(`PRAGMA synchronous = OFF;
    WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < ${rows})
    INSERT INTO usage_hour (at_ms, host_id, user_id, account_id, command_id, cpu_us)
    SELECT n / 100 * 3600000, 1, n % 10 + 2, n % 7 + 2, n % 100 + 2, n FROM step`)
}

beforeAll(async () => {
  box = sandbox()
  const ledger = openSqliteLedger(box.path('ledger.db'))
  ;({ taskId } = addLongJob(ledger, samples))
  ledger.close()
  fillNode(box.path('node.db'))
  served = await serve(box, undefined, ['--log', 'off'], { JOBMETER_DB: box.path('ledger.db') })
})
afterAll(() => box[Symbol.dispose]())

/** Asks for something short, one after the other, until the long answer is there. */
async function askedMeanwhile(path: string): Promise<{ answer: Answer; shortAnswers: number }> {
  const state = { isThere: false }
  const long = read(path).finally(() => (state.isThere = true))
  let shortAnswers = 0
  while (!state.isThere && shortAnswers < enough) {
    expect((await read('/api/v1/jobs?limit=1')).status).toBe(200)
    if (!state.isThere) shortAnswers += 1
  }
  return { answer: await long, shortAnswers }
}

describe('a long question', () => {
  it.each([
    ['the use of nodes', '/api/v1/usage?by=command&by=user&by=hour&from=1970-01-01'],
    ['the findings of a long job', '/api/v1/jobs/TASK/findings'],
    ['the report of a long job', '/api/v1/jobs/TASK/report'],
    ['the samples of a long job', '/api/v1/jobs/TASK/samples?raw=true'],
    ['the chart of a long job', '/api/v1/jobs/TASK/chart'],
    ['the parts of a long job', '/api/v1/jobs/TASK/parts'],
  ])('on %s keeps nobody else waiting', async (_, path) => {
    const { answer, shortAnswers } = await askedMeanwhile(path.replace('TASK', taskId))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(shortAnswers).toBe(enough)
  })
})
