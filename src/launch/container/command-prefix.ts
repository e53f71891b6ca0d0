import { engineVariables } from '../../sensors/container/engine-place.ts'

/** The options of a program that runs another one, as it takes them itself. */
interface Prefix {
  /** One letter each. */
  readonly flags: string
  /** Letters of options with a value, in the same word or in the next. */
  readonly valued: string
  readonly longFlags?: readonly string[]
  readonly longValued?: readonly string[]
  /** Words between the options and the command. */
  readonly operands?: number
  /** What else may stand where an option may. */
  readonly isOption?: (word: string) => boolean
  /** Words of its own after the options: `A=b` of env. */
  readonly isOwnWord?: (word: string) => boolean
}

/** They say which daemon a client asks: where they are changed on the way, it is not known here. */
const namesDaemon = (word: string): boolean =>
  engineVariables.some((name) => word.startsWith(`${name}=`))

const prefixes: Readonly<Record<string, Prefix>> = {
  nice: {
    flags: '',
    valued: 'n',
    longValued: ['adjustment'],
    isOption: (word) => /^-[-+]?\d+$/.test(word),
  },
  // -i, -u and -S change what the client is given beyond what can be told here.
  env: {
    flags: 'v',
    valued: 'C',
    longFlags: ['debug'],
    longValued: ['chdir'],
    isOwnWord: (word) => word.includes('=') && !namesDaemon(word),
  },
  timeout: {
    flags: 'fpv',
    valued: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValued: ['kill-after', 'signal'],
    operands: 1,
  },
  nohup: { flags: '', valued: '' },
  setsid: { flags: 'cfw', valued: '', longFlags: ['ctty', 'fork', 'wait'] },
  stdbuf: { flags: '', valued: 'ioe', longValued: ['input', 'output', 'error'] },
  ionice: {
    flags: 't',
    valued: 'cn',
    longFlags: ['ignore'],
    longValued: ['class', 'classdata'],
  },
  chrt: {
    flags: 'bdfiorR',
    valued: 'TPD',
    longFlags: ['batch', 'deadline', 'fifo', 'idle', 'other', 'rr', 'reset-on-fork'],
    longValued: ['sched-runtime', 'sched-period', 'sched-deadline'],
    operands: 1,
  },
  taskset: { flags: 'ac', valued: '', longFlags: ['all-tasks', 'cpu-list'], operands: 1 },
}

/**
 * Where the command begins that such programs run in the end; 0 where there is none before it. undefined where an option is not
 * known here: what follows could then be anything.
 */
export function prefixLength(command: readonly string[]): number | undefined {
  let at = 0
  for (;;) {
    const name = nameOf(command[at] ?? '')
    // A program may be called as a member of every object is.
    const prefix = Object.hasOwn(prefixes, name) ? prefixes[name] : undefined
    if (prefix === undefined) return at
    const after = afterPrefix(prefix, command, at + 1)
    if (after === undefined) return undefined
    at = after
  }
}

/** The last part of a path. */
export const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1)

function afterPrefix(
  prefix: Prefix,
  command: readonly string[],
  first: number,
): number | undefined {
  let at = first
  for (; at < command.length; at += 1) {
    const word = command[at] ?? ''
    if (word === '--') {
      at += 1
      break
    }
    if (!word.startsWith('-')) break
    if (prefix.isOption?.(word) === true) continue
    const taken = wordsOfOption(prefix, word)
    if (taken === undefined) return undefined
    at += taken - 1
  }
  while (at < command.length && prefix.isOwnWord?.(command[at] ?? '') === true) at += 1
  at += prefix.operands ?? 0
  return at < command.length ? at : undefined
}

/** How many words an option takes, itself included; undefined for one that is not known. */
function wordsOfOption(prefix: Prefix, word: string): 1 | 2 | undefined {
  if (word.startsWith('--')) {
    const [name = '', value] = word.slice(2).split(/=(.*)/s)
    if (value === undefined && prefix.longFlags?.includes(name) === true) return 1
    if (prefix.longValued?.includes(name) !== true) return undefined
    return value === undefined ? 2 : 1
  }
  // A lone `-` is `env -i`.
  if (word === '-') return undefined
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at)
    if (prefix.valued.includes(letter)) return at === word.length - 1 ? 2 : 1
    if (!prefix.flags.includes(letter)) return undefined
  }
  return 1
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'])

/**
 * What to do about a command whose own words look as if it runs a container in a way that is not looked into; undefined where
 * they do not. They may also be a message or a file's name.
 */
export function containerHint(command: readonly string[]): string | undefined {
  const engine = hiddenEngine(command)
  return engine === undefined
    ? undefined
    : `the command seems to start a container with "${engine} run". Such a container is not measured: start "${engine} run" itself, or give the container a name and add --in-container-of NAME`
}

/** The client that such a command starts. */
export function hiddenEngine(command: readonly string[]): string | undefined {
  const text = shells.has(nameOf(command[0] ?? '')) ? scriptOf(command) : command.slice(1).join(' ')
  return /(?:^|[\s;&|(/])(docker|podman)\s+(?:container\s+)?run\s/.exec(text)?.[1]
}

/** The script that a shell is given in its own words. */
function scriptOf(command: readonly string[]): string {
  const at = command.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word))
  return at < 0 ? '' : (command[at + 1] ?? '')
}
