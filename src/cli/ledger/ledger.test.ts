import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someStart } from '../../../test/contracts/attempts.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import type { Store } from '../../store/ledger/store.ts'
import { fakeSystem } from '../../system/fake.ts'
import { findJob } from '../../service/find-job.ts'
import { openReader } from './ledger.ts'
import { ourselves } from '../../record/owner.ts'

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-ledger-'))
  store = openSqliteLedger(join(folder, 'ledger.db')).jobs
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('looking into the ledger', () => {
  const stat = (pid: number, startTicks: number, state = 'S') =>
    `${pid} (node) ${state} 7 ${pid} 7 0 -1 4194304 9 0 0 0 1 1 0 0 20 0 ${state === 'Z' ? 1 : 11} 0 ${startTicks} 99999744 1024 ` +
    '18446744073709551615 1 1 0 0 0 0 0 4096 65536 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n'
  const { bootId } = fakeSystem().host
  const pidNamespace = 'pid:[4026531836]'
  const system = fakeSystem({
    files: {
      '/proc/self/stat': stat(1, 5000),
      '/proc/self/ns/pid': pidNamespace,
      '/proc/1/stat': stat(1, 5000),
      '/proc/8/stat': stat(8, 5000, 'Z'),
    },
  })
  const us = { host: 'node01', bootId, pid: 1, startTicks: 5000, pidNamespace }

  it.each([
    { what: 'lives', owner: {}, status: 'running' },
    { what: 'is gone', owner: { pid: 9 }, status: 'interrupted' },
    { what: 'is a zombie', owner: { pid: 8 }, status: 'interrupted' },
    { what: 'was another of the same pid', owner: { startTicks: 7 }, status: 'interrupted' },
    { what: 'has another boot id', owner: { bootId: 'other' }, status: 'running' },
    { what: 'is on another machine', owner: { host: 'far', pid: 9 }, status: 'running' },
    { what: 'is in another container', owner: { pidNamespace: 'pid:[7]' }, status: 'running' },
  ])('calls an attempt $status whose runner $what', async ({ owner, status }) => {
    expect(ourselves(system)).toEqual(us)
    store.begin(someStart('abc', { owner: { ...us, ...owner } }))
    const reader = openReader(system, join(folder, 'ledger.db'))
    expect((await findJob(reader, 'abc')).status).toBe(status)
    await reader.close()
  })
})
