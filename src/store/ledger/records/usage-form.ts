import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { furtherFigures, usageKeys, type Usage } from '../../../model/usage.ts'
import { MalformedRow } from '../../errors.ts'
import { isAmount, isText } from '../../valid.ts'

/**
 * All of a usage but its numbers: which figures were obtained in which way, and which are missing for which reason. Some
 * forty figures share a handful of ways and reasons, and thousands of jobs share a form.
 */
export interface UsageForm {
  readonly measured: Groups
  readonly unmeasured: Groups
}

/** Keys of figures by the basis, or the reason, that they share. */
type Groups = readonly (readonly [text: string, keys: readonly string[]])[]

export function formOf(usage: Usage): UsageForm {
  const bases = new Map<string, string[]>()
  const reasons = new Map<string, string[]>()
  eachFigure(usage, (key, figure) => {
    const [groups, text] = figure.value === null ? [reasons, figure.why] : [bases, figure.basis]
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [key])
    else group.push(key)
  })
  return { measured: [...bases], unmeasured: [...reasons] }
}

/** Two usages with the same marks have the same form: this is for who has thousands of them, and takes a tenth of the time. */
export function formMark(usage: Usage): string {
  let mark = ''
  eachFigure(usage, (key, figure) => {
    mark += `${key}${figure.value === null ? `-${figure.why}` : `+${figure.basis}`}\n`
  })
  return mark
}

/** Whether two usages have the same form. Jobs that follow each other mostly do, and this makes no text to tell. */
export function haveSameForm(one: Usage, other: Usage): boolean {
  const keys = Object.keys(one)
  if (Object.keys(other).length !== keys.length) return false
  const figures = one as Readonly<Record<string, Measured>>
  const others = other as Readonly<Record<string, Measured | undefined>>
  for (const key of keys) if (!areAlike(figures[key], others[key])) return false
  return true
}

function areAlike(one: Measured | undefined, other: Measured | undefined): boolean {
  if (one === undefined || other === undefined) return false
  if (one.value === null) return other.value === null && one.why === other.why
  if (other.value === null || one.basis !== other.basis) return false
  // One that is no amount is stored as not measured, for a reason that is not its basis.
  return isAmount(one.value) && isAmount(other.value)
}

function eachFigure(usage: Usage, take: (key: string, figure: Measured) => void): void {
  for (const key of usageKeys) take(key, sound(usage[key]))
  for (const [key, figure] of furtherFigures(usage)) take(key, sound(figure))
}

/** JSON has no NaN or infinity, and nothing measured is negative: such a figure is stored as not measured. */
const sound = (figure: Measured): Measured =>
  figure.value === null || isAmount(figure.value) ? figure : measured(Number.NaN, figure.basis)

export const measuredKeys = (form: UsageForm): readonly string[] =>
  form.measured.flatMap(([, keys]) => keys)

/** The numbers of a usage, in the order of its form. */
export function valuesText(usage: Usage, keys: readonly string[]): string {
  const figures = usage as Readonly<Record<string, Measured>>
  return JSON.stringify(keys.map((key) => figures[key]?.value ?? null))
}

/** A usage that is stored as a form and its numbers. */
export interface FormedUsage {
  readonly form: KnownForm
  readonly values: readonly number[]
}

interface KnownForm {
  readonly bases: ReadonlyMap<string, string>
  /** Where the number of each figure stands. */
  readonly places: ReadonlyMap<string, number>
  readonly missing: readonly (readonly [key: string, figure: Measured])[]
}

/** The form and the numbers as one text: JSON has no line breaks of its own. */
export const formAndValues = (form: string, values: string): string =>
  `${form} || char(10) || ${values}`

/** Undefined for a usage that is stored as a whole. */
export function formedUsage(text: string): FormedUsage | undefined {
  const end = text.indexOf('\n')
  if (end < 0) return undefined
  const form = knownForm(text.slice(0, end))
  const values = parseJson(text.slice(end + 1))
  // One number too few, and all that follow would be those of other figures.
  if (!Array.isArray(values) || values.length !== form.places.size || !values.every(isAmount))
    throw new MalformedRow('usage does not hold the numbers of its figures')
  return { form, values }
}

export function* figuresOf({ form, values }: FormedUsage): Iterable<[string, Measured]> {
  for (const [key, basis] of form.bases) {
    yield [key, measured(values[form.places.get(key) ?? -1] ?? Number.NaN, basis)]
  }
  for (const [key, figure] of form.missing) yield [key, figure]
}

const mostForms = 500
const forms = new Map<string, KnownForm>()

function knownForm(text: string): KnownForm {
  const known = forms.get(text)
  if (known !== undefined) return known
  const form = parseForm(text)
  if (forms.size === mostForms) forms.clear()
  forms.set(text, form)
  return form
}

function parseForm(text: string): KnownForm {
  const stored = parseJson(text) as Partial<Record<keyof UsageForm, unknown>> | null
  const bases = new Map<string, string>()
  const places = new Map<string, number>()
  let place = 0
  for (const [basis, keys] of groupsIn(stored?.measured))
    for (const key of keys) {
      bases.set(key, basis)
      places.set(key, place)
      place += 1
    }
  const missing = groupsIn(stored?.unmeasured).flatMap(([why, keys]) => {
    const figure = unmeasured(why)
    return keys.map((key) => [key, figure] as const)
  })
  return { bases, places, missing }
}

function groupsIn(stored: unknown): Groups {
  if (!Array.isArray(stored)) throw new MalformedRow('usage has no form')
  return stored.map((group) => {
    const [text, keys] = pairIn(group)
    if (!Array.isArray(keys) || !keys.every(isText))
      throw new MalformedRow('usage has a form without figures')
    return [text, keys]
  })
}

export function pairIn(group: unknown): readonly [string, unknown] {
  if (!Array.isArray(group) || !isText(group[0])) throw new MalformedRow('usage holds no pairs')
  return [group[0], group[1]]
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedRow('usage is not JSON')
  }
}
