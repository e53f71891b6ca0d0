import type { AlertScope } from '../../model/alert.ts'
import { suggestionFor, type Problems } from '../../workflow/spec/problem.ts'
import { callNames, type Expression } from '../expression/expression.ts'
import { parseExpression } from '../expression/parse.ts'
import { ExpressionError } from '../expression/tokens.ts'
import { figureNames, isFigure } from '../figure-names.ts'
import type { Condition, Rule } from '../rule.ts'
import { shippedRules } from '../shipped.ts'
import type { WrittenAlerts, WrittenRule } from './definition.ts'
import { secondsOf } from './seconds.ts'

/** Tells what is wrong with a rule, by its key. */
type Tell = (key: keyof WrittenRule, message: string, suggestion?: string | null) => void

const neverWrong: Tell = (key, message) => {
  throw new Error(`a shipped rule is wrong: ${key} ${message}`)
}

/** The shipped rules with what the user changed of them, then the user's own. */
export function resolveRules(
  { shipped = true, rules: written = [] }: WrittenAlerts,
  problems: Problems,
): readonly Rule[] {
  const rules = new Map<string, Rule>()
  const known = new Map(shippedRules.map((rule) => [rule.name, rule]))
  if (shipped) for (const rule of shippedRules) keep(rules, rule, neverWrong)
  const seen = new Set<string>()
  for (const [index, rule] of written.entries()) {
    const tell: Tell = (key, message, suggestion = null) =>
      problems.atValue(['rules', index, key], message, suggestion)
    if (seen.has(rule.name)) tell('name', `there is another rule named ${rule.name}`)
    seen.add(rule.name)
    rules.delete(rule.name)
    if (rule.metric === undefined && !known.has(rule.name)) {
      problems.atMissing(['rules', index, 'metric'])
      continue
    }
    keep(rules, changed(known.get(rule.name), rule), tell)
  }
  return [...rules.values()]
}

/** A rule with the name of a shipped one changes that: one way to be wrong takes the place of another. */
function changed(shipped: WrittenRule | undefined, rule: WrittenRule): WrittenRule {
  if (shipped === undefined) return rule
  const { above, below, clear, unusual, ...rest } = shipped
  const isOther = rule.above !== undefined || rule.below !== undefined || rule.unusual !== undefined
  return {
    ...rest,
    ...(isOther ? {} : withoutUndefined({ above, below, clear, unusual })),
    ...rule,
  }
}

const withoutUndefined = (
  rule: Partial<Record<keyof WrittenRule, unknown>>,
): Partial<WrittenRule> =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))

function keep(rules: Map<string, Rule>, written: WrittenRule, tell: Tell): void {
  if (written.enabled === false) return
  const rule = resolve(written, tell)
  if (rule !== undefined) rules.set(rule.name, rule)
}

function resolve(written: WrittenRule, tell: Tell): Rule | undefined {
  const { name, metric = '', when, at = 'look', scope = 'job', severity = 'warning' } = written
  if (at === 'end' && scope !== 'job') tell('scope', 'how a job ended is about the job')
  if (at === 'end' && written.for !== undefined) tell('for', 'a job ends only once')
  const read = (key: 'metric' | 'when', text: string): Expression | undefined =>
    readExpression(text, at, scope, (message, suggestion) => tell(key, message, suggestion))
  const computes = read('metric', metric)
  const condition = conditionOf(written, at, tell)
  const guard = when === undefined ? null : read('when', when)
  if (computes === undefined || condition === undefined || guard === undefined) return undefined
  return {
    name,
    says: written.says ?? name,
    severity,
    scope,
    at,
    metric,
    computes,
    when: guard,
    condition,
    forSeconds: secondsOf(written.for, at === 'end' ? 0 : 60),
    clearForSeconds: secondsOf(written.clear_for, 0),
    channels: written.channels ?? null,
  }
}

function readExpression(
  text: string,
  at: Rule['at'],
  scope: AlertScope,
  tell: (message: string, suggestion: string | null) => void,
): Expression | undefined {
  try {
    return parseExpression(text, isFigure(at, scope))
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { unknownName: unknown } = error
    const near =
      unknown === null ? null : suggestionFor(unknown, [...figureNames(at, scope), ...callNames])
    tell(
      `${error.message}, at character ${error.at + 1}`,
      near ?? (unknown === null ? null : 'jobmeter alerts rules --names lists all names.'),
    )
    return undefined
  }
}

function conditionOf(written: WrittenRule, at: Rule['at'], tell: Tell): Condition | undefined {
  const { above, below, unusual, clear } = written
  const given = (['above', 'below', 'unusual'] as const).filter((key) => written[key] !== undefined)
  const [kind, another] = given
  if (kind === undefined) {
    tell('name', 'needs one of "above", "below" and "unusual"')
    return undefined
  }
  if (another !== undefined) {
    tell(another, `there is "${kind}" already, and a rule has one condition`)
    return undefined
  }
  if (kind === 'unusual') return unusual && unusualOf(unusual, written, at, tell)
  const threshold = above ?? below ?? Number.NaN
  if (clear !== undefined && (kind === 'above' ? clear > threshold : clear < threshold))
    tell(
      'clear',
      `must be ${kind === 'above' ? 'at most' : 'at least'} ${threshold}, where it fires`,
    )
  return { kind, threshold, clear: clear ?? threshold }
}

function unusualOf(
  unusual: NonNullable<WrittenRule['unusual']>,
  { clear }: WrittenRule,
  at: Rule['at'],
  tell: Tell,
): Condition | undefined {
  const {
    direction = 'either',
    deviations = 5,
    figure,
    window,
    least_runs: leastRuns = 5,
  } = unusual
  if (clear !== undefined) tell('clear', 'what is usual again is known by itself')
  if ((figure === undefined) === (window === undefined)) {
    tell('unusual', 'needs "figure" (compares with past runs) or "window" (with the last minutes)')
    return undefined
  }
  if (figure === undefined) {
    if (at === 'end') tell('unusual', 'at the end there is no window; use "figure"')
    const from = { kind: 'window', seconds: secondsOf(window, 600) } as const
    return { kind: 'unusual', direction, deviations, from }
  }
  const read = readExpression(figure, 'end', 'job', (message, suggestion) =>
    tell('unusual', `figure: ${message}`, suggestion),
  )
  if (read === undefined) return undefined
  return {
    kind: 'unusual',
    direction,
    deviations,
    from: { kind: 'past runs', figure: read, leastRuns },
  }
}
