import { count } from '../../model/count.ts'
import { saysEndedLeft, type Straggler } from '../../model/outcome.ts'
import { formatBytes, formatCount, formatSeconds } from '../units/figures.ts'
import { commandLine, printable } from '../text/printable.ts'
import type { RecordJson, RequirementsJson } from './record-json.ts'

/** What a record knows of a job besides its figures: one line for each thing it knows. */
export function jobFacts(job: RecordJson): string[] {
  const memory = job.machine_memory_bytes
  const machine = `${count(job.cores, 'core')}${memory === null ? '' : `, ${formatBytes(memory)}`}`
  const facts: [string, string][] = [
    ['Name', printable(job.name)],
    ['Command', commandLine(job.command)],
    ['Directory', printable(job.working_directory)],
    ['Tags', job.tags.map(printable).join(', ')],
    ['Job ID', job.job_id === null ? '' : `${job.job_id}, attempt ${job.attempt}`],
    ['User', printable(job.user)],
    ['Host', `${printable(job.host)} (${machine})`],
    ['Asked For', requirementsText(job.requirements)],
    ['Signal', printable(job.signal ?? '')],
    ['Left Behind', job.stragglers.map(stragglerText).join(', ')],
    ['Note', saysEndedLeft(job.reason) ? job.reason : ''],
    ['Samples', samplesText(job)],
  ]
  return facts.filter(([, fact]) => fact !== '').map(([name, fact]) => `${name}: ${fact}`)
}

export const stragglerText = ({ pid, command }: Straggler): string => `${pid} ${printable(command)}`

function requirementsText(asked: RequirementsJson): string {
  const parts = [
    asked.cpus === null ? null : `${asked.cpus} core${asked.cpus === 1 ? '' : 's'}`,
    asked.memory_bytes === null ? null : `${formatBytes(asked.memory_bytes)} memory`,
    asked.gpus === null ? null : count(asked.gpus, 'GPU'),
    asked.runtime_seconds === null ? null : `${formatSeconds(asked.runtime_seconds)} at most`,
  ]
  return parts.filter((part) => part !== null).join(', ')
}

function samplesText({ samples }: RecordJson): string {
  if (samples.interval_seconds === null) return 'none: it was not watched'
  const cost = samples.own_cpu_seconds
  const parts = [
    formatCount(samples.collected),
    `one every ${formatSeconds(samples.interval_seconds)}`,
    `${formatCount(samples.late)} late`,
    cost === null ? null : `watching cost ${formatSeconds(cost)} CPU`,
  ]
  return parts.filter((part) => part !== null).join(', ')
}
