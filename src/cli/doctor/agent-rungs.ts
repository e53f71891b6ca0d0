import type { AgentConfig } from '../../agent/config/agent-config.ts'
import { openTaskstats } from '../../agent/processes/taskstats-records.ts'
import { whyNot } from '../../model/reading.ts'
import type { Rung } from '../../model/doctor.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import { loadAgentConfig } from '../node/agent-config.ts'
import { agentDatabase } from '../node/node-options.ts'

/** What `jobmeter agent` can see besides; a scheduler that is not installed is no fault. */
export async function agentRungs(system: System): Promise<Rung[]> {
  const config = await configOf(system)
  return [
    endsRung(system),
    ...(await slurmRungs(system, config)),
    ...(typeof config === 'string' ? [] : await sentRungs(system, config)),
  ]
}

/** Of metrics that are sent elsewhere. */
async function sentRungs(system: System, { database, remote }: AgentConfig): Promise<Rung[]> {
  if (remote.length === 0) return []
  const { remoteRungs } = await import('./remote-rungs.ts')
  return remoteRungs('agent', agentDatabase(system, database ?? undefined), remote, system.clock)
}

function endsRung(system: System): Rung {
  const name = 'agent: processes that end between two rounds'
  const ends = openTaskstats(system)
  if (ends.kind !== 'ok')
    return {
      name,
      state: 'partly',
      finding: `${whyNot(ends)}: what they used counts for the job of their parent`,
      remedy: 'run jobmeter agent as root',
    }
  ends.value.close()
  return { name, state: 'yes', finding: 'taskstats: each with its user and command', remedy: null }
}

async function slurmRungs(system: System, config: AgentConfig | string): Promise<Rung[]> {
  const name = 'agent: requests of Slurm jobs'
  if (typeof config === 'string')
    return [{ name, state: 'no', finding: config, remedy: 'mend the configuration of the agent' }]
  const told = await system.toolOutput(['squeue', '--version'], config.slurm)
  if (told.kind === 'unavailable') return []
  if (told.kind === 'ok')
    return [
      {
        name,
        state: 'yes',
        finding: `squeue, and sacct for jobs that are over: ${told.value.trim()}`,
        remedy: null,
      },
    ]
  return [
    {
      name,
      state: 'no',
      finding: `Slurm is installed, but does not answer: ${told.error}`,
      remedy:
        'name its configuration in /etc/jobmeter/agent.yaml: slurm: { conf: /path/slurm.conf }',
    },
  ]
}

/** What is wrong with it, where something is. */
async function configOf(system: System): Promise<AgentConfig | string> {
  try {
    return await loadAgentConfig(system, undefined)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}
