import { emptyAgentConfig, type AgentConfig } from '../../agent/config/agent-config.ts'
import { megabyte } from '../../model/bytes.ts'
import { whyNot } from '../../model/reading.ts'
import { groupId } from '../../sensors/group-id.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'

const usualPath = '/etc/jobmeter/agent.yaml'

/** What the configuration says: the file that is named, else the usual one of a node if there is one. */
export async function loadAgentConfig(
  system: System,
  named: string | undefined,
): Promise<AgentConfig> {
  if (named === undefined && system.files.isMissing(usualPath)) return emptyAgentConfig
  const path = named ?? usualPath
  const text = system.files.readUtf8(path, megabyte)
  if (text.kind !== 'ok') throw new UserError(whyNot(text), 'usage')
  // What reads YAML takes memory for as long as the agent lives: it is loaded only if there is a configuration.
  const { readAgentConfig } = await import('../../agent/config/read-agent-config.ts')
  const { specErrorLines } = await import('../../workflow/spec/problem.ts')
  const groups = new Map<string, number | undefined>()
  readAgentConfig(text.value, path, (name) => void groups.set(name, undefined))
  for (const name of groups.keys()) groups.set(name, await groupId(system, name))
  const read = readAgentConfig(text.value, path, (name) => groups.get(name))
  if (read.kind === 'ok') return read.value
  const what = read.errors.length === 1 ? 'an error' : `${read.errors.length} errors`
  throw new UserError(
    `${what} in the configuration\n${specErrorLines(read.errors).join('\n')}`,
    'usage',
  )
}
