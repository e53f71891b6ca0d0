import { describe, expect, it } from 'vitest'
import {
  displayWidth,
  fitEnd,
  fitMiddle,
  fitWidth,
  padEndWidth,
  padStartWidth,
  wrapWords,
} from './display-width.ts'

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['🙂', 2],
    ['\u001b[31mred\u001b[39m', 3],
    ['✓ ▁█', 4],
    ['한글', 4],
    // The same syllable in one piece and in three.
    ['\ud55c', 2],
    ['\u1112\u1161\u11ab', 2],
    ['ｶﾞ', 2],
    ['Ａ１', 4],
    ['\ufe10', 2],
    ['\u{17000}\u{1b000}\u{1f200}', 6],
    ['\u3248', 1],
    ['🇩🇪', 2],
    ['a\u0300\u0323b', 2],
    ['नि', 2],
  ])('of %j is %d', (text, columns) => {
    expect(displayWidth(text)).toBe(columns)
  })

  it('pads and cuts by columns, not by characters', () => {
    expect(padEndWidth('日', 4)).toBe('日  ')
    expect(padStartWidth('日', 4)).toBe('  日')
    expect(fitWidth('日本語', 6)).toBe('日本語')
    expect(fitWidth('日本語', 5)).toBe('日本…')
    expect(fitWidth('日本語', 4)).toBe('日…')
    expect(fitMiddle('sample_long_name_17', 10)).toBe('sampl…e_17')
    expect(fitMiddle('日本語日本語', 8)).toBe('日本…語')
    expect(fitMiddle('sample', 6)).toBe('sample')
  })

  it('cuts at the front, where it can before a folder', () => {
    expect(fitEnd('host/group/name:tag', 14)).toBe('…/name:tag')
    expect(fitEnd('long-name:tag', 8)).toBe('…ame:tag')
    expect(fitEnd('日本語日本語', 8)).toBe('…日本語')
    expect(fitEnd('name:tag', 8)).toBe('name:tag')
  })

  it('breaks lines between words and leaves a long word whole', () => {
    expect(wrapWords('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrapWords('extraordinary a', 5)).toEqual(['extraordinary', 'a'])
  })
})
