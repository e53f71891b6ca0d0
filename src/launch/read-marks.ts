import { markLimits } from '../model/marks/mark.ts'
import { parseMarks, type MarksFound, type Sighting } from '../model/marks/parse-marks.ts'
import type { Files } from '../system/system.ts'

/**
 * What a job wrote to its file of marks, which is removed. A job may have put anything there: what is no plain file is not
 * opened, and of one that is too long only the beginning is read.
 */
export function readMarks(
  files: Files,
  path: string,
  sightings: readonly Sighting[],
  life: { readonly startedAt: number; readonly endedAt: number },
): MarksFound {
  const descriptor = files.openLog(path)
  try {
    return descriptor < 0
      ? { marks: [], trouble: `${path} is not a plain file` }
      : parseMarks(contentOf(files, descriptor), sightings, life)
  } finally {
    if (descriptor >= 0) files.close(descriptor)
    files.removeFile(path)
  }
}

function contentOf(files: Files, descriptor: number): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  while (length < markLimits.fileBytes) {
    const part = new Uint8Array(Math.min(65_536, markLimits.fileBytes - length))
    const read = files.readFrom(descriptor, length, part)
    if (read <= 0) break
    parts.push(part.subarray(0, read))
    length += read
  }
  return Buffer.concat(parts)
}
