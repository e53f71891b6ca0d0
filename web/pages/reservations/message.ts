import { exactShare } from '../../../src/render/units/figures.ts'
import { hoursWords } from './hours-words.ts'
import type { Reservations } from '../../../src/server/schemas/node.ts'

type Person = Reservations['to_talk_to'][number]

const hour = 3600
/** Less than this share used is worth a sentence. */
const wellUsed = 0.75

const many = (count: number, one: string, more: string): string =>
  `${count} ${count === 1 ? one : more}`

/** Why somebody stands in the list, in few words each. */
export function reasons(person: Person): string[] {
  const {
    idle_gpus: idle,
    violations,
    unused_core_seconds: cores,
    unused_gpu_seconds: gpus,
  } = person
  return [
    ...(idle > 0 ? [`holds ${many(idle, 'GPU', 'GPUs')} idle now`] : []),
    ...(gpus >= hour ? [`${hoursWords(gpus / hour)} GPU-hours unused`] : []),
    ...(cores >= hour ? [`${hoursWords(cores / hour)} core-hours unused`] : []),
    ...(violations > 0 ? [many(violations, 'finding', 'findings')] : []),
  ]
}

/** A friendly word to send: the figures, why they matter, and what to do. */
export function messageTo(person: Person, when: string): string {
  const { user, idle_gpus: idle, violations, use } = person
  const parts: string[] = []
  if (use !== null && use.cpu_share !== null && use.cpu_share < wellUsed)
    parts.push(
      `${when} your ${many(use.jobs, 'job', 'jobs')} reserved ${hoursWords(use.reserved_core_seconds / hour)} core-hours and used ${exactShare(use.cpu_share)} of them.`,
    )
  if (use !== null && use.gpu_share !== null && use.gpu_share < wellUsed)
    parts.push(
      `Of ${hoursWords(use.reserved_gpu_seconds / hour)} GPU-hours that they held they used ${exactShare(use.gpu_share)}.`,
    )
  if (idle > 0)
    parts.push(
      `Right now they hold ${many(idle, 'GPU that does', 'GPUs that do')} nothing; please look whether they still need ${idle === 1 ? 'it' : 'them'}.`,
    )
  if (violations > 0)
    parts.push(
      `The policies of the nodes have ${many(violations, 'finding', 'findings')} about them.`,
    )
  parts.push(
    `Others cannot use what is reserved, and smaller requests start sooner: \`jobmeter ps --user ${user} --from 7d\` shows what each job used.`,
  )
  const text = parts.join(' ')
  return `Hello ${user}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
