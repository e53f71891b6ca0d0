import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from '../src/record/measure.ts'
import { LocalSamples, noSamples } from '../src/store/outbox/local-samples.ts'
import { rowsPerChunk } from '../src/store/postgres/chunk/chunk.ts'
import { LocalAttempts } from '../src/store/outbox/local-attempts.ts'
import { Outbox } from '../src/store/outbox/outbox.ts'
import { openLedgerAt } from '../src/record/open-ledger.ts'
import { realSystem } from '../src/system/real.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What samples of real jobs take when they are packed for a team ledger: jobs that compute, write and rest are measured as
 * always, and their samples packed as they are sent.
 */
const limitBytes = 40
const plainBytes = 29 * 8

const jobs: Readonly<Record<string, string>> = {
  computes: 'import time; end = time.time() + 30\nwhile time.time() < end: sum(range(10000))',
  'writes and rests': `
import os, time, random
end = time.time() + 30
while time.time() < end:
    held = bytearray(random.randint(1, 200) * 4096)
    with open(os.devnull, 'wb') as sink: sink.write(os.urandom(random.randint(0, 100000)))
    time.sleep(random.random() * 0.05)`,
  sleeps: 'import time; time.sleep(30)',
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
const ledger = join(directory, 'ledger.db')
const records = await Promise.all(
  Object.values(jobs).map((script) =>
    measure(['python3', '-c', script], { ledger, intervalSeconds: 0.05 }),
  ),
)
openLedgerAt(realSystem({ ownsProcess: false }), ledger).close()
const file = Outbox.open(ledger)
if (file === undefined) throw new Error('there is no ledger')
const attempts = new LocalAttempts(file.connection)
const samples = new LocalSamples(file.connection)
const rows = Object.keys(jobs).map((name, place) => {
  const [attempt] = attempts.byTask([records[place]?.taskId ?? ''])
  if (attempt === undefined) throw new Error('a record is missing')
  const started = performance.now()
  const { chunks, sent } = samples.read(attempt.attemptId, attempt, noSamples, 1e9)
  const microseconds = ((performance.now() - started) * 1000) / sent.rows
  const bytes = chunks.reduce((sum, { packed }) => sum + packed.length, 0)
  return { name, rows: sent.rows, bytes: bytes / sent.rows, microseconds }
})
file.close()
rmSync(directory, { recursive: true })
printTable([
  ['job', 'samples', 'bytes a sample', 'ratio to doubles', 'µs to read and pack one'],
  ...rows.map(({ name, rows: count, bytes, microseconds }) => [
    name,
    count,
    rounded(bytes),
    rounded(bytes / plainBytes),
    rounded(microseconds),
  ]),
])
const worst = Math.max(...rows.map(({ bytes }) => bytes))
verdict(`bytes a sample, in chunks of ${rowsPerChunk}, of the worst job`, worst, limitBytes, ' B')
