import { expect, it } from 'vitest'
import { withPiece, type LogPiece } from '../../web/pages/job/log-piece.ts'

const nothing = { text: '', why: null, isCut: false }
const piece = (from: number, text: string, isAnew = false): LogPiece => ({
  from,
  text,
  is_anew: isAnew,
})

it('adds what a job writes', () => {
  const first = withPiece(nothing, piece(0, 'one\n'), true)
  expect(withPiece(first, piece(4, 'two\n'), false)).toEqual({ ...nothing, text: 'one\ntwo\n' })
})

it('begins anew with a log that was emptied', () => {
  const first = withPiece(nothing, piece(0, 'one\n'), true)
  expect(withPiece(first, piece(0, 'two\n', true), false).text).toBe('two\n')
})

it('begins anew where all is told again, and says that the beginning is missing', () => {
  const first = withPiece(nothing, piece(0, 'one\n'), true)
  expect(withPiece(first, piece(2, 'e\ntwo\n'), true)).toEqual({
    text: 'e\ntwo\n',
    why: null,
    isCut: true,
  })
})

it('keeps the end of what is long', () => {
  const long = withPiece(nothing, piece(0, 'x'.repeat(400_000)), true)
  const { text, isCut } = withPiece(long, piece(400_000, 'end'), false)
  expect([text.length, text.slice(-4), isCut]).toEqual([400_000, 'xend', true])
})
