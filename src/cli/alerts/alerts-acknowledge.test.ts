import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import type { AlertStore, NewNotice } from '../../store/alerts/alert-store.ts'
import { openAlerts } from '../../store/alerts/open-alerts.ts'
import { execute } from './alerts.ts'

const at = new LedgerFolder()
const now = Date.now() / 1000
const to = [{ config: '/etc/alerts.yaml', channel: 'log' }]
const notice = (text: string): NewNotice => ({
  rule: 'job-failed',
  severity: 'critical',
  subject: { host: 'node01', job: 'nightly', taskId: 'a', gpu: null },
  text,
  metric: 'status',
  value: null,
  threshold: null,
  at: now,
})

function withAlerts<T>(use: (store: AlertStore) => T): T {
  const store = openAlerts(join(at.directory, 'alerts.db'))
  try {
    return use(store)
  } finally {
    store.close()
  }
}

const fire = (alertId: string) =>
  withAlerts((store) => store.fire('key', alertId, notice('it failed'), null, to))
const resolve = () => withAlerts((store) => store.resolve('key', notice('it went well'), 'a', to))
const waiting = () => withAlerts((store) => store.queue.waitingChannels().length)
const listed = async (): Promise<unknown> =>
  JSON.parse((await at.ask(execute, ['list', '--all', '--format', 'json'])).text)

describe('an alert that is acknowledged', () => {
  it('names who did it, and is not delivered any more, not even when it is over', async () => {
    fire('abc1')
    expect(waiting()).toBe(1)
    const { text } = await at.ask(execute, ['acknowledge', 'abc'])
    expect(text).toMatch(/^Acknowledged by \S+: it failed\n$/)
    expect(waiting()).toBe(0)
    expect(await listed()).toMatchObject([
      {
        alert_id: 'abc1',
        status: 'firing',
        acknowledged_by: expect.stringMatching(/./),
        acknowledged_at: expect.stringMatching(/^20/),
        deliveries: [{ state: 'given up' }],
      },
    ])
    expect((await at.ask(execute, ['list'])).text).toContain('acknowledged by')
    resolve()
    expect(waiting()).toBe(0)
  })

  it('is delivered again when it fires anew', async () => {
    fire('abc1')
    await at.ask(execute, ['acknowledge', 'abc1'])
    resolve()
    fire('abc2')
    expect(waiting()).toBe(1)
    expect(await listed()).toMatchObject([
      { alert_id: 'abc2', acknowledged_by: null },
      { alert_id: 'abc1', status: 'resolved', acknowledged_by: expect.stringMatching(/./) },
    ])
  })

  it('keeps who was first', () => {
    fire('abc1')
    const users = ['ada', 'eve'].map((user) =>
      withAlerts((store) => store.acknowledge('abc1', user, now)?.acknowledgedBy),
    )
    expect(users).toEqual(['ada', 'ada'])
  })

  it('is one that fires', async () => {
    await expect(at.ask(execute, ['acknowledge', 'x'])).rejects.toThrow('no alert that fires')
    fire('abc1')
    withAlerts((store) => store.fire('other', 'abc2', notice('too'), null, to))
    await expect(at.ask(execute, ['acknowledge', 'abc'])).rejects.toThrow('several alerts')
    resolve()
    await expect(at.ask(execute, ['acknowledge', 'abc1'])).rejects.toThrow('no alert that fires')
  })

  it('may be of a file that an older build has made', async () => {
    fire('abc1')
    const database = new DatabaseSync(join(at.directory, 'alerts.db'))
    database.exec(`ALTER TABLE alert DROP COLUMN acknowledged_at;
      ALTER TABLE alert DROP COLUMN acknowledged_by; PRAGMA user_version = 1`)
    database.close()
    expect(await listed()).toMatchObject([{ alert_id: 'abc1', acknowledged_by: null }])
    await at.ask(execute, ['acknowledge', 'abc1'])
    expect(await listed()).toMatchObject([{ acknowledged_by: expect.stringMatching(/./) }])
  })
})
