import { printable } from '../../render/text/printable.ts'
import { loadSpec, type SpecFile } from '../../service/spec-file.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import { specErrorLines, type SpecError } from '../../workflow/spec/problem.ts'
import type { Console } from '../terminal/console.ts'

/** Nobody reads more at once. */
const mostUnused = 5

/** Reads a workflow file; all that is wrong with it is said at once, and the exit code is 2. */
export function readSpecFile(system: System, path: string): SpecFile {
  const loaded = loadSpec(system, path)
  switch (loaded.kind) {
    case 'ok':
      return loaded.spec
    case 'wrong':
      throw new UserError(errorsText(path, loaded.errors), 'usage')
    case 'unreadable': {
      const near = loaded.near === undefined ? '' : `. Did you mean ${loaded.near}?`
      throw new UserError(`${loaded.why}${near}`, 'usage')
    }
  }
}

function errorsText(path: string, errors: readonly SpecError[]): string {
  const count = errors.length
  const shown = specErrorLines(errors).map(printable).join('\n')
  return `${count === 1 ? 'an error' : `${count} errors`} in ${printable(path)}; nothing was stored\n${shown}`
}

/** Says what a file asks for that has no effect here. */
export function tellUnused({ path, unused }: SpecFile, console: Console): void {
  if (unused.length === 0) return
  const more = unused.length > mostUnused ? ` and ${unused.length - mostUnused} more` : ''
  const names = unused.slice(0, mostUnused).join(', ')
  console.note(`jobmeter: ${printable(`${path}: these have no effect here: ${names}${more}`)}\n`)
}
