import { describe, expect, it } from 'vitest'
import { someJob, someWorkflow } from '../../../test/contracts/workflows.ts'
import { ok, unavailable } from '../../model/reading.ts'
import type { FileMark, StoredJob } from '../../store/ledger/workflow-store.ts'
import { fakeSystem } from '../../system/fake.ts'
import type { Files, Fingerprint } from '../../system/system.ts'
import { findStale, markInputs } from './stale-inputs.ts'

const before: Fingerprint = { sizeBytes: 10, modifiedSeconds: 100, hash: 'aa' }

function filesWith(marks: Readonly<Record<string, Fingerprint>>): Files {
  const fingerprint: Files['fingerprint'] = (path) => {
    const mark = marks[path]
    return mark === undefined ? unavailable(`${path} does not exist`) : ok(mark)
  }
  return { ...fakeSystem().files, fingerprint }
}

/** fetch → clean → report, and other, which stands alone. */
const jobs: readonly StoredJob[] = [
  someJob('fetch'),
  someJob('clean', { dependsOn: ['fetch'] }),
  someJob('report', { dependsOn: ['clean'] }),
  someJob('other'),
].map((job, index) => ({ jobId: index + 1, state: 'success', attempts: 1, job }))

const inputs = new Map<number, readonly FileMark[]>([
  [1, [{ path: 'raw.csv', ...before }]],
  [
    2,
    [
      { path: 'raw.csv', ...before },
      { path: 'map.csv', ...before },
    ],
  ],
  [4, [{ path: 'other.csv', ...before }]],
])
const unchanged = { 'raw.csv': before, 'map.csv': before, 'other.csv': before }

describe('stale jobs', () => {
  it('are none where nothing changed', () => {
    expect(findStale(filesWith(unchanged), jobs, inputs)).toEqual({ stale: new Set(), changed: [] })
  })

  it.each([
    ['its size', { ...before, sizeBytes: 11 }],
    ['its content, of the same size', { ...before, hash: 'bb' }],
    [
      'its time, where the content is too large to compare',
      { ...before, modifiedSeconds: 101, hash: null },
    ],
  ])('are those that read a file that changed %s, and all after them', (_, now) => {
    const { stale, changed } = findStale(filesWith({ ...unchanged, 'map.csv': now }), jobs, inputs)
    expect(stale).toEqual(new Set([1, 2]))
    expect(changed).toEqual(['map.csv'])
  })

  it('are not those whose file was only touched', () => {
    const touched = { ...before, modifiedSeconds: 999 }
    expect(
      findStale(filesWith({ ...unchanged, 'raw.csv': touched }), jobs, inputs).stale.size,
    ).toBe(0)
  })

  it('are those whose file is gone', () => {
    const rest = { 'raw.csv': before, 'map.csv': before }
    expect(findStale(filesWith(rest), jobs, inputs)).toEqual({
      stale: new Set([3]),
      changed: ['other.csv'],
    })
  })

  it('are only looked for among jobs that succeeded', () => {
    const failed = jobs.map((job) => ({ ...job, state: 'failed' as const }))
    expect(findStale(filesWith({}), failed, inputs).stale.size).toBe(0)
  })
})

describe('marking inputs', () => {
  it('notes each file that is there, by its path', () => {
    const { workflow } = someWorkflow([], {
      files: [
        { name: 'raw', path: 'raw.csv' },
        { name: 'missing', path: 'missing.csv' },
      ],
    })
    expect(markInputs(filesWith(unchanged), workflow, ['raw', 'missing'])).toEqual([
      { path: 'raw.csv', ...before },
    ])
  })
})
