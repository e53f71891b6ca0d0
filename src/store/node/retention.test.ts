import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFile } from '../../../test/import/import-made.ts'
import { isoTime } from '../../../test/import/made-samples.ts'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import { openNodeHistory } from './history/open-history.ts'
import { openNodeReader, openNodeStore } from './open-node.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  path = join(folder, 'node.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const start = Date.UTC(2026, 10, 1) / 1e3
const days = { rawDays: 1, fiveMinuteDays: 1, hourDays: 5 }
/** When what was seen at the start is too old, and what was seen a week later is not. */
const later = start + 7 * 86_400
const tables = ['user', 'account', 'command'] as const

function rowsIn(table: string, columns = '*'): unknown[] {
  using database = new DatabaseSync(path, { readOnly: true })
  return database
    .prepare(`SELECT ${columns} FROM ${table}`)
    .all()
    .map((row) => Object.values(row))
}
const namesIn = (table: string): string[] => rowsIn(table, 'name').map(String).toSorted()

const seen = (user: string, command: string, account: string | null = null) =>
  nodeJob(`${user} ${command}`, user, 1, { command, account, kind: 'slurm' })

describe('what is too old', () => {
  it('goes with its names, and these are new when they come again', () => {
    const store = openNodeStore(path)
    const old = [seen('ada', 'make', 'maths'), seen('bob', 'python3', 'physics')]
    store.addRound(nodeRound(start + 60, old))
    store.addRound(nodeRound(later, [seen('bob', 'R', 'physics')]))
    store.keepOnly(days, later + 60)
    expect(tables.map(namesIn)).toEqual([['bob'], ['physics'], ['R']])
    expect(rowsIn('user_words')).toHaveLength(1)
    store.addRound(nodeRound(later + 60, [seen('ada', 'make', 'maths')]))
    const known = { user: 'ada', command: 'make', account: 'maths' }
    expect(store.reader.jobs({ users: ['ada'] })).toMatchObject([known])
    store.close()
    const ofAda = openNodeReader(path, { users: ['ada'] })
    expect(ofAda.jobs({})).toMatchObject([known])
    ofAda.close()
  })

  it('leaves the names of findings, and of use that was moved to another account', () => {
    const store = openNodeStore(path)
    store.addRound(nodeRound(start + 60, [seen('ada', 'make')]))
    const job = nodeJob('1', 'bob', 1, { kind: 'slurm', command: 'sh' })
    store.addRound(nodeRound(later - 60, [job]))
    store.addRound(nodeRound(later, [{ ...job, command: 'solver', account: 'physics' }]))
    const subject = { host: 'node01', user: 'cyd', account: 'bio', job: null }
    const finding = {
      policy: 'cpuhog',
      severity: 'warning',
      subject,
      firstSeen: later - 60,
      lastSeen: later,
      heldSeconds: 60,
      text: 'has it all',
      suppressedBecause: null,
    } as const
    store.violations.keep({ host: 'node01', at: later, findings: [finding], ended: [] })
    store.violations.keepState('node02', start, new Map([['cpuhog', null]]))
    store.violations.keepState('node01', later, new Map([['cpuhog', null]]))
    store.keepOnly(days, later + 60)
    expect(store.reader.violations({})).toMatchObject([{ subject }])
    expect(store.reader.judgedHosts()).toMatchObject([{ host: 'node01' }])
    store.close()
    expect(tables.map(namesIn)).toEqual([
      ['bob', 'cyd'],
      ['bio', 'physics'],
      ['sh', 'solver'],
    ])
    const ofBob = openNodeReader(path, { users: ['bob'] })
    const query = { by: ['command'], metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const
    const commands = ofBob.usage(query).rows.map(({ keys }) => String(keys[0]))
    expect(commands.toSorted()).toEqual(['sh', 'solver'])
    ofBob.close()
  })

  it('goes with what imports kept beside it', async () => {
    const line = (at: number, host: string, job: number): string =>
      `v=0.11.0,time=${isoTime(at)},host=${host},user=ada,cmd=sh,job=${job},pid=${job},ppid=1,cores=4,cputime_sec=${at - start}`
    const lines = [0, 300].flatMap((after) => [
      line(start + after, 'gone', 5),
      line(start + after, 'there', 5),
      line(later + after, 'there', 6),
    ])
    await importFile('sonar', lines.toSorted().join('\n'), path)
    const started = (seconds: number): string => isoTime(seconds).slice(0, -1)
    const account = (id: number, at: number): string =>
      [id, 'ada', 'physics', 'COMPLETED', started(at), started(at + 300), 'there'].join('|')
    const header = 'JobIDRaw|User|Account|State|Start|End|NodeList'
    const told = [header, account(5, start), account(6, later)].join('\n')
    await importFile('sacct', told, path)
    expect(rowsIn('imported_slurm_job')).toHaveLength(2)
    expect(rowsIn('imported_stretch')).toHaveLength(3)
    const store = openNodeStore(path)
    store.keepOnly(days, later + 600)
    store.close()
    expect(rowsIn('imported_slurm_job', 'key')).toEqual([['6']])
    expect(rowsIn('imported_stretch')).toHaveLength(1)
    expect(rowsIn('imported_hour')).toHaveLength(2)
    expect(rowsIn('imported_capacity').length).toBeLessThan(2)
  })

  it('is not remembered by an import that goes on beside an agent', () => {
    const history = openNodeHistory(path)
    const told = (id: string, at: number) => ({
      id,
      user: 'ada',
      account: 'physics',
      name: 'solver',
      hosts: ['node01'],
      startedAt: at,
      endedAt: at + 60,
      cpuSeconds: 9,
      memoryPeakBytes: null,
      reservation: {
        cpus: 1,
        memoryBytes: null,
        gpus: null,
        runtimeSeconds: null,
        source: 'slurm' as const,
      },
    })
    history.addSlurmJobs([told('1', start)])
    const store = openNodeStore(path)
    store.keepOnly(days, later)
    expect(namesIn('user')).toEqual([])
    history.addSlurmJobs([told('2', later - 60)])
    expect(store.reader.jobs({})).toMatchObject([
      { id: '2', user: 'ada', account: 'physics', command: 'solver' },
    ])
    store.close()
    history.close()
  })
})
