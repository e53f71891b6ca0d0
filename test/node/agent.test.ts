import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, users } from '../program.ts'

interface Job {
  readonly command: string
  readonly user: string
  readonly state: string
}

describe('jobmeter agent', () => {
  it.each(users)('takes a round and can be asked, as $name', async (user) => {
    using box = sandbox(user)
    const db = box.path('node.db')
    const once = await box.jobmeter(['agent', '--once', '--interval', '0.5s', '--db', db])
    expect(once).toMatchObject({ code: 0, stderr: '' })
    expect(once.stdout).toMatch(/^round 1: [\d,]+ jobs, [\d,]+ processes/)
    const listed = await box.jobmeter(['ps', '--running', '--format', 'json', '--db', db])
    const jobs = JSON.parse(listed.stdout) as Job[]
    expect(jobs.find(({ user: owner }) => owner === 'unattributed')).toBeDefined()
    const processes = jobs.filter(({ user: owner }) => owner !== 'unattributed')
    expect(new Set(processes.map(({ state }) => state))).toEqual(new Set(['running']))
    const text = await box.jobmeter(['usage', '--by', 'user,hour', '--db', db])
    expect(text.stdout).toMatch(/^User +Hour +Core-hours +of capacity +of all use\n/)
    expect((await box.jobmeter(['uptime', '--db', db])).stdout).toMatch(/\b0 gaps\b/)
    const nodes = await box.jobmeter(['nodes', '--db', db])
    expect(nodes.stdout).toMatch(/^.+ cores.*\nNode +last round +peak\nbusy cores/)
  })

  it('reads its configuration again on SIGHUP, and keeps the old one where the new one is wrong', async () => {
    using box = sandbox()
    const [db, config] = [box.path('node.db'), box.path('agent.yaml')]
    writeFileSync(config, 'interval: 1h\n')
    const agent = box.start(['agent', '--verbose', '--config', config, '--db', db])
    await agent.saw('looking every 3600 s')
    writeFileSync(config, 'interval: 1h\nretentoin: {}\n')
    agent.signal('SIGHUP')
    expect(await agent.saw('stays in force')).toContain(':2:1 retentoin: unknown key')
    writeFileSync(config, 'interval: 0.2s\n')
    agent.signal('SIGHUP')
    await agent.saw('round 2:')
    agent.signal('SIGTERM')
    expect(await agent.ended).toMatchObject({ code: 0 })
  })

  it('says what is wrong with its configuration, and does not start', async () => {
    using box = sandbox()
    writeFileSync(box.path('agent.yaml'), 'interval: never\n')
    const ended = await box.jobmeter(['agent', '--config', box.path('agent.yaml')])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('agent.yaml:1:11 interval:')
  })

  it.each(['nonsense', '2026-02-30', '--'])('does not take %j for a time', async (when) => {
    using box = sandbox()
    const ended = await box.jobmeter(['ps', `--from=${when}`])
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain('is not a time')
  })
})
