import type { PrintedPiece } from '../../service/queue/follow-logs.ts'
import type { Console } from '../terminal/console.ts'

/**
 * Prints what a job wrote, and answers whether that was anything. Byte for byte, but for terminals: whoever reads the logs of
 * others there is not to have them take over the screen.
 */
export async function printPieces(
  pieces: AsyncIterable<PrintedPiece>,
  console: Console,
  { isStderrApart }: { readonly isStderrApart: boolean },
): Promise<boolean> {
  // A character may be in two pieces.
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  let hasPrinted = false
  for await (const { stream, bytes, skippedBytes } of pieces) {
    hasPrinted = true
    if (skippedBytes > 0) console.complain(`${skippedBytes} bytes before this are not kept`)
    const isNote = stream === 'stderr' && isStderrApart
    if (isNote) console.note(decoders.stderr.decode(bytes, { stream: true }))
    else if (console.isTerminal(1)) console.print(decoders[stream].decode(bytes, { stream: true }))
    else console.printBytes(bytes)
  }
  console.note(decoders.stderr.decode())
  console.print(decoders.stdout.decode())
  return hasPrinted
}
