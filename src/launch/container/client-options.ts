import type { EngineOptions } from '../../sensors/container/engine-place.ts'

/** What the options of `docker` or `podman` itself say, which come before its command. */
export interface ClientOptions extends EngineOptions {
  /** How many words they are. */
  readonly length: number
}

/** Long options with a value, in the same word after `=` or in the next word. */
const longValued = new Set(
  (
    'config context host log-level tlscacert tlscert tlskey ' +
    'connection url identity root runroot imagestore storage-driver storage-opt cgroup-manager conmon ' +
    'cpu-profile db-backend default-mounts-file events-backend hooks-dir max-workers memory-profile module ' +
    'namespace network-cmd-path network-config-dir out runtime runtime-flag ssh tmpdir volumepath ' +
    'tls-ca tls-cert tls-key'
  ).split(' '),
)
/** One letter each; the value is the rest of the word, with or without `=`, or the next word. */
const shortValued = 'Hcl'

const hostNames = new Set(['H', 'host', 'url'])
const contextNames = new Set(['c', 'context', 'connection'])

interface Given {
  readonly name: string
  /** undefined for an option without a value, or with one that is not there. */
  readonly value: string | undefined
  readonly length: 1 | 2
}

/** Reads options as the clients do, up to the first word that is none. */
export function clientOptions(words: readonly string[]): ClientOptions {
  let host: string | null = null
  let context: string | null = null
  let config: string | null = null
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    // `--` ends the options of a client, and `-` is no option.
    if (!word.startsWith('-') || word === '-' || word === '--') break
    const given = word.startsWith('--')
      ? longOption(word, words[at + 1])
      : shortOption(word, words[at + 1])
    if (hostNames.has(given.name)) host = given.value ?? host
    if (contextNames.has(given.name)) context = given.value ?? context
    if (given.name === 'config') config = given.value ?? config
    at += given.length
  }
  return { host, context, config, length: Math.min(at, words.length) }
}

/** One that is not known is taken for a flag: if it is not, the next word is hardly `run`. */
function longOption(word: string, next: string | undefined): Given {
  const [name = '', value] = word.slice(2).split(/=(.*)/s)
  if (value !== undefined) return { name, value, length: 1 }
  return longValued.has(name) ? { name, value: next, length: 2 } : { name, value, length: 1 }
}

/** Flags may stand before an option with a value in one word: `-DH unix:///socket`. */
function shortOption(word: string, next: string | undefined): Given {
  for (let at = 1; at < word.length; at += 1) {
    const name = word.charAt(at)
    const rest = word.slice(at + 1)
    // `-D=true`: what follows is the value of a flag.
    if (rest.length > 1 && rest.startsWith('=')) return { name, value: rest.slice(1), length: 1 }
    if (!shortValued.includes(name)) continue
    return rest === '' ? { name, value: next, length: 2 } : { name, value: rest, length: 1 }
  }
  return { name: '', value: undefined, length: 1 }
}
