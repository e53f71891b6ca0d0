import * as z from 'zod'
import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import { remoteProtocols, type RemoteTarget } from '../../model/remote-target.ts'
import { duration, size } from '../../workflow/spec/definition-values.ts'
import type { Problems } from '../../workflow/spec/problem.ts'

const usual = { interval: '60s', timeout: '30s', buffer: '64m' }
const leastSeconds = 1
const leastBufferBytes = 65_536

/** Whatever folder the program was started in. */
const path = z
  .string()
  .regex(/^\//, { message: 'must be a whole path, such as /etc/jobmeter/remote-token' })

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, {
  message: 'must be a word of letters, digits, ".", "_" and "-"',
})

const labelName = z.string().regex(/^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, {
  message: 'must be the name of a label: letters, digits and _, and not __ at the start',
})

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, {
  message: 'must be the name of a header, such as X-Scope-OrgID',
})

const line = z.string().regex(/^[\x20-\x7e]{1,1000}$/, { message: 'must be one line of ASCII' })

const address = z.string().refine(isAddress, {
  message:
    'must be an http or https address without a password, such as https://prometheus.example.org/api/v1/write',
})

const seconds = duration.refine((value) => secondsOf(value) >= leastSeconds, {
  message: 'must be at least 1s',
})

const target = z.strictObject({
  name,
  url: address,
  protocol: z.enum(remoteProtocols).optional(),
  interval: seconds.optional(),
  timeout: seconds.optional(),
  labels: z.record(labelName, line).optional(),
  headers: z.record(headerName, line).optional(),
  header_files: z.record(headerName, path).optional(),
  bearer_token_file: path.optional(),
  tls: z
    .strictObject({ ca: path.optional(), certificate: path.optional(), key: path.optional() })
    .optional(),
  buffer: size
    .refine((value) => (parseBytes(String(value)) ?? leastBufferBytes) >= leastBufferBytes, {
      message: 'must be at least 64k',
    })
    .optional(),
})

/** The part `remote` of a configuration: whom metrics are sent to. */
export const remoteFile = z.array(target).max(16)

type WrittenTarget = z.infer<typeof target>

/** Where in the file the targets stand. */
const at = 'remote'

/** Set by whoever sends, and by nobody else. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'user-agent',
  'x-prometheus-remote-write-version',
])

/** What the targets of a configuration say; what does not fit together is told of `problems`. */
export function remoteTargetsOf(
  written: readonly WrittenTarget[] | undefined,
  problems: Problems,
): readonly RemoteTarget[] {
  const names = new Set<string>()
  return (written ?? []).map((one, place) => {
    if (names.has(one.name)) problems.atValue([at, place, 'name'], 'two targets have this name')
    names.add(one.name)
    refuseHalves(one, place, problems)
    return targetOf(one)
  })
}

function refuseHalves(one: WrittenTarget, place: number, problems: Problems): void {
  for (const key of ['headers', 'header_files'] as const)
    for (const header of Object.keys(one[key] ?? {})) {
      const word = header.toLowerCase()
      if (reserved.has(word)) problems.atKey([at, place, key, header], 'jobmeter sets this itself')
      if (word === 'authorization' && key === 'headers')
        problems.atKey(
          [at, place, key, header],
          'is a secret: put it into a file that only you can read, and name that',
          'Write "header_files: { Authorization: /path }" or "bearer_token_file: /path".',
        )
    }
  const { tls = {} } = one
  if ((tls.certificate === undefined) !== (tls.key === undefined))
    problems.atValue([at, place, 'tls'], 'needs both certificate and key, or neither')
  const hasSecret = one.bearer_token_file !== undefined || one.header_files !== undefined
  if (hasSecret && !isSafe(one.url))
    problems.atValue(
      [at, place, 'url'],
      'must begin with https://: a secret is sent there that anybody could read on the way',
    )
}

function targetOf(one: WrittenTarget): RemoteTarget {
  const { tls = {} } = one
  return {
    name: one.name,
    url: one.url,
    protocol: one.protocol ?? remoteProtocols[0],
    intervalSeconds: secondsOf(one.interval ?? usual.interval),
    timeoutSeconds: secondsOf(one.timeout ?? usual.timeout),
    labels: one.labels ?? {},
    headers: one.headers ?? {},
    headerFiles: one.header_files ?? {},
    bearerTokenFile: one.bearer_token_file ?? null,
    tls: { ca: tls.ca ?? null, certificate: tls.certificate ?? null, key: tls.key ?? null },
    bufferBytes: parseBytes(String(one.buffer ?? usual.buffer)) ?? leastBufferBytes,
  }
}

const secondsOf = (value: string | number): number => parseDuration(String(value)) ?? Number.NaN

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/** Whether nobody can read on the way what is sent there. */
function isSafe(text: string): boolean {
  const url = URL.parse(text)
  return (
    url?.protocol === 'https:' ||
    url?.hostname === 'localhost' ||
    url?.hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(url?.hostname ?? '')
  )
}
