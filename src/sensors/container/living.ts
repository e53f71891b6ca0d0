import { idIn, objectIn, textIn } from './json-values.ts'

/** Those that have no process, and get none by themselves. */
const over = new Set(['created', 'configured', 'initialized', 'exited', 'stopped', 'dead'])

/** The answer of `/containers/json`: ids of the containers that have not ended; undefined if it is no list. */
export function parseLiving(answer: unknown): readonly string[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer.map(objectIn).flatMap((container) => {
    const state = textIn(container['State'])
    const id = idIn(container['Id'])
    return id === null || (state !== null && over.has(state)) ? [] : [id]
  })
}
