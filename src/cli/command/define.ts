/** What an option's value is. Sizes answer bytes, durations seconds. */
export type OptionDefinition =
  /** `default: null`: whether somebody said it matters, and so does which of the two. */
  | (OptionBase & { readonly type: 'boolean'; readonly default?: boolean | null })
  | (ValueOption & { readonly type: 'string'; readonly default?: string })
  | (ValueOption & {
      readonly type: 'list'
      /** Several may be given at once, with commas between them. `always`: none of them can have a comma in it. */
      readonly commas?: true | 'always'
      readonly choices?: readonly string[]
    })
  | (ValueOption & {
      readonly type: 'choice'
      readonly choices: readonly string[]
      /** Other names of choices, in small letters, such as those that a table or JSON gives to them. */
      readonly also?: Readonly<Record<string, string>>
      readonly default?: string
    })
  | (ValueOption & {
      readonly type: 'number' | 'bytes' | 'duration'
      readonly default?: number
      readonly min?: number
      readonly max?: number
      /** For numbers: only whole ones. */
      readonly whole?: true
      /** A number alone is refused: which unit is meant is too easy to get wrong. */
      readonly needsUnit?: true
    })

interface OptionBase {
  /** One letter, without its dash. */
  readonly short?: string
  readonly says: string
}

interface ValueOption extends OptionBase {
  /** What the value is called in the help, such as PATH. */
  readonly value?: string
  /** A good value, for the help that an error gives. */
  readonly example?: string
  readonly required?: true
}

export type OptionTable = Readonly<Record<string, OptionDefinition>>

export interface ArgumentDefinition {
  readonly name: string
  readonly required: boolean
  /** Takes all that are left; only the last one may. */
  readonly variadic?: true
  readonly says: string
}

export interface CommandDefinition {
  readonly name: string
  readonly aliases: readonly string[]
  readonly summary: string
  /** What follows `jobmeter`, such as `run [options] -- COMMAND [ARG…]`. */
  readonly usage: string
  readonly description?: string
  readonly arguments: readonly ArgumentDefinition[]
  /** Keyed by the long name without its dashes, in the order of the help. */
  readonly options: OptionTable
  readonly examples: readonly string[]
  /** After `--`, or from the first argument on, everything is the job's command and is left alone. */
  readonly passthrough?: true
}

/** Keeps the exact types of the table, from which the types of the parsed values follow. */
export function defineCommand<const D extends CommandDefinition>(definition: D): D {
  return definition
}

type GivenValue<O extends OptionDefinition> = O extends { readonly type: 'choice' }
  ? O['choices'][number]
  : O extends { readonly type: 'string' }
    ? string
    : number

type OptionValue<O extends OptionDefinition> = O extends { readonly type: 'boolean' }
  ? O extends { readonly default: null }
    ? boolean | undefined
    : boolean
  : O extends { readonly type: 'list' }
    ? readonly (O extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)[]
    : O extends { readonly default: string | number } | { readonly required: true }
      ? GivenValue<O>
      : GivenValue<O> | undefined

type ArgumentValue<A extends ArgumentDefinition> = A extends { readonly variadic: true }
  ? readonly string[]
  : A extends { readonly required: true }
    ? string
    : string | undefined

export type OptionValues<D extends CommandDefinition> = {
  readonly [K in keyof D['options']]: OptionValue<D['options'][K]>
}

export type ArgumentValues<D extends CommandDefinition> = {
  readonly [A in D['arguments'][number] as A['name']]: ArgumentValue<A>
}

/** Every command takes these, after its name or before it. A command may narrow or widen `format`. */
export const globalOptions = {
  format: {
    type: 'choice',
    choices: ['table', 'json'],
    default: 'table',
    says: 'output format',
  },
  db: {
    type: 'string',
    value: 'PATH',
    example: 'jobs.db',
    says: 'the ledger to use instead of $JOBMETER_DB or the default one; for questions also a team ledger: team, or postgres://…',
  },
} as const satisfies OptionTable

/** For every command that shows people times. */
export const zoneOption = {
  utc: { type: 'boolean', says: 'show times in UTC instead of local time' },
} as const satisfies OptionTable
