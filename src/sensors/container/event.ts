import { countIn, exitCodeIn, idIn, objectIn, textIn, type JsonObject } from './json-values.ts'

/** What happened to a container, as `/events` tells it. */
export interface ContainerEvent {
  readonly id: string
  readonly name: string | null
  /** `create`, `start`, `oom`, `die`, `destroy` and others. */
  readonly action: string
  readonly exitCode: number | null
  /** In seconds since 1970. */
  readonly atSeconds: number | null
  /** What else is told of the container, with its labels. */
  readonly attributes: JsonObject
}

/** One line of `/events`; undefined for what is not an event of a container. */
export function parseEvent(line: string): ContainerEvent | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(line)
  } catch {
    return undefined
  }
  const event = objectIn(answer)
  if (event['Type'] !== 'container') return undefined
  const actor = objectIn(event['Actor'])
  const id = idIn(actor['ID'])
  const action = textIn(event['Action'])
  if (id === null || action === null) return undefined
  const attributes = objectIn(actor['Attributes'])
  const code = textIn(attributes['exitCode'])
  const nanoseconds = countIn(event['timeNano'])
  return {
    id,
    name: textIn(attributes['name']),
    action,
    exitCode: code !== null && /^\d+$/.test(code) ? exitCodeIn(Number(code)) : null,
    atSeconds: Number.isNaN(nanoseconds) ? null : nanoseconds / 1e9,
    attributes,
  }
}
