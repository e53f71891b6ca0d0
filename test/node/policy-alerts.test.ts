import { readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { smtpServer } from '../alerts/servers.ts'
import { sandbox, users, type Sandbox } from '../program.ts'

interface Line {
  readonly rule: string
  readonly status: string
  readonly job_name: string
  readonly text: string
}

const told = (box: Sandbox): Line[] =>
  readFileSync(box.path('told.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** Everybody who has processes breaks it at once, and is well again when the file says another number. */
const policies = (least: number, more = ''): string => `
shipped: false
alerts: alerts.yaml
tell: {resolved: true${more}}
policies:
  - name: present
    scope: user
    says: has processes
    advice: Log out.
    when: {processes: {at_least: ${least}}}
    for: 0s
    unless_idle: false
    exempt: {users: [root]}
`

const agentIn = (box: Sandbox, ...more: readonly string[]): string[] => [
  'agent',
  '--policies',
  box.path('policies.yaml'),
  '--db',
  box.path('node.db'),
  ...more,
]

/** Until nothing waits any more: the process that the agent has left may be at it. */
async function delivered(box: Sandbox): Promise<void> {
  const args = ['alerts', 'deliver', '--db', box.path('node.db'), '--for', '20s']
  for (let times = 0; times < 50; times++) {
    const { stdout } = await box.jobmeter([...args, '--format', 'json'])
    if ((JSON.parse(stdout) as { because: string }).because === 'empty') return
  }
  throw new Error('some are still queued')
}

const [user = { name: 'whoever' }] = users.slice(-1)
const who = users.length > 1 ? 'nobody' : userInfo().username

describe('violations', () => {
  it('go out by the channels of alerts, once each, and so does their end', async () => {
    using box = sandbox(user)
    writeFileSync(
      box.path('alerts.yaml'),
      'channels:\n  - {name: log, type: file, path: told.jsonl}\n',
    )
    writeFileSync(box.path('policies.yaml'), policies(1))
    const agent = box.start(agentIn(box, '--verbose', '--interval', '0.2s'))
    await agent.saw('round 3:')
    writeFileSync(box.path('policies.yaml'), policies(1e6))
    agent.signal('SIGHUP')
    await agent.saw('read again')
    agent.signal('SIGTERM')
    expect(await agent.ended).toMatchObject({ code: 0 })
    await delivered(box)
    const lines = told(box).filter(({ job_name: name }) => name === who)
    expect(lines.map(({ status }) => status)).toEqual(['firing', 'resolved'])
    expect(lines[0]).toMatchObject({
      rule: 'present',
      text: expect.stringMatching(/^present: has processes: processes is \d+ .*Log out\.$/),
    })
    // Another agent on the same database finds what the first one told, and says nothing again.
    writeFileSync(box.path('policies.yaml'), policies(1))
    await box.jobmeter(agentIn(box, '--once', '--interval', '0.2s'))
    await delivered(box)
    expect(told(box).filter(({ job_name: name }) => name === who)).toHaveLength(2)
  })

  it('reach the user too, where the policy file says so', async () => {
    using box = sandbox(user)
    await using mail = await smtpServer()
    writeFileSync(
      box.path('alerts.yaml'),
      `channels:
  - name: users
    type: email
    host: 127.0.0.1
    port: ${mail.port}
    security: none
    from: jobmeter@example.org
    to: '{user}@example.org'
    group_wait: 0s
`,
    )
    writeFileSync(box.path('policies.yaml'), policies(1, ', users: [users]'))
    await box.jobmeter(agentIn(box, '--once', '--interval', '0.2s'))
    await delivered(box)
    const own = mail.mails.filter(({ to }) => to.includes(`${who}@example.org`))
    expect(own).toHaveLength(1)
    expect(own[0]?.to).toHaveLength(1)
    expect(own[0]?.text).toContain('present: has processes')
    expect(mail.mails.flatMap(({ to }) => to).join()).not.toContain('{user}')
  })

  it('are refused for channels that are not there', async () => {
    using box = sandbox(user)
    writeFileSync(box.path('alerts.yaml'), 'channels:\n  - {name: mail, type: console}\n')
    writeFileSync(box.path('policies.yaml'), policies(1, ', users: [mali]'))
    const ended = await box.jobmeter(agentIn(box, '--once'))
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('there is no channel named mali')
    expect(ended.stderr).toContain('Did you mean "mail"?')
  })
})
