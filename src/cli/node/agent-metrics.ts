import type { RemoteState } from '../../model/remote-state.ts'
import type { MetricFamily } from '../../render/metrics/family.ts'
import { agentFamilies } from '../../render/metrics/metrics-text.ts'
import { nodesByRounds, openViolations } from '../../service/metrics/node-states.ts'
import { questionsOfFile } from '../../store/node/node-questions.ts'
import type { NodeReader } from '../../store/node/node-reader.ts'

/** All that an agent sends. In a file of its own: an agent that sends nothing does not load it. */
export async function agentMetrics(
  reader: NodeReader,
  states: readonly RemoteState[],
  now: number,
): Promise<readonly MetricFamily[]> {
  const node = questionsOfFile(reader)
  const nodes = await nodesByRounds(node, now)
  return agentFamilies({ nodes, violations: await openViolations(node, now) }, states)
}
