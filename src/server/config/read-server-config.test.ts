import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { isLoopback, Networks, placeOf } from './place.ts'
import { readServerConfig } from './read-server-config.ts'
import { emptyServerConfig } from './server-config.ts'
import { serverJsonSchema } from './server-schema.ts'

const whole = `
listen: 0.0.0.0:8443
address: https://jobs.example.org
hosts: [Jobs.Internal, "10.1.2.3:8443"]
tls: { certificate: /etc/jobmeter/cert.pem, key: /etc/jobmeter/key.pem }
authentication:
  oidc:
    issuer: https://id.example.org/realm
    client_id: jobmeter
    client_secret_file: /etc/jobmeter/oidc-secret
    user_claim: uid
    groups_claim: roles
  proxy:
    header: X-Remote-User
    groups_header: X-Remote-Groups
    trusted: [10.0.0.0/8, "::1"]
  session: 8h
administrators: [ada, group:staff]
projects:
  climate: { managers: [bob], members: [carol], accounts: [clim] }
actions:
  submit: true
  working_directory: /scratch
  environment: { LEVEL: 3 }
limits: { requests_per_second: 5, body: 2m, header_time: 5s }
remote: [{ name: a, url: "https://a.example.org/write" }]
`

const errorsIn = (text: string): string[] => {
  const read = readServerConfig(text, 'server.yaml')
  return read.kind === 'ok' ? [] : read.errors.map(formatSpecError)
}

describe('the configuration of a server', () => {
  it('is read whole', () => {
    expect(readServerConfig(whole, 'server.yaml')).toEqual({
      kind: 'ok',
      value: {
        listen: { host: '0.0.0.0', port: 8443 },
        address: new URL('https://jobs.example.org'),
        hosts: ['jobs.internal', '10.1.2.3:8443'],
        tls: { certificate: '/etc/jobmeter/cert.pem', key: '/etc/jobmeter/key.pem' },
        oidc: {
          issuer: new URL('https://id.example.org/realm'),
          clientId: 'jobmeter',
          clientSecretFile: '/etc/jobmeter/oidc-secret',
          scopes: ['openid', 'profile'],
          userClaim: 'uid',
          groupsClaim: 'roles',
        },
        proxy: {
          header: 'x-remote-user',
          groupsHeader: 'x-remote-groups',
          trusted: ['10.0.0.0/8', '::1'],
        },
        sessionSeconds: 8 * 3600,
        people: {
          administrators: ['ada', 'group:staff'],
          projects: [
            { name: 'climate', managers: ['bob'], members: ['carol'], accounts: ['clim'] },
          ],
        },
        actions: { submit: true, workingDirectory: '/scratch', environment: { LEVEL: '3' } },
        limits: {
          ...emptyServerConfig.limits,
          requestsPerSecond: 5,
          bodyBytes: 2 * 1024 ** 2,
          headerSeconds: 5,
        },
        remote: [expect.objectContaining({ name: 'a', protocol: 'remote-write-2' })],
      },
    })
  })

  it.each([
    ['listen: 7411\n', ':1:9 listen: '],
    ['listen: here:99999\n', ':1:9 listen: must be HOST:PORT'],
    ['address: jobs.example.org\n', ':1:10 address: must be an address without a path'],
    ['address: https://jobs.example.org/deep\n', ':1:10 address: must be an address without'],
    ['tls: { certificate: cert.pem, key: /k }\n', ':1:21 tls.certificate: must be a whole path'],
    ['tls: { certificate: /c }\n', ' tls'],
    [
      'address: http://a\ntls: { certificate: /c, key: /k }\n',
      ':1:10 address: must begin with https://',
    ],
    [
      'authentication: { proxy: { header: "X Y", trusted: [1.2.3.4] } }\n',
      ' authentication.proxy.header: must be the name of a header',
    ],
    [
      'authentication: { proxy: { header: X, trusted: [10.0.0.0/33] } }\n',
      ' authentication.proxy.trusted[0]: must be an address or a network',
    ],
    [
      'address: https://a\nauthentication: { oidc: { issuer: "http://id.example.org", client_id: a, client_secret_file: /s } }\n',
      ' authentication.oidc.issuer: must begin with https://',
    ],
    [
      'authentication: { oidc: { issuer: "https://i", client_id: a, client_secret_file: /s } }\n',
      ' authentication.oidc: needs "address: https://…"',
    ],
    ['administrators: [ada]\n', ':1:1 administrators: has no effect without authentication'],
    [
      'authentification: {}\n',
      ':1:1 authentification: unknown key. Did you mean "authentication"?',
    ],
    ['authentication: { session: 100000d }\n', ' authentication.session: must be at most 400d'],
    ['hosts: ["https://a"]\n', ' hosts[0]: must be a name'],
  ])('refuses %j', (text, problem) => {
    expect(errorsIn(text)).toEqual([expect.stringContaining(`server.yaml`)])
    expect(errorsIn(text)[0]).toContain(problem)
  })

  it('has a schema that names every setting', () => {
    expect(Object.keys(serverJsonSchema()['properties'] as object)).toEqual([
      'listen',
      'address',
      'hosts',
      'tls',
      'authentication',
      'administrators',
      'projects',
      'actions',
      'limits',
      'remote',
    ])
  })
})

describe('a place to listen', () => {
  it.each([
    ['127.0.0.1:7411', { host: '127.0.0.1', port: 7411 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
    ['::1:7411', undefined],
    [':7411', undefined],
    ['host:65536', undefined],
    ['host', undefined],
  ])('%s', (text, place) => {
    expect(placeOf(text)).toEqual(place)
  })

  it.each([
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['localhost.example.org', false],
    ['127.0.0.1.example.org', false],
  ])('%s is on this machine alone: %s', (host, isHere) => {
    expect(isLoopback(host)).toBe(isHere)
  })
})

describe('networks', () => {
  it('hold the addresses in them, of either family', () => {
    const networks = new Networks(['10.0.0.0/8', '192.168.1.7', 'fd00::/8'])
    expect(
      ['10.9.9.9', '::ffff:10.1.1.1', '192.168.1.7', 'fd12::1'].every((each) =>
        networks.holds(each),
      ),
    ).toBe(true)
    expect(
      ['11.0.0.1', '192.168.1.8', 'fe80::1', '', 'nonsense'].some((each) => networks.holds(each)),
    ).toBe(false)
  })
})

describe('the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/serve.md'), 'utf8')
  const examples = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = '']) => yaml)

  it('has an example of every setting', () => {
    expect(examples).toHaveLength(5)
    const named = Object.keys(serverJsonSchema()['properties'] as object)
    expect(named.filter((key) => !examples.some((yaml) => yaml.includes(`${key}:`)))).toEqual([])
  })

  it.each(examples)('shows configurations that are right (%#)', (yaml) => {
    expect(errorsIn(yaml)).toEqual([])
  })

  it('tells the limits as they are', () => {
    const yaml = examples.find((each) => each.startsWith('limits:')) ?? ''
    const read = readServerConfig(yaml, 'server.yaml')
    expect(read.kind === 'ok' ? read.value.limits : read.errors).toEqual({
      ...emptyServerConfig.limits,
      requestsPerSecond: 100,
    })
  })
})
