/** What reads lines from standard input is told of each, and of their end. */
export interface LineReader {
  line(text: string): void
  /** A line was longer than it may be; the rest of it is skipped. */
  tooLong(): void
  end(): void
}

/** Reads standard input line by line until it ends, and keeps the program alive meanwhile. */
export function readInputLines(mostCharacters: number, reader: LineReader): void {
  let pending = ''
  let isSkipping = false
  const take = (text: string): void => {
    if (!isSkipping) reader.line(text)
    isSkipping = false
  }
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text: string) => {
    pending += text
    const lines = pending.split('\n')
    pending = lines.pop() ?? ''
    lines.forEach(take)
    if (pending.length <= mostCharacters) return
    if (!isSkipping) reader.tooLong()
    isSkipping = true
    pending = ''
  })
  process.stdin.on('end', () => {
    if (pending !== '') take(pending)
    reader.end()
  })
  process.stdin.on('error', () => reader.end())
}

/** Of the process that started this one, or took it over when that ended. */
export const parentPid = (): number => process.ppid
