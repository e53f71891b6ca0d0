import type { Requirements } from './job.ts'

/** Reads what `requestMark` writes. Null where the text says nothing that can be told apart: anybody may have written it. */
export function parseRequestMark(text: string): Requirements | null {
  const told = new Map<string, number>()
  for (const part of text.slice(0, 200).split(',')) {
    const [name = '', digits = ''] = part.split('=', 2)
    if (/^\d{1,16}(?:\.\d{1,16})?$/.test(digits)) told.set(name, Number(digits))
  }
  const asked = {
    cpus: told.get('cpus') ?? null,
    memoryBytes: told.get('memory') ?? null,
    gpus: told.get('gpus') ?? null,
    runtimeSeconds: told.get('runtime') ?? null,
  }
  return Object.values(asked).every((value) => value === null) ? null : asked
}
