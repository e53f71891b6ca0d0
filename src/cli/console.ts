import { colourStyle, plainStyle, type Style } from '../render/style.ts'
import { realOutput } from '../system/real-output.ts'

/** In characters: what a pipe holds, so that its reader has something to do meanwhile. */
const piecesPerWrite = 65_536

/** Where commands print. */
export class Console {
  /** Facts, to standard output. */
  print(text: string | Uint8Array): void {
    // A reader that has gone away, such as `head`, has seen enough: not an error.
    if (!realOutput.write(1, text)) process.exit(0)
  }

  /** The same of what comes piece by piece, in as few writes as memory allows. */
  printAll(pieces: Iterable<string>): void {
    let gathered = ''
    for (const piece of pieces) {
      gathered += piece
      if (gathered.length < piecesPerWrite) continue
      this.print(gathered)
      gathered = ''
    }
    this.print(gathered)
  }

  /** Words about the work, to standard error. */
  note(text: string): void {
    realOutput.write(2, text)
  }

  complain(message: string): void {
    this.note(`jobmeter: ${message}\n`)
  }

  /** Colours only on a terminal, and only if nobody objects (https://no-color.org). */
  style(descriptor: 1 | 2): Style {
    const refused = (process.env['NO_COLOR'] ?? '') !== '' || process.env['TERM'] === 'dumb'
    return !refused && realOutput.isTerminal(descriptor) ? colourStyle : plainStyle
  }
}
