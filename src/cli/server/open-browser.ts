import { dirname, join } from 'node:path'
import { findLedger } from '../ledger/ledger-place.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'

/** In seconds: a browser that has not started by then is opened by hand. */
const pageLasts = 60

/**
 * Opens an address in a browser. It may hold a token, and everybody on the machine sees the arguments of programs: the
 * browser is given a page of the user's own that leads there, which is removed soon after.
 */
export function openBrowser(system: System, address: string, console: Console): () => void {
  const folder = dirname(findLedger(system, undefined, { quiet: true }))
  const page = join(folder, `open-${system.randomId()}.html`)
  const remove = () => void system.files.removeFile(page)
  system.files.makeDirectories(folder)
  const saved = system.files.saveAnew(page, [new TextEncoder().encode(pageTo(address))], 'own')
  if (saved.kind !== 'ok') {
    console.complain(`no browser was opened: ${folder} cannot be written to`)
    return remove
  }
  const failed = () => {
    remove()
    console.complain('no browser was opened: open the address above, or set $BROWSER')
  }
  const started = system.processes.spawn(
    {
      command: browserCommand(process.env, page),
      environment: process.env,
      workingDirectory: '/',
      group: 'own',
      isCompanion: true,
      stdin: '/dev/null',
      stdout: '/dev/null',
      stderr: '/dev/null',
    },
    { isHelper: true, reaped: ({ exitCode }) => (exitCode === 0 ? undefined : failed()) },
  )
  if (started.kind === 'not-started') failed()
  system.clock.after(pageLasts, remove)
  return remove
}

/** `$BROWSER` lists commands with colons between them, perhaps with arguments; there is no shell that would read more into it. */
function browserCommand(environment: NodeJS.ProcessEnv, page: string): readonly string[] {
  const [first = ''] = (environment['BROWSER'] ?? '').split(':')
  const words = first.split(' ').filter((word) => word !== '')
  if (words.length === 0) return ['xdg-open', page]
  return words.includes('%s')
    ? words.map((word) => (word === '%s' ? page : word))
    : [...words, page]
}

const pageTo = (address: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>jobmeter</title><meta http-equiv="refresh" content="0;url=${address}">\n`
