import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { shippedRules } from '../shipped.ts'
import { readAlerts, type AlertConfig } from './read-alerts.ts'

const read = (text: string) => readAlerts(text, 'alerts.yaml', (path) => `/etc/${path}`)

function configIn(text: string): AlertConfig {
  const result = read(text)
  if (result.kind === 'ok') return result.value
  throw new Error(result.errors.map(formatSpecError).join('\n'))
}

function errorsIn(text: string): string[] {
  const result = read(text)
  return result.kind === 'ok' ? [] : result.errors.map(formatSpecError)
}

const whole = `rules:
  - name: gpu-underused
    below: 30
    for: 10m
  - name: io-bottleneck
    enabled: false
  - name: crowded
    says: too many processes
    metric: num_processes
    above: 500
    clear: 400
    for: 30s
    clear_for: 10s
    severity: critical
    channels: [ops]
channels:
  - {name: screen, type: console, severity: warning}
  - name: ops
    type: webhook
    url_env: OPS_URL
    secret_file: ops-secret
    rate_limit: {messages: 5, per: 1m}
    retry: {first: 1s, longest: 1m, give_up: 1d}
  - {name: mail, type: email, host: mail, from: a@b.c, to: d@e.f, user: me, password_env: PW}
`

describe('an alert file', () => {
  it('changes shipped rules, turns them off and adds to them', () => {
    const { rules } = configIn(whole)
    const named = (name: string) => rules.find((rule) => rule.name === name)
    expect(named('gpu-underused')).toMatchObject({
      condition: { kind: 'below', threshold: 30, clear: 30 },
      forSeconds: 600,
      scope: 'gpu',
      metric: 'gpu_util',
    })
    expect(named('io-bottleneck')).toBeUndefined()
    expect(named('crowded')).toMatchObject({
      condition: { kind: 'above', threshold: 500, clear: 400 },
      forSeconds: 30,
      clearForSeconds: 10,
      channels: ['ops'],
    })
    expect(rules).toHaveLength(shippedRules.length)
  })

  it('may do without shipped rules, and without channels', () => {
    expect(configIn('shipped: false').rules).toEqual([])
    expect(configIn('rules: []').channels).toMatchObject([{ way: { type: 'console' } }])
    expect(configIn('rules: []').rules).toHaveLength(shippedRules.length)
  })

  it('says where secrets are, and never what they are', () => {
    const { channels } = configIn(whole)
    expect(channels.map(({ way }) => way)).toEqual([
      { type: 'console' },
      {
        type: 'webhook',
        url: { kind: 'environment', name: 'OPS_URL' },
        secret: { kind: 'file', path: '/etc/ops-secret' },
      },
      {
        type: 'email',
        host: 'mail',
        port: 587,
        security: 'starttls',
        login: { user: 'me', password: { kind: 'environment', name: 'PW' } },
        from: 'a@b.c',
        to: ['d@e.f'],
      },
    ])
  })

  it('is told all its errors at once, each with its place and what may be meant', () => {
    expect(
      errorsIn(`rules:
  - name: hot
    metric: gpu_tmp_c
    scope: gpu
    above: 80
    fro: 60s
`),
    ).toEqual(['alerts.yaml:6:5 rules.hot.fro: unknown key. Did you mean "for"?'])
    expect(errorsIn('channels: [{name: m, type: email, host: m, from: me, to: a@b.c}]')).toEqual([
      'alerts.yaml:1:50 channels.m.from: must be an address, as in ops@example.org',
    ])
    expect(
      errorsIn(`rules:
  - {name: hot, scope: gpu, metric: gpu_tmp_c, above: 80}
  - {name: low, metric: mean(cpu_percent), below: 5}
  - {name: both, metric: cpu_percent, below: 5, above: 90}
  - {name: odd, metric: cpu_percent}
  - {name: new, above: 3}
  - {name: io-bottleneck, clear: 40}
  - {name: late, metric: failed, at: end, above: 0, channels: [opps]}
  - {name: low, metric: cpu_percent, below: 1}
channels:
  - {name: ops, type: webhook}
  - {name: file, type: file, path: x, host: y}
`),
    ).toEqual([
      'alerts.yaml:2:37 rules.hot.metric: unknown name gpu_tmp_c, at character 1. Did you mean "gpu_temp_c"?',
      'alerts.yaml:3:25 rules.low.metric: ")" where "," is expected, at character 17',
      'alerts.yaml:4:46 rules.both.below: there is "above" already, and a rule has one condition',
      'alerts.yaml:5:12 rules.odd.name: needs one of "above", "below" and "unusual"',
      'alerts.yaml:6:5 rules.new: "metric" is missing',
      'alerts.yaml:7:34 rules.io-bottleneck.clear: must be at most 30, where it fires',
      'alerts.yaml:8:64 rules.late.channels[0]: there is no channel named opps. Did you mean "ops"?',
      'alerts.yaml:9:12 rules.low.name: there is another rule named low',
      'alerts.yaml:11:23 channels.ops.type: a channel of type webhook needs url_env or url_file',
      'alerts.yaml:12:45 channels.file.host: a channel of type file does not have this key',
    ])
  })

  it('takes no secret itself', () => {
    expect(errorsIn('channels:\n  - {name: a, type: slack, url: "https://h/secret"}')).toEqual([
      'alerts.yaml:2:28 channels.a.url: unknown key. Did you mean "url_env"?',
    ])
    const text = 'channels:\n  - {name: a, type: slack, url_env: "https://h/secret"}'
    expect(errorsIn(text).join()).not.toContain('secret')
  })

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.nat(whole.length),
        (noise, at) => {
          const text = whole.slice(0, at) + noise + whole.slice(at)
          expect(['ok', 'invalid']).toContain(read(text).kind)
        },
      ),
    )
  })
})
