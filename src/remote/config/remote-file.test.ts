import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { readChecked } from '../../workflow/spec/read-checked.ts'
import { remoteFile, remoteTargetsOf } from './remote-file.ts'

const file = z.strictObject({ remote: remoteFile.optional() })

const read = (text: string) =>
  readChecked(text, 'agent.yaml', file, {
    expected: 'settings',
    make: ({ remote }, problems) => remoteTargetsOf(remote, problems),
  })

const errorsIn = (text: string): string[] => {
  const found = read(text)
  return found.kind === 'ok' ? [] : found.errors.map(formatSpecError)
}

const target = (more: string): string =>
  `remote:\n  - name: a\n    url: https://a.example.org/write\n    ${more}\n`

describe('whom metrics are sent to', () => {
  it('is read whole', () => {
    const text = `remote:
  - name: prometheus
    url: https://prometheus.example.org/api/v1/write
    protocol: remote-write-1
    interval: 15s
    timeout: 10s
    labels: { cluster: lab, site: "north 1" }
    headers: { X-Scope-OrgID: lab }
    header_files: { X-Api-Key: /etc/jobmeter/api-key }
    bearer_token_file: /etc/jobmeter/token
    tls: { ca: /etc/ssl/ca.pem, certificate: /etc/jobmeter/c.pem, key: /etc/jobmeter/k.pem }
    buffer: 256m
  - { name: otel, url: "http://127.0.0.1:4318/v1/metrics", protocol: otlp }
`
    expect(read(text)).toEqual({
      kind: 'ok',
      value: [
        {
          name: 'prometheus',
          url: 'https://prometheus.example.org/api/v1/write',
          protocol: 'remote-write-1',
          intervalSeconds: 15,
          timeoutSeconds: 10,
          labels: { cluster: 'lab', site: 'north 1' },
          headers: { 'X-Scope-OrgID': 'lab' },
          headerFiles: { 'X-Api-Key': '/etc/jobmeter/api-key' },
          bearerTokenFile: '/etc/jobmeter/token',
          tls: {
            ca: '/etc/ssl/ca.pem',
            certificate: '/etc/jobmeter/c.pem',
            key: '/etc/jobmeter/k.pem',
          },
          bufferBytes: 256 * 1024 ** 2,
        },
        {
          name: 'otel',
          url: 'http://127.0.0.1:4318/v1/metrics',
          protocol: 'otlp',
          intervalSeconds: 60,
          timeoutSeconds: 30,
          labels: {},
          headers: {},
          headerFiles: {},
          bearerTokenFile: null,
          tls: { ca: null, certificate: null, key: null },
          bufferBytes: 64 * 1024 ** 2,
        },
      ],
    })
  })

  it.each([
    ['remote: [{ name: a }]\n', ' "url" is missing'],
    ['remote: [{ name: "a/b", url: "https://a" }]\n', ' remote[0].name: must be a word'],
    ['remote: [{ name: a, url: "https://u:p@a/" }]\n', ' remote.a.url: must be an http or https'],
    ['remote: [{ name: a, url: "ftp://a/" }]\n', ' remote.a.url: must be an http or https'],
    [target('protocol: remote-write-3'), ':4:15 remote.a.protocol: '],
    [target('protocoll: otlp'), 'unknown key. Did you mean "protocol"?'],
    [target('interval: 0.1s'), ':4:15 remote.a.interval: must be at least 1s'],
    [target('buffer: 2k'), ':4:13 remote.a.buffer: must be at least 64k'],
    [target('labels: { __a: b }'), 'must be the name of a label'],
    [target('labels: { a: "" }'), 'must be one line'],
    [target('headers: { Content-Type: a }'), 'jobmeter sets this itself'],
    [target('headers: { authorization: "Bearer a" }'), 'is a secret: put it into a file'],
    [target('bearer_token_file: token'), 'must be a whole path'],
    [target('tls: { certificate: /c }'), 'needs both certificate and key'],
    [
      `${target('')}  - { name: a, url: "https://b" }\n`,
      ':5:13 remote.a.name: two targets have this',
    ],
    [
      'remote: [{ name: a, url: "http://a/", bearer_token_file: /t }]\n',
      'remote.a.url: must begin with https://',
    ],
  ])('is refused as %j', (text, problem) => {
    const found = errorsIn(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(problem)
  })

  it('may be on this machine without TLS', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(
        errorsIn(`remote: [{ name: a, url: "http://${host}:9/", bearer_token_file: /t }]\n`),
      ).toEqual([])
  })
})
