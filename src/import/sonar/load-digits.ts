const first = '(){}[]<>+-abcdefghijklmnopqrstuvwxyz!@#$%^&*_'
const later = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ~|';:.?/`"
const base = 45

/**
 * The seconds of each core since the boot, from the `load` field: numbers in base 45, the smallest digit first, each begun by
 * a digit of a set of its own. The first number is added to all others. Undefined for any other text.
 */
export function coreSecondsOf(text: string): readonly number[] | undefined {
  const numbers: number[] = []
  let factor = 0
  for (const character of text) {
    const begins = first.indexOf(character)
    if (begins >= 0) {
      numbers.push(begins)
      factor = base
      continue
    }
    const digit = later.indexOf(character)
    const last = numbers.pop()
    if (digit < 0 || last === undefined || factor > Number.MAX_SAFE_INTEGER / base) return undefined
    numbers.push(last + digit * factor)
    factor *= base
  }
  const [least, ...cores] = numbers
  return least === undefined ? undefined : cores.map((seconds) => seconds + least)
}
