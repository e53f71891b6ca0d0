import type * as z from 'zod'
import { suggest } from '../../model/suggest.ts'
import { propertiesOf, schemaAt, specJsonSchema, type JsonSchema } from './json-schema.ts'
import { suggestionFor, type Problems } from './problem.ts'
import { alternatives, expectedWords, foundWords, kindSuggestion, synonyms } from './shape-words.ts'
import { stepOf, type SpecPath } from './spec-node.ts'

type Issue = z.core.$ZodIssue

/** Puts what zod found into our words, with the place in the file. */
export class ShapeReport {
  readonly #problems: Problems
  readonly #document: unknown
  readonly #makeSchema: () => JsonSchema
  #schema: JsonSchema | undefined

  /** `makeSchema`: what the document is to be; only asked where something is wrong. */
  constructor(problems: Problems, document: unknown, makeSchema = specJsonSchema) {
    this.#problems = problems
    this.#makeSchema = makeSchema
    this.#document = document
  }

  report(issues: readonly Issue[], around: SpecPath = []): void {
    for (const issue of issues) this.#issue(issue, [...around, ...issue.path.map(stepOf)])
  }

  #issue(issue: Issue, path: SpecPath): void {
    switch (issue.code) {
      case 'unrecognized_keys':
        for (const key of issue.keys) this.#unknownKey([...path, key])
        return
      case 'invalid_type':
        return this.#wrongKind(path, [issue.expected])
      case 'invalid_union':
        return this.#union(issue.errors, path)
      case 'invalid_value':
        return this.#wrongChoice(path, issue.values.map(String))
      case 'invalid_key':
        return this.#problems.atKey(path, issue.issues[0]?.message ?? issue.message)
      case 'too_small':
      case 'too_big':
        return this.#problems.atValue(path, boundWords(issue))
      case 'invalid_format':
      case 'invalid_element':
      case 'not_multiple_of':
      case 'custom':
        return this.#problems.atValue(path, issue.message)
    }
  }

  /** The branch of a union that the value was meant for tells more than "none fits". */
  #union(branches: readonly (readonly Issue[])[], path: SpecPath): void {
    const meant = meantBranch(branches)
    if (meant !== undefined) return this.report(meant, path)
    this.#wrongKind(path, branches.flatMap(wholeKinds))
  }

  #wrongKind(path: SpecPath, expected: readonly string[]): void {
    const value = valueAt(this.#document, path)
    if (value === undefined) return this.#problems.atMissing(path)
    const message = `expected ${expectedWords(expected)}, found ${foundWords(value)}`
    this.#problems.atValue(path, message, kindSuggestion(value, expected))
  }

  #wrongChoice(path: SpecPath, choices: readonly string[]): void {
    const value = valueAt(this.#document, path)
    if (value === undefined) return this.#wrongKind(path, [])
    const quoted = choices.map((choice) => JSON.stringify(choice))
    const message = `expected ${alternatives(quoted)}, found ${foundWords(value)}`
    this.#problems.atValue(
      path,
      message,
      typeof value === 'string' ? suggestionFor(value, choices) : null,
    )
  }

  #unknownKey(path: SpecPath): void {
    this.#problems.atKey(path, 'unknown key', this.#keySuggestion(path))
  }

  #keySuggestion(path: SpecPath): string | null {
    const key = String(path.at(-1))
    this.#schema ??= this.#makeSchema()
    const holder = schemaAt(this.#schema, path.slice(0, -1))
    const known = holder === undefined ? {} : propertiesOf(holder)
    const near = suggest(key, Object.keys(known)) ?? synonym(key, known)
    if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`
    // People write what a job needs straight into the job.
    const needs = path.length === 1 ? {} : propertiesIn(known, 'resource_requirements')
    const meant = suggest(key, Object.keys(needs)) ?? synonym(key, needs)
    if (meant === key) return 'It belongs in resource_requirements.'
    if (meant !== undefined)
      return `Did you mean ${JSON.stringify(meant)}? It belongs in resource_requirements.`
    // Or how often it is tried again, which is up to a rule that the job names.
    if (key === 'max_retries' || synonyms[key] === 'max_retries')
      return 'Retries belong in the rules of failure_handlers, beside jobs: max_retries.'
    // And how it is measured, which the workflow says for all of its jobs.
    const monitoring = propertiesIn(propertiesOf(this.#schema), 'resource_monitor')
    return Object.hasOwn(monitoring, key) ? 'It belongs in resource_monitor, beside jobs.' : null
  }
}

type Properties = ReturnType<typeof propertiesOf>

function propertiesIn(known: Properties, key: string): Properties {
  const inside = known[key]
  return inside === undefined ? {} : propertiesOf(inside)
}

/** The branch of a union that a value is of the kind of, though there is something wrong inside. */
export const meantBranch = (
  branches: readonly (readonly Issue[])[],
): readonly Issue[] | undefined => branches.find((issues) => wholeKinds(issues).length === 0)

/** The kinds that a value was expected to be as a whole, where it is none of them. */
function wholeKinds(issues: readonly Issue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.path.length > 0) return []
    if (issue.code === 'invalid_type') return [issue.expected]
    return issue.code === 'invalid_union' ? issue.errors.flatMap(wholeKinds) : []
  })
}

function synonym(key: string, known: Readonly<Record<string, unknown>>): string | undefined {
  const meant = Object.hasOwn(synonyms, key) ? synonyms[key] : undefined
  return meant !== undefined && Object.hasOwn(known, meant) ? meant : undefined
}

function boundWords(issue: Issue): string {
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code !== 'too_small') return issue.message
  if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty'
  return issue.inclusive === false
    ? `must be more than ${issue.minimum}`
    : `must be at least ${issue.minimum}`
}

function valueAt(document: unknown, path: SpecPath): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined
  }, document)
}
