import { MalformedRow } from '../../errors.ts'
import { number, type Row } from '../../sqlite/row.ts'
import { unpackChunk, type PackedSeries } from '../chunk/chunk.ts'

/** What is held in memory at once: a sample a second for seven weeks. A gibibyte. */
const mostFigures = 2 ** 27

/**
 * Rows of `first_row`, `row_count` and `packed`, unpacked. Others get their turn between any two of them: nobody who asks for
 * a long series keeps a server from all others. What is damaged is told, and is never a figure.
 */
export async function unpackRows(taskId: string, rows: readonly Row[]): Promise<PackedSeries[]> {
  const all: PackedSeries[] = []
  let figures = 0
  for (const row of rows) {
    const parts = unpackRow(taskId, row)
    figures += parts.reduce((sum, { count, columns }) => sum + count * columns.length, 0)
    if (figures > mostFigures)
      throw new MalformedRow(
        `task ${taskId} has more samples than can be read at once: ask for a shorter time`,
      )
    all.push(...parts)
    await new Promise<void>((turn) => void setImmediate(turn))
  }
  return all
}

function unpackRow(taskId: string, row: Row): PackedSeries[] {
  const first = number(row, 'first_row')
  const count = number(row, 'row_count')
  try {
    return unpackChunk(packedBytes(row['packed']), count)
  } catch (error) {
    if (!(error instanceof MalformedRow)) throw error
    throw new MalformedRow(
      `samples ${first + 1} to ${first + count} of task ${taskId} are damaged: ${error.message}`,
    )
  }
}

function packedBytes(packed: Row[string] | undefined): Buffer {
  if (!(packed instanceof Uint8Array)) throw new MalformedRow('they are not there')
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
}
