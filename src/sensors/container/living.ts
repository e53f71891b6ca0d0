import { idIn, objectIn, textIn } from './json-values.ts'

/** Those that have no process, and get none by themselves. */
const over = new Set(['created', 'configured', 'initialized', 'exited', 'stopped', 'dead'])

/** The answer of `/containers/json`: ids of the containers that have not ended; undefined if it is no list. */
export function parseLiving(answer: unknown): readonly string[] | undefined {
  return idsWhere(answer, (state) => state === null || !over.has(state))
}

/** Those that were made and never started; podman says `configured` or `initialized`. */
export function parseUnstarted(answer: unknown): readonly string[] | undefined {
  return idsWhere(answer, (state) => state !== null && unstarted.has(state))
}

const unstarted = new Set(['created', 'configured', 'initialized'])

function idsWhere(
  answer: unknown,
  isWanted: (state: string | null) => boolean,
): readonly string[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer.map(objectIn).flatMap((container) => {
    const id = idIn(container['Id'])
    return id === null || !isWanted(textIn(container['State'])) ? [] : [id]
  })
}
