import { figuresOf, isFigureName, policyFigures } from '../../analysis/policies/figure-list.ts'
import type { Exemptions, Policy, PolicyCondition, SpareRoom } from '../../model/policy.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { suggestionFor, type Problems } from '../../workflow/spec/problem.ts'
import { secondsOf } from '../config/seconds.ts'
import type { WrittenBounds, WrittenPolicies, WrittenPolicy } from './definition.ts'
import { amountWords, readAmount } from './read-amount.ts'
import { shippedPolicies } from './shipped.ts'

type Path = readonly (string | number)[]
/** Tells what is wrong with a policy, by the path in it. */
type Tell = (path: Path, message: string, suggestion?: string | null) => void

const neverWrong: Tell = (path, message) => {
  throw new Error(`a shipped policy is wrong: ${path.join('.')} ${message}`)
}

const usualSpare: SpareRoom = { resource: 'cores', ofRest: 0.5, ofNode: 0.25 }
/** What nobody else runs. */
const usualExempt = { users: ['root'] }

/** The shipped policies with what the user changed of them, then the user's own. */
export function resolvePolicies(
  { shipped = true, policies: written = [], exempt = {} }: WrittenPolicies,
  problems: Problems,
): readonly Policy[] {
  const policies = new Map<string, Policy>()
  const known = new Map(shippedPolicies.map((policy) => [policy.name, policy]))
  if (shipped)
    for (const policy of shippedPolicies)
      policies.set(policy.name, resolve(policy, exempt, neverWrong))
  const seen = new Set<string>()
  for (const [index, policy] of written.entries()) {
    const tell: Tell = (path, message, suggestion = null) =>
      problems.atValue(['policies', index, ...path], message, suggestion)
    if (seen.has(policy.name)) tell(['name'], `there is another policy named ${policy.name}`)
    seen.add(policy.name)
    const from = known.get(policy.name)
    if (policy.when === undefined && from === undefined) {
      tell(
        ['name'],
        'there is no shipped policy of this name to change, and a new one needs "when"',
        suggestionFor(policy.name, known.keys()),
      )
      continue
    }
    policies.set(policy.name, resolve(changed(from, policy), exempt, tell))
  }
  return [...policies.values()]
}

/** Where nobody has written any. */
export const shippedAsPolicies = (): readonly Policy[] =>
  shippedPolicies.map((policy) => resolve(policy, {}, neverWrong))

/** Figures that are named again have other bounds; all others stay. */
const changed = (shipped: WrittenPolicy | undefined, policy: WrittenPolicy): WrittenPolicy =>
  shipped === undefined
    ? policy
    : { ...shipped, ...policy, when: { ...shipped.when, ...policy.when } }

function resolve(
  written: WrittenPolicy,
  forAll: WrittenPolicy['exempt'] & object,
  tell: Tell,
): Policy {
  const { name, says = name, scope = 'job' } = written
  if (written.over !== undefined && scope !== 'history')
    tell(['over'], 'only policies of scope history look back')
  return {
    name,
    isEnabled: written.enabled ?? true,
    scope,
    severity: written.severity ?? 'warning',
    says,
    explanation: written.explanation ?? `${says}.`,
    advice: written.advice ?? 'Ask your administrator.',
    conditions: conditionsOf(written, scope, tell),
    forSeconds: secondsOf(written.for, scope === 'history' ? 0 : 600),
    overSeconds: secondsOf(written.over, 7 * daySeconds),
    spare: spareOf(written.unless_idle),
    exempt: exemptionsOf(written.exempt ?? usualExempt, forAll),
    channels: written.channels ?? null,
  }
}

const words = {
  at_least: 'at least',
  at_most: 'at most',
  above: 'above',
  below: 'below',
} as const satisfies Record<keyof WrittenBounds, PolicyCondition['is']>

function conditionsOf(
  { when = {} }: WrittenPolicy,
  scope: Policy['scope'],
  tell: Tell,
): PolicyCondition[] {
  const names = figuresOf(scope)
  if (Object.keys(when).length === 0) tell(['when'], 'needs at least one figure')
  return Object.entries(when).flatMap(([figure, bounds]) => {
    if (!isFigureName(figure) || !names.includes(figure)) {
      tell(
        ['when', figure],
        `policies of scope ${scope} have no figure ${figure}`,
        suggestionFor(figure, names),
      )
      return []
    }
    const { unit } = policyFigures[figure]
    return (Object.keys(words) as (keyof WrittenBounds)[]).flatMap((key) => {
      const given = bounds[key]
      if (given === undefined) return []
      const threshold = readAmount(unit, given)
      if (threshold !== undefined) return [{ figure, is: words[key], threshold }]
      tell(['when', figure, key], `must be ${amountWords(unit)}`)
      return []
    })
  })
}

function spareOf(written: WrittenPolicy['unless_idle']): SpareRoom | null {
  if (written === false) return null
  return {
    resource: written?.resource ?? usualSpare.resource,
    ofRest: written?.of_rest ?? usualSpare.ofRest,
    ofNode: written?.of_node ?? usualSpare.ofNode,
  }
}

type Exempt = WrittenPolicy['exempt'] & object

const exemptionsOf = (own: Exempt, forAll: Exempt): Exemptions => ({
  users: [...(own.users ?? []), ...(forAll.users ?? [])],
  commands: [...(own.commands ?? []), ...(forAll.commands ?? [])],
  accounts: [...(own.accounts ?? []), ...(forAll.accounts ?? [])],
  kinds: [...(own.kinds ?? []), ...(forAll.kinds ?? [])],
})
