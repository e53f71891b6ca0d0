import type * as z from 'zod'
import { readChecked, type Checked } from '../spec/read-checked.ts'
import { workerFile } from './definition.ts'

/** What a job is, as far as a worker decides by it. */
export interface JobKind {
  readonly user: string
  readonly tool: string
  /** A name to be looked for on the path, or a file. */
  readonly program: string
  readonly image: string
}

/** What the names in a file of rules stand for. */
export interface Meaning {
  /** Whether there is a tool of this name: it is run as it is defined there, whatever a job says. */
  hasTool(name: string): boolean
  /** Whether `program` of a job is what the rule names. */
  isProgram(named: string, program: string): boolean
}

/**
 * To those who are not on the machine of the worker, and see only names: what they do not rule out, the worker may. The file
 * that it finds always has the last part of the name.
 */
const byName: Meaning = {
  hasTool: () => true,
  isProgram: (named, program) => lastPart(named) === lastPart(program),
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Answers why a worker does not accept a job; undefined where it does. */
export interface WorkerRules {
  (kind: JobKind, meaning?: Meaning): string | undefined
  readonly limitsTools: boolean
  readonly limitsImages: boolean
  /** Where jobs may run and have files; undefined where that is not said, null where it is said to be anywhere. */
  readonly directories: readonly string[] | null | undefined
  /** Whether what is run is limited, so that no variable of a job may bring in anything else. */
  readonly limitsPrograms: boolean
  /** Whether jobs may set this variable. */
  allowsVariable(name: string): boolean
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
    expected: 'what the worker accepts: users, tools, commands, images, directories, environment',
    make: (file) => rulesOf(file, user),
  })

/** Without a file: jobs of the worker's own user, for they can do nothing that this user could not do without them. */
export const usualRules = (user: string): WorkerRules => rulesOf({}, user)

function rulesOf(file: z.infer<typeof workerFile>, user: string): WorkerRules {
  const { users = [user], tools, commands, images, directories, environment } = file
  const limitsPrograms = [tools, commands, images].some(isLimit)
  const variables = (environment ?? harmlessVariables).map(patternOf)
  const refusal = (kind: JobKind, meaning: Meaning = byName): string | undefined => {
    const { tool, program, image } = kind
    const isRun = (named: string): boolean => meaning.isProgram(named, program)
    if (!allows(users, kind.user)) return `this worker accepts no jobs of ${kind.user}`
    if (!allows(tools, tool)) return `this worker does not run the tool ${tool}`
    if (isLimit(tools) && !meaning.hasTool(tool) && !isRun(tool))
      return `this worker has no tool ${tool}, and ${program} is not the program of this name`
    if (isLimit(commands) && !commands.some(isRun)) return `this worker does not run ${program}`
    if (image !== '' && !allows(images, image)) return `this worker does not run the image ${image}`
    return undefined
  }
  return Object.assign(refusal, {
    limitsTools: isLimit(tools),
    limitsImages: isLimit(images),
    directories: directories?.includes('*') === true ? null : directories,
    limitsPrograms,
    allowsVariable: (name: string) =>
      !limitsPrograms || variables.some((pattern) => pattern.test(name)),
    text: JSON.stringify({ users, tools, commands, images, directories, environment }),
  })
}

/** What no program takes for code, or for a place where code is. */
const harmlessVariables = [
  'OMP_NUM_THREADS',
  'MKL_NUM_THREADS',
  'OPENBLAS_NUM_THREADS',
  'NUMEXPR_NUM_THREADS',
]

const patternOf = (name: string): RegExp => new RegExp(`^${name.replaceAll('*', '.*')}$`)

const isLimit = (names: readonly string[] | undefined): names is readonly string[] =>
  names !== undefined && !names.includes('*')

const allows = (names: readonly string[] | undefined, name: string): boolean =>
  !isLimit(names) || names.includes(name)
