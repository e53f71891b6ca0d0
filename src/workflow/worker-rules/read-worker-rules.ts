import type * as z from 'zod'
import { readChecked, type Checked } from '../spec/read-checked.ts'
import { workerFile } from './definition.ts'

/** What a job is, as far as a worker decides by it. */
export interface JobKind {
  readonly user: string
  readonly tool: string
  readonly program: string
  readonly image: string
}

/** Answers why a worker does not accept a job; undefined where it does. */
export interface WorkerRules {
  (kind: JobKind): string | undefined
  /** The same as a file, for others to be told of. */
  readonly text: string
}

/** Reads the file of a worker of this user, or all that is wrong with it. */
export const readWorkerRules = (
  text: string,
  fileName: string,
  user: string,
): Checked<WorkerRules> =>
  readChecked(text, fileName, workerFile, {
    expected: 'what the worker accepts: users, tools, commands, images',
    make: (file) => rulesOf(file, user),
  })

/** Without a file: jobs of the worker's own user, for they can do nothing that this user could not do without them. */
export const usualRules = (user: string): WorkerRules => rulesOf({}, user)

function rulesOf(file: z.infer<typeof workerFile>, user: string): WorkerRules {
  const { users = [user], tools, commands, images } = file
  const refusal = (kind: JobKind): string | undefined => {
    if (!allows(users, kind.user)) return `this worker accepts no jobs of ${kind.user}`
    if (!allows(tools, kind.tool)) return `this worker does not run the tool ${kind.tool}`
    if (!allows(commands, kind.program)) return `this worker does not run ${kind.program}`
    if (kind.image !== '' && !allows(images, kind.image))
      return `this worker does not run the image ${kind.image}`
    return undefined
  }
  return Object.assign(refusal, { text: JSON.stringify({ users, tools, commands, images }) })
}

const allows = (names: readonly string[] | undefined, name: string): boolean =>
  names === undefined || names.includes('*') || names.includes(name)
