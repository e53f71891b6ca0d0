/** A part of a file. */
export interface Part {
  readonly from: number
  /** The byte after the last. */
  readonly to: number
}

/** `undefined`: not one that is understood, which is passed over, as the standard has it; several parts at once are not. */
export function partOf(header: string, size: number): Part | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { from: size - length, to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= size) return 'none'
  return { from, to: last === '' ? size : Math.min(size, Number(last) + 1) }
}
