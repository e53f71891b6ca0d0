/** Controls and direction marks that JSON.stringify leaves as they are. */
const leftByStringify =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** JSON that is safe to print on a terminal: the same value, with such characters as `\u` escapes. */
export function jsonText(value: object, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    leftByStringify,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The same text as `jsonText(all, 2)` and a newline, piece by piece: a string ends at half a GB. */
export async function* jsonArrayText<T>(
  portions: AsyncIterable<readonly T[]>,
  jsonOf: (value: T) => object,
): AsyncIterable<string> {
  let before = '['
  for await (const values of portions)
    for (const value of values) {
      yield `${before}\n  ${jsonText(jsonOf(value), 2).replaceAll('\n', '\n  ')}`
      before = ','
    }
  yield before === '[' ? '[]\n' : '\n]\n'
}
