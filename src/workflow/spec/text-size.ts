import { deepestNesting } from './spec-node.ts'

/** A value takes up to 2 kB of memory while a file is read, and each has one of these at least. */
export const mostMarks = 4_000_000

const marks = new Uint8Array(128)
for (const mark of '\n:,[]{}&*!?|#;"\'=()<>') marks[mark.charCodeAt(0)] = 1
const space = 0x20

/** How many words and signs a text has that could each be a value of it; counting stops where there are too many. */
export function countMarks(text: string): number {
  let count = 0
  for (let at = 0; at < text.length && count <= mostMarks; at++) {
    const code = text.charCodeAt(at)
    const endsWord = code === space && text.charCodeAt(at - 1) > space
    if (endsWord || (code < 128 && marks[code] === 1)) count += 1
  }
  return count
}

/** Each takes some 10 µs and 1 kB to read; 100,000 jobs that are written out have 900,000. */
export const mostItems = 1_200_000

const separators = new Uint8Array(128)
for (const mark of '\n:,[{') separators[mark.charCodeAt(0)] = 1

/** How many items and keys a text can have at most; counting stops where there are too many. */
export function countItems(text: string): number {
  let count = 0
  for (let at = 0; at < text.length && count <= mostItems; at++)
    if (separators[text.charCodeAt(at)] === 1) count += 1
  return count
}

/** Of people who write by hand; a parser takes time for each that grows with how many there are. */
const mostAnchors = 500

const openers = '[{('
const closers = ']})'

/** Lists in lists, and keys that are lists, on one line. */
const deepLine = new RegExp(`(?:[-?:] +){${deepestNesting}}`)

/**
 * Why a text that a stranger sent is not even parsed: some parsers take seconds to find that out. Brackets in texts and
 * comments count too, so that this is sooner done; nobody leaves hundreds of them open.
 */
export function whyHostile(text: string): string | undefined {
  if (deepestBracket(text) > deepestNesting || deepLine.test(text))
    return `nested more than ${deepestNesting} levels deep`
  const anchors = text.match(/(?<=^|\s)&\w/g)?.length ?? 0
  return anchors > mostAnchors ? `one with more than ${mostAnchors} anchors` : undefined
}

function deepestBracket(text: string): number {
  let depth = 0
  let deepest = 0
  for (const sign of text) {
    if (openers.includes(sign)) depth += 1
    else if (closers.includes(sign)) depth = Math.max(0, depth - 1)
    if (depth > deepest) deepest = depth
  }
  return deepest
}
