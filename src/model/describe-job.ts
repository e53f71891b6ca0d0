import { toolAndScript } from './command-line.ts'
import { noRequirements, type Job, type Requirements } from './job.ts'

export interface KnownOfJob {
  readonly workingDirectory: string
  readonly name?: string | undefined
  readonly tool?: string | undefined
  readonly script?: string | undefined
  readonly params?: Job['params'] | undefined
  readonly tags?: readonly string[] | undefined
  readonly requirements?: Partial<Requirements> | undefined
}

/** A job of what is known of it; what is not is told from its command. */
export function describeJob(command: readonly string[], known: KnownOfJob): Job {
  const told = toolAndScript(command)
  const tool = known.tool ?? told.tool
  const script = known.script ?? told.script
  return {
    name: known.name ?? script ?? tool,
    tool,
    script,
    params: known.params ?? {},
    tags: known.tags ?? [],
    command,
    workingDirectory: known.workingDirectory,
    requirements: { ...noRequirements, ...known.requirements },
  }
}
