import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someStart } from '../../../test/contracts/attempts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openSqliteLedger } from '../ledger/open.ts'
import { takeInLeftMarks } from './left-marks.ts'
import { SpoolFile } from './spool-file.ts'
import { takeIn } from './take-in.ts'

const daySeconds = 86_400
const nowSeconds = 1_700_000_000 + 9 * daySeconds
const task = 'c0ffee00'

let folder: string
let path: string
let ledger: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-marks-'))
  path = join(folder, 'ledger.db')
  ledger = openSqliteLedger(path)
  mkdirSync(`${path}.spool`, 0o700)
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true })
})

const takeMarks = () => takeInLeftMarks(ledger, path, nowSeconds)

/** A file of marks that was last written so many seconds ago; answers where it is. */
function marksFile(name: string, text: string, ageSeconds: number): string {
  const file = `${path}.spool/${name}.marks`
  writeFileSync(file, text)
  utimesSync(file, nowSeconds - ageSeconds, nowSeconds - ageSeconds)
  return file
}

/** A job that is in the ledger, and whose runner was killed. */
function interrupted(taskId: string): void {
  expect(new SpoolFile(path, someStart(taskId)).trouble).toBeUndefined()
  takeIn(ledger, path, { isDead: () => true, isHeld: () => false })
  expect(ledger.jobs.findByPrefix(taskId)).toMatchObject([{ status: 'interrupted' }])
}

describe('marks that a killed runner left', () => {
  it('are kept with the record, and what cannot be used is told', () => {
    interrupted(task)
    const file = marksFile(task, 'step=1\nnonsense\nstep=2\n', 5)
    expect(takeMarks()).toEqual([
      `some marks of task ${task} are not kept: 1 line not understood (line 2: it is neither JSON nor key=value words)`,
    ])
    expect(ledger.jobs.marks(task).map(({ step }) => step)).toEqual([1, 2])
    expect(existsSync(file)).toBe(false)
    expect(takeMarks()).toEqual([])
  })

  it('are told of where something else stands in their place', () => {
    interrupted(task)
    const file = `${path}.spool/${task}.marks`
    for (const put of [() => symlinkSync(import.meta.filename, file), () => mkdirSync(file)]) {
      put()
      expect(takeMarks()).toEqual([
        `some marks of task ${task} are not kept: ${file} is not a plain file`,
      ])
      expect(existsSync(file)).toBe(false)
    }
    expect(existsSync(import.meta.filename)).toBe(true)
  })

  it('are not given to another job whose id begins in the same way', () => {
    interrupted(task)
    const files = ['c0ff', ''].map((name) => marksFile(name, 'step=1', 5))
    expect(takeMarks()).toEqual([])
    expect(ledger.jobs.marks(task)).toEqual([])
    expect(files.every((file) => existsSync(file))).toBe(true)
  })

  it('are removed if they are old and of no job that is known', () => {
    const fresh = marksFile('fresh', 'step=1', daySeconds - 60)
    const old = marksFile('old', 'step=1', daySeconds + 60)
    expect(takeMarks()).toEqual([])
    expect([fresh, old].map((file) => existsSync(file))).toEqual([true, false])
  })

  it.each(['.jsonl', '.jsonl.left', '.alive'])(
    'stay, however old, while a file that ends in %s speaks for their job',
    (ending) => {
      const old = marksFile('old', 'step=1', 8 * daySeconds)
      writeFileSync(`${path}.spool/old${ending}`, '')
      takeMarks()
      expect(existsSync(old)).toBe(true)
    },
  )
})
