import { isIP } from 'node:net'
import * as z from 'zod'
import { parseDuration } from '../../model/duration.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { remoteFile } from '../../remote/config/remote-file.ts'
import { duration, environment, size, wholeNumber } from '../../workflow/spec/definition-values.ts'
import { placeOf } from './place.ts'

/** Whatever folder the server was started in. */
const path = z
  .string()
  .regex(/^\//, { message: 'must be a whole path, such as /etc/jobmeter/key.pem' })

const word = z.string().regex(/^[^\p{Cc}\s]+$/u, { message: 'must be one word, and not empty' })

const person = word.meta({ description: 'a user, or the members of a group as group:NAME' })

/** A token of RFC 9110: what a header may be called. */
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, {
  message: 'must be the name of a header, such as X-Remote-User',
})

const network = z
  .string()
  .refine(isNetwork, { message: 'must be an address or a network, such as 10.0.0.1 or 10.0.0.0/8' })

const hostName = z.string().regex(/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i, {
  message: 'must be a name, such as jobs.example.org',
})

const address = z.string().refine((text) => isOrigin(text), {
  message: 'must be an address without a path, such as https://jobs.example.org',
})

const issuer = z.string().refine(isIssuer, {
  message: 'must begin with https://; http:// only on this machine itself',
})

const oidc = z.strictObject({
  issuer,
  client_id: word,
  client_secret_file: path,
  scopes: z.array(word).optional(),
  user_claim: word.optional(),
  groups_claim: word.optional(),
})

const proxy = z.strictObject({
  header: headerName,
  groups_header: headerName.optional(),
  trusted: z.array(network).min(1),
})

const project = z.strictObject({
  managers: z.array(person).optional(),
  members: z.array(word).optional(),
  accounts: z.array(word).optional(),
})

/** Browsers keep no cookie for longer. */
const longestSessionSeconds = 400 * daySeconds

const session = duration.refine(
  (value) => (parseDuration(String(value)) ?? 0) <= longestSessionSeconds,
  { message: 'must be at most 400d: browsers keep no cookie for longer' },
)

const limits = z.strictObject({
  requests_per_second: z.number().positive().optional(),
  connections: wholeNumber(1).optional(),
  connections_per_address: wholeNumber(1).optional(),
  requests_at_once: wholeNumber(1).optional(),
  body: size.optional(),
  spec: size.optional(),
  header_time: duration.optional(),
  request_time: duration.optional(),
  read_time: duration.optional(),
})

/** The file `server.yaml`. */
export const serverFile = z.strictObject({
  listen: z
    .string()
    .refine((text) => placeOf(text) !== undefined, {
      message: 'must be HOST:PORT, such as 127.0.0.1:7411',
    })
    .optional(),
  address: address.optional(),
  hosts: z.array(hostName).optional(),
  tls: z.strictObject({ certificate: path, key: path }).optional(),
  authentication: z
    .strictObject({ oidc: oidc.optional(), proxy: proxy.optional(), session: session.optional() })
    .optional(),
  administrators: z.array(person).optional(),
  projects: z.record(word, project).optional(),
  actions: z
    .strictObject({
      submit: z.boolean().optional(),
      working_directory: path.optional(),
      environment: environment.optional(),
    })
    .optional(),
  limits: limits.optional(),
  remote: remoteFile.optional(),
})

function isNetwork(text: string): boolean {
  const [base = '', bits, ...rest] = text.split('/')
  const family = isIP(base)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}
