import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** So that a text can be read beside its source, and a change to it is seen where it is. */
const longest = 100

/** Tables, code and single words, such as addresses, cannot be broken. */
const mayBeLong = /^\s*\||^ {4}|^\S+$|^\s*[-*>]? ?\[?\S+$/

function longLines(file: string): string[] {
  let isCode = false
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      const isLong = !isCode && line.length > longest && !mayBeLong.test(line)
      return isLong ? `${file}:${index + 1}` : []
    })
}

it('is easy to read and to change: lines of 100 in all pages', () => {
  const pages = globSync('{*.md,docs/**/*.md}')
  expect(pages.length).toBeGreaterThan(5)
  expect(pages.flatMap(longLines)).toEqual([])
})
