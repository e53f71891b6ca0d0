import { isFigureName, policyFigures } from '../../../src/analysis/policies/figure-list.ts'
import { conditionText } from '../../../src/analysis/policies/finding-words.ts'
import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import type { Policies as Answer } from '../../../src/server/schemas/policy.ts'
import { Section } from '../../parts/section.tsx'
import { Status } from '../../parts/status.tsx'

type Policy = Answer['policies'][number]
type Condition = Policy['conditions'][number]

export const policyRef = (name: string): string => `policy-${name}`

const scopes: Readonly<Record<Policy['scope'], string>> = {
  job: 'each job',
  user: 'each user on a node',
  history: 'the past jobs of a user',
}
const resources = {
  cores: 'cores',
  memory: 'memory',
  gpus: 'GPUs',
  all: 'cores, memory and GPUs',
} as const

/** Every policy in words: what it looks for, for how long, when it lets something pass, and whom it leaves alone. */
export function Policies({ answer, chosen }: { readonly answer: Answer; readonly chosen: string }) {
  const shown = answer.policies.filter(({ name }) => chosen === '' || name === chosen)
  return (
    <Section
      id="policies"
      title="Policies"
      note={answer.file === null ? 'Those that jobmeter brings.' : answer.file}
    >
      <div class="policies">
        {shown.map((policy) => (
          <PolicyCard key={policy.name} policy={policy} />
        ))}
      </div>
    </Section>
  )
}

function PolicyCard({ policy }: { readonly policy: Policy }) {
  const { unless_idle: idle } = policy
  const exempt = exemptWords(policy)
  return (
    <details class="card policy" id={policyRef(policy.name)}>
      <summary>
        <strong>{policy.name}</strong>
        {policy.enabled ? <Status status={policy.severity} /> : <small>switched off</small>}
        <span>{policy.says}</span>
      </summary>
      <p>{policy.explanation}</p>
      <dl class="phases">
        <div>
          <dt>Judges</dt>
          <dd>{scopes[policy.scope]}</dd>
        </div>
        <div>
          <dt>When</dt>
          <dd>
            all of these hold{holds(policy)}:
            <Conditions conditions={policy.conditions} />
          </dd>
        </div>
        {idle !== null && (
          <div>
            <dt>But lets pass</dt>
            <dd>
              what harms nobody: it is not reported while {percent(idle.of_rest)} of what is left of
              the node, and {percent(idle.of_node)} of the whole node, is neither used nor reserved
              (of {resources[idle.resource]})
            </dd>
          </div>
        )}
        <div>
          <dt>Exempt</dt>
          <dd>{exempt === '' ? 'nobody' : exempt}</dd>
        </div>
        <div>
          <dt>What to do</dt>
          <dd>{policy.advice}</dd>
        </div>
      </dl>
    </details>
  )
}

const percent = (share: number): string => `${Math.round(100 * share)}%`

const holds = ({ for_seconds: held, over_seconds: over }: Policy): string => {
  if (over !== null) return `, over the jobs of the last ${briefSeconds(over)}`
  return held > 0 ? `, for ${briefSeconds(held)} without a break` : ''
}

const bounds = ['at least', 'at most', 'above', 'below'] as const
const keyOf = {
  'at least': 'at_least',
  'at most': 'at_most',
  above: 'above',
  below: 'below',
} as const

/** `at least 25 %` of what the figure says in words. */
function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  return (
    <ul class="conditions">
      {conditions.map(({ figure, ...limits }) =>
        bounds.map((is) => {
          const threshold = limits[keyOf[is]]
          if (threshold === undefined) return null
          const words = conditionText({ figure, is, threshold }).slice(figure.length + 1)
          return (
            <li key={`${figure} ${is}`}>
              <strong>{words}</strong>: {isFigureName(figure) ? policyFigures[figure].says : figure}{' '}
              <code>{figure}</code>
            </li>
          )
        }),
      )}
    </ul>
  )
}

function exemptWords({ exempt }: Policy): string {
  const parts = [
    ['users', exempt.users],
    ['commands', exempt.commands],
    ['accounts', exempt.accounts],
    ['kinds of jobs', exempt.kinds],
  ] as const
  return parts
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.join(', ')}`)
    .join('; ')
}
