/** How metrics are sent. `remote-write-2` goes back to 1.0 where the other side does not know it. */
export const remoteProtocols = ['remote-write-2', 'remote-write-1', 'otlp'] as const
export type RemoteProtocol = (typeof remoteProtocols)[number]

/** Somebody whom metrics are sent to. */
export interface RemoteTarget {
  readonly name: string
  readonly url: string
  readonly protocol: RemoteProtocol
  readonly intervalSeconds: number
  /** How long one request may take. */
  readonly timeoutSeconds: number
  /** Labels that every series gets which has none of that name. */
  readonly labels: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Headers whose value stands in a private file. */
  readonly headerFiles: Readonly<Record<string, string>>
  readonly bearerTokenFile: string | null
  readonly tls: RemoteTls
  /** How much may wait on disk. */
  readonly bufferBytes: number
}

/** Files with whom to trust, and who we are; null: whom the machine trusts, and nobody. */
export interface RemoteTls {
  readonly ca: string | null
  readonly certificate: string | null
  readonly key: string | null
}
