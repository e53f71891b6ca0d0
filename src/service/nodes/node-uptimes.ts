import { hostUptimes, type HostUptime, type UptimeQuestion } from '../../analysis/node/gaps.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'

/** When each host was looked at, and the gaps; of all hosts if none is named. */
export async function nodeUptimes(
  reader: NodeQuestions,
  question: UptimeQuestion,
  hosts: readonly string[],
): Promise<readonly HostUptime[]> {
  const only = hosts.length === 1 ? hosts[0] : undefined
  const stretches = await reader.stretches(question.from, question.to, only)
  const seen = stretches.filter(({ host }) => hosts.length === 0 || hosts.includes(host))
  return hostUptimes(seen, await reader.boots(), question)
}
