import { colourStyle, plainStyle, type Style } from '../render/style.ts'
import { realOutput } from '../system/real-output.ts'

/** Where commands print. */
export class Console {
  /** Facts, to standard output. */
  print(text: string | Uint8Array): void {
    // A reader that has gone away, such as `head`, has seen enough: not an error.
    if (!realOutput.write(1, text)) process.exit(0)
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
