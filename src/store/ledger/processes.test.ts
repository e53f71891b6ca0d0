import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someStart } from '../../../test/contracts/attempts.ts'
import { openSqliteLedger } from './open.ts'
import { generator } from '../../../test/synthetic/series.ts'

const script = fileURLToPath(new URL('../../../test/contracts/ledger-writer.ts', import.meta.url))
const forever = 1_000_000

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  path = join(directory, 'ledger.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

interface Writer {
  readonly printed: readonly string[]
  readonly errors: string
  readonly exitCode: number | null
}

interface Plan {
  readonly many: number
  /** Called once the writer is up; it opens the ledger when the answer is called. Without it, at once. */
  readonly ready?: (go: () => void) => void
  /** Kills the writer some time after it printed so many ids. */
  readonly kill?: { readonly after: number; readonly milliseconds: number }
}

function write(name: string, plan: Plan): Promise<Writer> {
  const child = spawn(process.execPath, [script, path, name, String(plan.many)])
  let output = ''
  let errors = ''
  let doomed = false
  const go = () => child.stdin.end()
  const lines = () => output.split('\n').slice(0, -1)
  child.stdout.on('data', (part: Buffer) => {
    if (output === '') (plan.ready ?? ((start) => start()))(go)
    output += part.toString()
    if (plan.kill === undefined || doomed || lines().length <= plan.kill.after) return
    doomed = true
    setTimeout(() => child.kill('SIGKILL'), plan.kill.milliseconds)
  })
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  return new Promise((resolve) => {
    child.on('close', (exitCode) => resolve({ printed: lines().slice(1), errors, exitCode }))
  })
}

/** Holds everyone back until so many have come. */
function gate(size: number): (go: () => void) => void {
  const waiting: (() => void)[] = []
  return (go) => {
    if (waiting.push(go) === size) for (const start of waiting) start()
  }
}

function integrity(): unknown {
  const database = new DatabaseSync(path)
  const answer = database.prepare('PRAGMA integrity_check').get()?.['integrity_check']
  database.close()
  return answer
}

describe('several processes', () => {
  it('make and write one ledger at the same moment', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const ready = gate(names.length)
    const writers = await Promise.all(names.map((name) => write(name, { many: 25, ready })))
    for (const writer of writers) expect(writer).toMatchObject({ errors: '', exitCode: 0 })
    const store = openSqliteLedger(path).jobs
    expect(store.find({ status: 'success' })).toHaveLength(6 * 25)
    for (const name of names) expect(store.series(`${name}-24`).read().rows).toHaveLength(20)
    store.close()
    expect(integrity()).toBe('ok')
  })
})

describe('kill -9', () => {
  it('loses nothing that was finished', async () => {
    const random = generator(1)
    const finished: string[] = []
    const kills = 40
    for (let round = 0; round < kills / 2; round++) {
      const pair = ['x', 'y'].map((name) => {
        const kill = { after: Math.floor(random() * 12), milliseconds: random() * 8 }
        return write(`${name}${round}`, { many: forever, kill })
      })
      for (const { printed, errors } of await Promise.all(pair)) {
        expect(errors).toBe('')
        finished.push(...printed)
      }
    }
    const store = openSqliteLedger(path).jobs
    const records = new Map(store.find({}).map((record) => [record.taskId, record]))
    for (const taskId of finished) {
      expect(records.get(taskId)?.status, taskId).toBe('success')
      expect(store.series(taskId).read().rows).toHaveLength(20)
    }
    expect(finished.length).toBeGreaterThan(kills)
    // Each kill breaks at most one attempt, and can be made good.
    const broken = store.running()
    expect(broken.length).toBeLessThanOrEqual(kills)
    for (const { taskId } of broken) expect(store.interrupt(taskId, 'killed')).toBe(true)
    store.begin(someStart('and goes on'))
    store.close()
    expect(integrity()).toBe('ok')
  })
})
