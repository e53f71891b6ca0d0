import { printable } from './printable.ts'
import type { Style } from './style.ts'

/** A line of the old text, counted from 0, and what became of it. */
export interface ChangedLine {
  readonly line: number
  readonly before: string
  readonly after: readonly string[]
}

const contextLines = 3

/** The changes as `diff -u` shows them, with three lines around each; nothing if there are none. */
export function unifiedDiff(
  path: string,
  oldText: string,
  changes: readonly ChangedLine[],
  style: Style,
): string {
  if (changes.length === 0) return ''
  const lines = oldText.split('\n')
  // What follows the last line break is no line.
  if (lines.at(-1) === '') lines.pop()
  const hunks: string[] = []
  let shift = 0
  for (const group of groups(changes)) {
    const { text, added } = hunk(lines, group, shift, style)
    hunks.push(text)
    shift += added
  }
  const name = printable(path)
  return `${style.bold(`--- ${name}`)}\n${style.bold(`+++ ${name}`)}\n${hunks.join('')}`
}

/** Changes whose surroundings touch are shown together. */
function groups(changes: readonly ChangedLine[]): ChangedLine[][] {
  const found: ChangedLine[][] = []
  for (const change of changes) {
    const before = found.at(-1)?.at(-1)
    if (before !== undefined && change.line - before.line <= 2 * contextLines + 1)
      found.at(-1)?.push(change)
    else found.push([change])
  }
  return found
}

function hunk(
  lines: readonly string[],
  changes: readonly ChangedLine[],
  shift: number,
  style: Style,
): { readonly text: string; readonly added: number } {
  const from = Math.max(0, (changes[0]?.line ?? 0) - contextLines)
  const to = Math.min(lines.length, (changes.at(-1)?.line ?? 0) + contextLines + 1)
  const byLine = new Map(changes.map((change) => [change.line, change]))
  const shown: string[] = []
  // Lines that change in a row are shown as `diff` does: first all as they were, then as they are.
  const after: string[] = []
  let added = 0
  for (let line = from; line < to; line++) {
    const change = byLine.get(line)
    const isAddition = change?.after[0] === change?.before
    if (change === undefined || isAddition) {
      shown.push(...after.splice(0), ` ${clean(lines[line] ?? '')}`)
    } else shown.push(style.red(`-${clean(change.before)}`))
    if (change === undefined) continue
    const now = isAddition ? change.after.slice(1) : change.after
    after.push(...now.map((text) => style.green(`+${clean(text)}`)))
    added += change.after.length - 1
  }
  shown.push(...after)
  const [length, newLength] = [to - from, to - from + added]
  const head = `@@ -${from + 1},${length} +${from + 1 + shift},${newLength} @@`
  return { text: `${[style.cyan(head), ...shown].join('\n')}\n`, added }
}

/** Tabs are harmless, and a carriage return at the end belongs to the line break. */
const clean = (line: string): string =>
  line.replace(/\r$/, '').split('\t').map(printable).join('\t')
