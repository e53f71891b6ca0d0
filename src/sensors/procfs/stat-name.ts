const openParenthesis = 40
const closeParenthesis = 41
/** As in `stat.ts`: the name ends near the start of the line. */
const longestName = 63

const decoder = new TextDecoder()

/** The name of the thread that a line of /proc/PID/task/TID/stat tells of; empty where there is none. */
export function statName(bytes: Uint8Array, length: number): string {
  const start = bytes.subarray(0, length).indexOf(openParenthesis) + 1
  if (start === 0) return ''
  const end = bytes.subarray(start, Math.min(length, start + longestName + 1))
  const size = end.lastIndexOf(closeParenthesis)
  return size <= 0 ? '' : decoder.decode(end.subarray(0, size))
}
