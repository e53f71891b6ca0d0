import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { httpServer, smtpServer, silent, type WebhookBody } from './servers.ts'

/** Sends a test alert by the one channel of a file. */
async function testChannel(
  box: Sandbox,
  channel: string,
  env: Readonly<Record<string, string>> = {},
) {
  writeFileSync(box.path('alerts.yaml'), `channels:\n  - {name: it, timeout: 3s, ${channel}}\n`)
  const args = ['alerts', 'test', 'it', '--alerts', 'alerts.yaml', '--format', 'json']
  const ended = await box.jobmeter(args, { env })
  return { ...ended, answer: JSON.parse(ended.stdout || '{}') as object }
}

const noHeaders: IncomingHttpHeaders = {}

describe('jobmeter alerts test', () => {
  it('posts to a webhook, signed and with a timestamp', async () => {
    using box = sandbox()
    await using server = await httpServer()
    writeFileSync(box.path('key'), 'k3y-of-test\n', { mode: 0o600 })
    const ended = await testChannel(box, 'type: webhook, url_env: HOOK, secret_file: key', {
      HOOK: server.url,
    })
    expect(ended.answer).toEqual({ channel: 'it', sent: true, error: null })
    const [received] = server.taken
    const { headers, body } = received ?? { headers: noHeaders, body: '' }
    const timestamp = String(headers['x-jobmeter-timestamp'])
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    const digest = createHmac('sha256', 'k3y-of-test').update(`${timestamp}.${body}`).digest('hex')
    expect(headers['x-jobmeter-signature']).toBe(`v1=${digest}`)
    const told = JSON.parse(body) as WebhookBody
    expect(headers['x-jobmeter-delivery']).toBe(told.id)
    expect(told.alerts).toMatchObject([{ rule: 'test', status: 'firing' }])
  })

  it('posts what Slack and Teams take', async () => {
    using box = sandbox()
    await using server = await httpServer()
    const env = { HOOK: server.url }
    await testChannel(box, 'type: slack, url_env: HOOK', env)
    await testChannel(box, 'type: teams, url_env: HOOK', env)
    const [slack, teams] = server.taken.map(({ body }) => JSON.parse(body) as object)
    expect(slack).toMatchObject({
      text: expect.stringContaining('this is a test'),
      blocks: [{ type: 'section', text: { type: 'mrkdwn' } }],
    })
    expect(teams).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', body: [{ weight: 'Bolder' }, { color: 'Accent' }] },
        },
      ],
    })
  })

  it('writes a line to a file that is the user’s alone', async () => {
    using box = sandbox()
    await testChannel(box, 'type: file, path: alerts.jsonl')
    await testChannel(box, 'type: file, path: alerts.jsonl')
    const lines = readFileSync(box.path('alerts.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { rule: 'test' },
      { rule: 'test' },
    ])
    expect(statSync(box.path('alerts.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('shows it on the console', async () => {
    using box = sandbox()
    const ended = await testChannel(box, 'type: console')
    expect(ended.stderr).toContain('jobmeter: alert [info] this is a test of jobmeter alerts')
  })

  const mail = (port: number, more: string): string =>
    `type: email, host: 127.0.0.1, port: ${port}, from: jobmeter@example.org, to: [ops@example.org, me@example.org], ${more}`

  it('sends mail, and logs in where that is asked for', async () => {
    using box = sandbox()
    await using server = await smtpServer()
    const login = 'security: none, user: me, password_env: PW'
    const ended = await testChannel(box, mail(server.port, login), { PW: 'right' })
    expect(ended.answer).toMatchObject({ sent: true })
    expect(server.mails).toMatchObject([
      {
        from: 'jobmeter@example.org',
        to: ['ops@example.org', 'me@example.org'],
        user: 'me',
        text: expect.stringMatching(/Subject: \[info\] this is a test[\s\S]*nothing is wrong/),
      },
    ])
  })

  it('tells a wrong password by its number alone', async () => {
    using box = sandbox()
    await using server = await smtpServer()
    const login = 'security: none, user: me, password_env: PW'
    const ended = await testChannel(box, mail(server.port, login), { PW: 'wr0ng-secret' })
    expect(ended.code).toBe(1)
    expect(ended.answer).toMatchObject({ error: 'the mail server answered 535' })
    expect(server.passwords).toContain('wr0ng-secret')
    expect(ended.stdout + ended.stderr).not.toContain('wr0ng')
  })

  it('gives no password to a server that cannot prove who it is', async () => {
    using box = sandbox()
    await using server = await smtpServer()
    const login = 'user: me, password_env: PW'
    const ended = await testChannel(box, mail(server.port, login), { PW: 'right' })
    expect(ended.answer).toMatchObject({ sent: false })
    expect(server.passwords).toEqual([])
    expect(server.mails).toEqual([])
  })

  it.each([
    ['is not set', 'url_env: NOBODY', 'the environment variable NOBODY is not set'],
    ['others can read', 'url_file: open', 'can be read by others: run chmod 600 on it'],
    ['is not there', 'url_file: missing', 'cannot be read (ENOENT)'],
    ['is a folder', 'url_file: .', 'is not a file'],
    ['is not an address', 'url_env: PLAIN', 'the address is not an http or https URL'],
    ['has an odd address', 'url_env: ODD', 'the address is not a URL'],
    ['has nobody behind it', 'url_env: NONE', 'the server cannot be reached (ECONNREFUSED)'],
  ])('refuses a secret that %s, without telling it', async (_, place, error) => {
    using box = sandbox()
    writeFileSync(box.path('open'), 'https://example.org/hidden-secret', { mode: 0o644 })
    const ended = await testChannel(box, `type: webhook, ${place}`, {
      PLAIN: 'hidden-secret',
      ODD: 'http://:hidden-secret',
      NONE: `http://127.0.0.1:${await freePort()}/hidden-secret`,
    })
    expect(ended.code).toBe(1)
    expect((ended.answer as { error: string }).error).toContain(error)
    expect(ended.stdout + ended.stderr).not.toContain('hidden')
  })

  it('does not wait for ever', async () => {
    using box = sandbox()
    await using server = await httpServer()
    server.answer = silent
    const ended = await testChannel(box, 'type: webhook, url_env: HOOK', { HOOK: server.url })
    expect(ended.answer).toMatchObject({ error: 'no answer within 3 s' })
  })

  it('follows no redirect: what is meant for one server is not sent to another', async () => {
    using box = sandbox()
    await using server = await httpServer()
    await using other = await httpServer()
    server.answer = (response) => {
      response.writeHead(307, { location: other.url }).end()
      return 'refused'
    }
    const ended = await testChannel(box, 'type: webhook, url_env: HOOK', { HOOK: server.url })
    expect(ended.answer).toMatchObject({ error: 'the server answered 307' })
    expect(other.all).toEqual([])
  })

  it('names channels that there are', async () => {
    using box = sandbox()
    writeFileSync(box.path('alerts.yaml'), 'channels: [{name: screen, type: console}]')
    const ended = await box.jobmeter(['alerts', 'test', 'scren', '--alerts', 'alerts.yaml'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('Did you mean screen?')
  })
})
