import type * as z from 'zod'
import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import { remoteTargetsOf } from '../../remote/config/remote-file.ts'
import type { Problems } from '../../workflow/spec/problem.ts'
import { readChecked, type Checked } from '../../workflow/spec/read-checked.ts'
import { placeOf } from './place.ts'
import {
  emptyServerConfig,
  type LimitsConfig,
  type OidcConfig,
  type PeopleConfig,
  type ProxyConfig,
  type ServerConfig,
} from './server-config.ts'
import { serverFile } from './server-file.ts'

type File = z.infer<typeof serverFile>
type Authentication = NonNullable<File['authentication']>

/** Reads the configuration of a server. What is wrong is said all at once, each with its line. */
export const readServerConfig = (text: string, fileName: string): Checked<ServerConfig> =>
  readChecked(text, fileName, serverFile, {
    expected: 'settings such as "listen: 127.0.0.1:7411"',
    make: (file, problems) => {
      refuseHalves(file, problems)
      return configOf(file, problems)
    },
  })

/** Settings that only make sense together. */
function refuseHalves(
  { authentication, address, tls, administrators, projects }: File,
  problems: Problems,
): void {
  if (authentication?.oidc !== undefined && address === undefined)
    problems.atValue(
      ['authentication', 'oidc'],
      'needs "address: https://…": where the provider sends people back to',
    )
  if (tls !== undefined && address?.startsWith('http:') === true)
    problems.atValue(['address'], 'must begin with https://, because tls is set')
  if (authentication?.oidc === undefined && authentication?.proxy === undefined) {
    const why = 'has no effect without authentication: whoever has the token sees everything'
    if (administrators !== undefined) problems.atKey(['administrators'], why)
    if (projects !== undefined) problems.atKey(['projects'], why)
  }
}

const seconds = (value: string | number | undefined, usual: number): number =>
  value === undefined ? usual : (parseDuration(String(value)) ?? usual)

const bytes = (value: string | number | undefined, usual: number): number =>
  value === undefined ? usual : (parseBytes(String(value)) ?? usual)

function configOf(file: File, problems: Problems): ServerConfig {
  const { authentication = {}, actions = {} } = file
  return {
    listen: file.listen === undefined ? null : (placeOf(file.listen) ?? null),
    address: file.address === undefined ? null : new URL(file.address),
    hosts: (file.hosts ?? []).map((host) => host.toLowerCase()),
    tls: file.tls ?? null,
    oidc: oidcOf(authentication.oidc),
    proxy: proxyOf(authentication.proxy),
    sessionSeconds: seconds(authentication.session, emptyServerConfig.sessionSeconds),
    people: peopleOf(file),
    actions: {
      submit: actions.submit ?? false,
      workingDirectory: actions.working_directory ?? null,
      environment: Object.fromEntries(
        Object.entries(actions.environment ?? {}).map(([name, value]) => [name, String(value)]),
      ),
    },
    limits: limitsOf(file.limits ?? {}),
    remote: remoteTargetsOf(file.remote, problems),
  }
}

function oidcOf(given: Authentication['oidc']): OidcConfig | null {
  if (given === undefined) return null
  return {
    issuer: new URL(given.issuer),
    clientId: given.client_id,
    clientSecretFile: given.client_secret_file,
    scopes: given.scopes ?? ['openid', 'profile'],
    userClaim: given.user_claim ?? 'preferred_username',
    groupsClaim: given.groups_claim ?? 'groups',
  }
}

function proxyOf(given: Authentication['proxy']): ProxyConfig | null {
  if (given === undefined) return null
  return {
    header: given.header.toLowerCase(),
    groupsHeader: given.groups_header?.toLowerCase() ?? null,
    trusted: given.trusted,
  }
}

const peopleOf = ({ administrators = [], projects = {} }: File): PeopleConfig => ({
  administrators,
  projects: Object.entries(projects).map(([name, project]) => ({
    name,
    managers: project.managers ?? [],
    members: project.members ?? [],
    accounts: project.accounts ?? [],
  })),
})

function limitsOf(given: NonNullable<File['limits']>): LimitsConfig {
  const usual = emptyServerConfig.limits
  return {
    requestsPerSecond: given.requests_per_second ?? null,
    connections: given.connections ?? usual.connections,
    connectionsPerAddress: given.connections_per_address ?? usual.connectionsPerAddress,
    requestsAtOnce: given.requests_at_once ?? usual.requestsAtOnce,
    bodyBytes: bytes(given.body, usual.bodyBytes),
    specBytes: bytes(given.spec, usual.specBytes),
    headerSeconds: seconds(given.header_time, usual.headerSeconds),
    requestSeconds: seconds(given.request_time, usual.requestSeconds),
    readSeconds: seconds(given.read_time, usual.readSeconds),
  }
}
