import type { NotJudged, Violation } from '../../model/violation.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import type { JudgedHost } from '../../store/node/violation-query.ts'

/** Which violations are asked for; an empty list asks for all. */
export interface HogsQuery {
  readonly policies: readonly string[]
  readonly users: readonly string[]
  readonly hosts: readonly string[]
  readonly from: number
  readonly to: number
}

export interface Hogs {
  readonly violations: readonly Violation[]
  readonly notJudged: readonly NotJudged[]
}

/** Who broke a policy, and what could not be judged. */
export async function findHogs(reader: NodeQuestions, query: HogsQuery): Promise<Hogs> {
  const judged = await reader.judgedHosts()
  return {
    violations: await reader.violations(query),
    notJudged: [
      ...notJudgedOf(judged, query),
      ...unjudged(await reader.names('host'), judged, query.hosts),
    ],
  }
}

/** Hosts whose rounds were imported, or seen by an agent of a time without policies. */
function unjudged(
  hosts: readonly string[],
  judged: readonly JudgedHost[],
  wanted: readonly string[],
): NotJudged[] {
  const known = new Set(judged.map(({ host }) => host))
  return hosts
    .filter((host) => !known.has(host) && (wanted.length === 0 || wanted.includes(host)))
    .map((host) => ({ host, policy: null, why: '`jobmeter policies judge` does that' }))
}

function notJudgedOf(
  hosts: readonly JudgedHost[],
  { policies, hosts: wanted }: HogsQuery,
): NotJudged[] {
  return hosts
    .filter(({ host }) => wanted.length === 0 || wanted.includes(host))
    .flatMap(({ host, unmeasured }) =>
      [...unmeasured].map(([name, why]) => ({ host, policy: name, why })),
    )
    .filter(({ policy: name }) => policies.length === 0 || policies.includes(name))
}
