import { isWaiting, type SlurmJobState } from '../../../slurm/job-state.ts'
import { parseSacctJson, parseSacctStates, sacctStates } from '../../../slurm/sacct-states.ts'
import { parseSqueueJson, parseSqueueStates, squeueStates } from '../../../slurm/squeue-states.ts'
import { programOutput, type ProgramEnd } from '../../../system/program-output.ts'
import type { System } from '../../../system/system.ts'

/** The controller of a large site may take long when it is busy. */
const longestSeconds = 60
/** A command line has room for some thousands. */
const mostNames = 500

/** Some 2,000 jobs. 22.05 answers in JSON with the whole queue: where that is long, columns spare the controller. */
const mostJsonCharacters = 8e6

/** A job that neither the controller nor the accounting knows for so long is over. */
export const forgottenSeconds = 120

/** What passes by itself: a busy controller, or limits on how many jobs may wait. */
const passing =
  /temporarily|timed out|unable to contact|connection refused|maxsubmit|job limit|try again|resource temporarily/i

interface SubmittedScript {
  readonly id: string
  readonly script: string
}

/** What Slurm answers to a command that did not do what was asked. */
export class SlurmRefusal extends Error {
  readonly mayPass: boolean

  constructor(command: string, { code, stderr }: ProgramEnd) {
    const said = stderr
      .trim()
      .replaceAll(/^(sbatch|scancel|squeue|sacct|sacctmgr|scontrol): (error: )?/gm, '')
      .split('\n')
      .filter(Boolean)
      .join('; ')
    const how = code === 'hangs' ? `did not answer for ${longestSeconds} s` : `ended with ${code}`
    super(
      `${command} ${code === 'not there' ? 'was not found' : said === '' ? how : `said: ${said}`}`,
    )
    this.mayPass = code === 'hangs' || passing.test(stderr)
  }
}

/** Slurm's own commands, as the user who runs us would call them. */
export class SlurmCommands {
  readonly #system: System
  readonly #environment: Readonly<Record<string, string | undefined>>
  /** JSON until it is refused, or not understood. */
  #squeueForm: 'json' | 'text' = 'json'
  #sacctForm: 'json' | 'text' | 'none' = 'json'

  constructor(system: System, environment: Readonly<Record<string, string | undefined>>) {
    this.#system = system
    this.#environment = environment
  }

  /** Answers the number of the job. */
  async submit(script: string, options: readonly string[], directory: string): Promise<string> {
    const command = ['sbatch', '--parsable', ...options, script]
    const text = await this.#call(command, directory)
    const id = /^(\d+)/m.exec(text)?.[1]
    if (id === undefined) throw new Error(`sbatch said: ${text.trim()}`)
    return id
  }

  /** The number of the job, or array, that has this script, where the controller knows one. */
  async submittedFrom(script: string): Promise<string | undefined> {
    return (await this.#scripts('all')).find((job) => job.script === script)?.id
  }

  /** Jobs of ours that wait or run, with the scripts that they were submitted from. */
  alive(): Promise<readonly SubmittedScript[]> {
    return this.#scripts('PENDING,RUNNING,SUSPENDED')
  }

  /** Jobs that are over, or unknown, are no trouble. */
  async cancel(names: readonly string[], options: readonly string[] = []): Promise<void> {
    for (let at = 0; at < names.length; at += mostNames)
      await this.#call(['scancel', ...options, ...names.slice(at, at + mostNames)]).catch(() => '')
  }

  /** How our jobs stand: what the controller knows, by name and by number. */
  async known(): Promise<Map<string, SlurmJobState>> {
    return byNames(await this.#queued(this.#system.host.user))
  }

  /** How any job stands, whoever it belongs to; undefined where nobody knows it. */
  async stateOf(job: string): Promise<SlurmJobState | undefined> {
    // In columns, for which the controller looks up this one alone: 22.05 would print the whole queue in JSON.
    const text = await this.#call(squeueStates({ job }, 'text')).catch(() => '')
    return byNames(parseSqueueStates(text)).get(job) ?? (await this.remembered([job])).get(job)
  }

  /** What `squeue` has in these columns for one job. */
  async fieldsOf(job: string, fields: readonly string[]): Promise<readonly string[]> {
    const answers: string[] = []
    // One at a time: names of jobs hold what their users like.
    for (const field of fields) {
      const command = ['squeue', '--noheader', '--states=all', `--jobs=${job}`]
      const text = await this.#call([...command, `--Format=${field}:400`]).catch(() => '')
      answers.push(text.split('\n')[0]?.trim() ?? '')
    }
    return answers
  }

  /** Leaves a word with a job that stays in the accounting; only operators of Slurm may. */
  async comment(job: string, text: string): Promise<void> {
    const set = `AdminComment=${text}`
    // The controller takes it as long as the job is not over; the accounting after that.
    await this.#call(['scontrol', 'update', `JobId=${job}`, set]).catch(() =>
      this.#call(['sacctmgr', '--immediate', 'modify', 'job', 'where', `jobid=${job}`, 'set', set]),
    )
  }

  /** What the accounting prints in these columns for jobs with all their steps, with headings. */
  accounts(jobs: readonly string[], fields: readonly string[]): Promise<string> {
    const command = ['sacct', '--parsable2', `--jobs=${jobs.join(',')}`]
    return this.#call([...command, `--format=${fields.join(',')}`])
  }

  /** The same of jobs that the controller has forgotten; none where there is no accounting. */
  async remembered(names: readonly string[]): Promise<Map<string, SlurmJobState>> {
    const found: SlurmJobState[] = []
    for (let at = 0; at < names.length && this.#sacctForm !== 'none'; at += mostNames)
      found.push(...(await this.#accounted(names.slice(at, at + mostNames))))
    return byNames(found)
  }

  async #scripts(states: string): Promise<readonly SubmittedScript[]> {
    const { user } = this.#system.host
    const words = ['--noheader', `--states=${states}`, `--user=${user}`, '--format=%F %o']
    const lines = (await this.#call(['squeue', ...words])).split('\n')
    return lines.map((line) => {
      const [id = '', ...script] = line.trimEnd().split(' ')
      return { id, script: script.join(' ') }
    })
  }

  async #queued(user: string): Promise<SlurmJobState[]> {
    if (this.#squeueForm === 'json') {
      const text = await this.#json(squeueStates({ user }, 'json'))
      const states = parseSqueueJson(text, user)
      if (states === undefined || text.length > mostJsonCharacters) this.#squeueForm = 'text'
      if (states !== undefined) return states
    }
    return parseSqueueStates(await this.#call(squeueStates({ user }, 'text')))
  }

  async #accounted(names: readonly string[]): Promise<SlurmJobState[]> {
    try {
      if (this.#sacctForm === 'json') {
        const states = parseSacctJson(await this.#json(sacctStates(names, 'json')))
        if (states !== undefined) return states
        this.#sacctForm = 'text'
      }
      return parseSacctStates(await this.#call(sacctStates(names, 'text')))
    } catch (error) {
      // Without accounting it says so at once; else it may answer the next time.
      if (error instanceof SlurmRefusal && /accounting storage is disabled/i.test(error.message))
        this.#sacctForm = 'none'
      return []
    }
  }

  /** Nothing where JSON is not to be had; one that is too busy to answer has not refused it. */
  #json(command: readonly string[]): Promise<string> {
    return this.#call(command).catch((error: unknown) => {
      if (error instanceof SlurmRefusal && error.mayPass) throw error
      return ''
    })
  }

  async #call(command: readonly string[], directory = '/'): Promise<string> {
    const environment = {
      ...this.#environment,
      LC_ALL: 'C',
      SLURM_TIME_FORMAT: undefined,
      // Which elements of an array wait is told in full, however many ranges they are.
      SLURM_BITSTR_LEN: '0',
    }
    const program = { command, environment, workingDirectory: directory }
    const end = await programOutput(this.#system.processes, program, longestSeconds)
    if (end.code !== 0) throw new SlurmRefusal(command[0] ?? '', end)
    return end.stdout
  }
}

/** By both. Elements of an array that have not started have the number of the array, which one of them gets at last. */
function byNames(states: readonly SlurmJobState[]): Map<string, SlurmJobState> {
  const found = new Map<string, SlurmJobState>()
  for (const state of states) {
    found.set(state.name, state)
    const isUnstarted = isWaiting(state) && state.name.startsWith(`${state.id}_`)
    if (!isUnstarted) found.set(state.id, state)
  }
  return found
}
