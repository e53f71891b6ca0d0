/** A piece of a text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What stands in its place. */
export interface Splice extends Span {
  readonly text: string
}

/** A line of the old text, counted from 0, and what became of it. */
export interface LineChange {
  readonly line: number
  readonly before: string
  readonly after: readonly string[]
}

/** Applies splices that do not overlap. Nothing else of the text changes. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let done = ''
  let at = 0
  for (const { from, to, text: added } of inOrder(splices)) {
    done += text.slice(at, from) + added
    at = to
  }
  return done + text.slice(at)
}

/** The same by lines. Each splice must lie within one line, though it may add others. */
export function lineChanges(text: string, splices: readonly Splice[]): LineChange[] {
  const byLine = new Map<number, Splice[]>()
  for (const splice of inOrder(splices)) {
    const start = text.lastIndexOf('\n', splice.from - 1) + 1
    byLine.set(start, [...(byLine.get(start) ?? []), splice])
  }
  let line = 0
  let counted = 0
  return [...byLine].map(([start, own]) => {
    for (; counted < start; counted++) if (text[counted] === '\n') line += 1
    const end = text.indexOf('\n', start)
    const before = text.slice(start, end < 0 ? text.length : end)
    const shifted = own.map((each) => ({ ...each, from: each.from - start, to: each.to - start }))
    return { line, before, after: applySplices(before, shifted).split('\n') }
  })
}

const inOrder = (splices: readonly Splice[]): Splice[] =>
  splices.toSorted((a, b) => a.from - b.from || a.to - b.to)

/** Where a line ends, before its line break, and how it breaks. */
export function lineEnd(text: string, at: number): { readonly end: number; readonly eol: string } {
  const found = text.indexOf('\n', at)
  if (found < 0) return { end: text.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
  return text[found - 1] === '\r' ? { end: found - 1, eol: '\r\n' } : { end: found, eol: '\n' }
}

/** The blanks before something that begins its line; undefined if something else stands there. */
export function indentBefore(text: string, at: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*$/.test(before) ? before : undefined
}
