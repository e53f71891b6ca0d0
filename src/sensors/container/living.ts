import { hasLabel, idIn, objectIn, textIn } from './json-values.ts'

/** Those that have no process, and get none by themselves. */
const over = new Set(['created', 'configured', 'initialized', 'exited', 'stopped', 'dead'])

/** A container in a list. */
export interface ListedContainer {
  readonly id: string
  readonly imageId: string | null
}

/** The answer of `/containers/json`: the containers with a label that have not ended; undefined if it is no list. */
export function parseLiving(
  answer: unknown,
  label: string,
): readonly ListedContainer[] | undefined {
  return listedWhere(answer, label, (state) => state === null || !over.has(state))
}

/** Those that were made and never started; podman says `configured` or `initialized`. */
export function parseUnstarted(
  answer: unknown,
  label: string,
): readonly ListedContainer[] | undefined {
  return listedWhere(answer, label, (state) => state !== null && unstarted.has(state))
}

const unstarted = new Set(['created', 'configured', 'initialized'])

/** What is listed is ended or removed: that the daemon, or what stands before it, heeds the filter is not taken on trust. */
function listedWhere(
  answer: unknown,
  label: string,
  isWanted: (state: string | null) => boolean,
): readonly ListedContainer[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer.map(objectIn).flatMap((container) => {
    const id = idIn(container['Id'])
    const isOwn = hasLabel(objectIn(container['Labels']), label)
    const isListed = id !== null && isOwn && isWanted(textIn(container['State']))
    return isListed ? [{ id, imageId: textIn(container['ImageID']) }] : []
  })
}
