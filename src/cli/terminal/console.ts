import { printableText } from '../../render/text/printable.ts'
import { colourStyle, plainStyle, type Style } from '../../render/text/style.ts'
import { realOutput } from '../../system/real-output.ts'

/** In characters: what a pipe holds, so that its reader has something to do meanwhile. */
const piecesPerWrite = 65_536

/**
 * Where commands print, and the one door to the terminal: what is printed here cannot move the cursor, change colours or
 * forge what is on the screen, whoever wrote it. Only bytes, which are a job's own output, go through as they are.
 */
export class Console {
  /**
   * Facts, to standard output. False if the reader has gone away, as `head` does when it has seen enough: that is not an
   * error, and says nothing about how the command ends.
   */
  print(text: string): boolean {
    return realOutput.write(1, this.#safe(1, text))
  }

  /** A job's own output, byte for byte. Without a reader nothing is left to do, and the program ends. */
  printBytes(bytes: Uint8Array): void {
    if (!realOutput.write(1, bytes)) process.exit(0)
  }

  /** Prints what comes piece by piece, in as few writes as memory allows, until nobody reads it. */
  printAll(pieces: Iterable<string>): void {
    let gathered = ''
    for (const piece of pieces) {
      gathered += piece
      if (gathered.length < piecesPerWrite) continue
      if (!this.print(gathered)) return
      gathered = ''
    }
    this.print(gathered)
  }

  /** As `printAll`, for pieces that have to be waited for. */
  async printEach(pieces: AsyncIterable<string>): Promise<void> {
    let gathered = ''
    for await (const piece of pieces) {
      gathered += piece
      if (gathered.length < piecesPerWrite) continue
      if (!this.print(gathered)) return
      gathered = ''
    }
    this.print(gathered)
  }

  /** Words about the work, to standard error. */
  note(text: string): void {
    realOutput.write(2, this.#safe(2, text))
  }

  complain(message: string): void {
    this.note(`jobmeter: ${message}\n`)
  }

  /**
   * Takes back the last lines on standard error, or, of none, the line that the cursor is in. That need not be at its
   * beginning: a terminal writes `^C` where somebody pressed Ctrl-C.
   */
  erase(lines: number): void {
    realOutput.write(2, lines > 0 ? `\r\u001b[${lines}A\u001b[J` : '\r\u001b[K')
  }

  /** Colours only on a terminal, and only if nobody objects (https://no-color.org). */
  style(descriptor: 1 | 2): Style {
    const refused = (process.env['NO_COLOR'] ?? '') !== '' || process.env['TERM'] === 'dumb'
    return !refused && this.isTerminal(descriptor) ? colourStyle : plainStyle
  }

  isTerminal(descriptor: 1 | 2): boolean {
    return realOutput.isTerminal(descriptor)
  }

  /** How many columns standard output has; null where it is no terminal, and nothing needs to fit. */
  get width(): number | null {
    // Asked of the terminal alone: a pipe would be switched to another mode.
    return this.isTerminal(1) ? process.stdout.columns || null : null
  }

  #safe(descriptor: 1 | 2, text: string): string {
    // Asked only where there may be some: nearly no text has any.
    const hasColours = text.includes('\u001b') && this.style(descriptor) === colourStyle
    return printableText(text, hasColours)
  }
}
