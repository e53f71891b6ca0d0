/**
 * A process of its own that writes attempts to a ledger and prints the id of each once it is finished.
 * Arguments: the path, the beginning of the ids, how many. It prints `ready` and waits for a byte or
 * the end of its input before it opens the ledger, so that several can be made to do so at once.
 */
import { readSync, writeSync } from 'node:fs'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { someEnd, someSamples, someStart } from './attempts.ts'

const [path = '', name = '', many = '0'] = process.argv.slice(2)
const samples = someSamples(10)
writeSync(1, 'ready\n')
readSync(0, new Uint8Array(1))
const store = openSqliteLedger(path).jobs
for (let made = 0; made < Number(many); made++) {
  const ref = store.begin(someStart(`${name}-${made}`))
  store.writer(ref).add(samples, 10)
  store.writer(ref).add(samples, 10)
  store.finish(ref, someEnd())
  writeSync(1, `${ref.taskId}\n`)
}
store.close()
