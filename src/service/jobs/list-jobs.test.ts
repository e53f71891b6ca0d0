import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { readerOf, type LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import { listJobs } from './list-jobs.ts'

let directory: string
let reader: LedgerReader
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  for (const [index, user] of ['ada', 'eve', 'ada', 'eve', 'ada'].entries()) {
    const start = someStart(`t${index}`, { user, startedAt: 100 + index })
    ledger.jobs.finish(ledger.jobs.begin(start), someEnd())
  }
  reader = readerOf(ledger)
})
afterEach(async () => {
  await reader.close()
  rmSync(directory, { recursive: true })
})

const idsOf = ({ jobs }: { readonly jobs: readonly { taskId: string }[] }): string[] =>
  jobs.map(({ taskId }) => taskId)

describe('a list of jobs', () => {
  it('goes from page to page by its cursor, and ends', async () => {
    const first = await listJobs(reader, { limit: 2, owners: null })
    expect(idsOf(first)).toEqual(['t4', 't3'])
    const second = await listJobs(reader, {
      limit: 3,
      owners: null,
      cursor: first.nextCursor ?? '',
    })
    expect(idsOf(second)).toEqual(['t2', 't1', 't0'])
    expect(second.nextCursor).toBeNull()
  })

  it('shows nobody the jobs of others, whatever is asked for', async () => {
    expect(idsOf(await listJobs(reader, { limit: 9, owners: ['eve'] }))).toEqual(['t3', 't1'])
    expect(idsOf(await listJobs(reader, { limit: 9, owners: ['eve'], user: 'ada' }))).toEqual([])
    expect(idsOf(await listJobs(reader, { limit: 9, owners: [], search: 'train' }))).toEqual([])
    const all = await listJobs(reader, { limit: 1, owners: null })
    const next = { limit: 9, owners: ['eve'], cursor: all.nextCursor ?? '' }
    expect(idsOf(await listJobs(reader, next))).toEqual(['t3', 't1'])
  })

  it.each(['', 'x', '!!', Buffer.from('[1,"a",2]').toString('base64url')])(
    'refuses the cursor %j',
    async (cursor) => {
      await expect(listJobs(reader, { limit: 1, owners: null, cursor })).rejects.toThrow('cursor')
    },
  )

  it.each([0, 501, 1.5, Number.NaN])('refuses a limit of %j', async (limit) => {
    await expect(listJobs(reader, { limit, owners: null })).rejects.toThrow('limit')
  })
})
