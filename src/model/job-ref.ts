import { jobKinds, type JobKind } from './node-round.ts'
import type { SeenJob } from './seen-job.ts'

/** What people call a job that the agent saw: `slurm:4711`, `session:812-7@node01`, or `node:12` by its row. */
export type JobRef =
  | { readonly rowId: number }
  | { readonly kind: JobKind; readonly id: string; readonly host: string | null }

/** Undefined for whatever is not called so: names and ids of jobs that jobmeter itself ran. */
export function parseJobRef(text: string): JobRef | undefined {
  const row = /^node:(\d{1,15})$/.exec(text)?.[1]
  if (row !== undefined) return { rowId: Number(row) }
  const [, word, id = ''] = /^([a-z-]+):(.+)$/s.exec(text) ?? []
  const kind = jobKinds.find((one) => one === word)
  return kind === undefined ? undefined : { kind, id, host: null }
}

/** The same where the last part is taken for the name of a host; ids may have an @ in them too. */
export function withHost(ref: JobRef): JobRef | undefined {
  if ('rowId' in ref) return undefined
  const at = ref.id.lastIndexOf('@')
  return at <= 0 ? undefined : { ...ref, id: ref.id.slice(0, at), host: ref.id.slice(at + 1) }
}

/** Ids of containers and attempts are long, and their beginning tells them apart. */
const longestId = 32
const shortLength = 12

/** As `ps` prints it, and as it can be typed. */
export const refOf = ({ kind, id }: Pick<SeenJob, 'kind' | 'id'>): string =>
  `${kind}:${id.length > longestId ? id.slice(0, shortLength) : id}`

/** With the host, for where a job must be told from one of the same name elsewhere. */
export const fullRefOf = (job: Pick<SeenJob, 'kind' | 'id' | 'host'>): string =>
  `${refOf(job)}@${job.host}`
