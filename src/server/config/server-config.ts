import type { RemoteTarget } from '../../model/remote-target.ts'

/** Where to listen. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** What the configuration of a server says; what it does not say is null or the usual. */
export interface ServerConfig {
  readonly listen: Place | null
  /** What people type to come here, where that is not where it listens; without a path. */
  readonly address: URL | null
  /** Further names that it goes by, as in the header `Host`, with a port or without. */
  readonly hosts: readonly string[]
  readonly tls: TlsFiles | null
  readonly oidc: OidcConfig | null
  readonly proxy: ProxyConfig | null
  readonly sessionSeconds: number
  readonly people: PeopleConfig
  readonly actions: ActionsConfig
  readonly limits: LimitsConfig
  /** Whom metrics are sent to. */
  readonly remote: readonly RemoteTarget[]
}

export interface TlsFiles {
  readonly certificate: string
  readonly key: string
}

/** A provider of OpenID Connect. */
export interface OidcConfig {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecretFile: string
  readonly scopes: readonly string[]
  /** The claim with the name that the records of this person have. */
  readonly userClaim: string
  readonly groupsClaim: string
}

/** A reverse proxy that signs people in, and says in a header who they are. */
export interface ProxyConfig {
  readonly header: string
  readonly groupsHeader: string | null
  /** Addresses and networks that the header is believed from. */
  readonly trusted: readonly string[]
}

/** Users by their names, groups as `group:NAME`. */
export interface PeopleConfig {
  readonly administrators: readonly string[]
  readonly projects: readonly Project[]
}

export interface Project {
  readonly name: string
  readonly managers: readonly string[]
  readonly members: readonly string[]
  /** Accounts of Slurm. */
  readonly accounts: readonly string[]
}

/** What people may have the server do. */
export interface ActionsConfig {
  readonly submit: boolean
  /** Where commands run that say nothing else; null: where the server was started. */
  readonly workingDirectory: string | null
  readonly environment: Readonly<Record<string, string>>
}

export interface LimitsConfig {
  /** Of one person, or of one address where nobody is signed in; null: the usual. */
  readonly requestsPerSecond: number | null
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly requestsAtOnce: number
  readonly bodyBytes: number
  readonly specBytes: number
  readonly headerSeconds: number
  readonly requestSeconds: number
  /** How long somebody may take to read what was written for them. */
  readonly readSeconds: number
}

export const emptyServerConfig: ServerConfig = {
  listen: null,
  address: null,
  hosts: [],
  tls: null,
  oidc: null,
  proxy: null,
  sessionSeconds: 12 * 3600,
  people: { administrators: [], projects: [] },
  actions: { submit: false, workingDirectory: null, environment: {} },
  limits: {
    requestsPerSecond: null,
    connections: 2048,
    connectionsPerAddress: 512,
    requestsAtOnce: 1024,
    bodyBytes: 1024 ** 2,
    specBytes: 256 * 1024,
    headerSeconds: 10,
    requestSeconds: 30,
    readSeconds: 60,
  },
  remote: [],
}
