/** The version of what sidecar and client say to each other. */
export const protocolVersion = 1

/** Longer lines are not read. */
export const mostLineCharacters = 2 ** 20

/** What a client sends: one JSON object a line. */
export interface Message {
  readonly type: string
  /** Is given back in the answer; without it there is none, unless something is wrong. */
  readonly id: string | number | null
  readonly fields: Readonly<Record<string, unknown>>
}

/** What the sidecar sends: one JSON object a line. */
export type Sent = { readonly type: string } & Readonly<Record<string, unknown>>

/** What is wrong with a message; the sidecar answers it, and goes on. */
export class MessageError extends Error {}

export function parseMessage(line: string): Message {
  const fields = parsed(line)
  const { type, id = null } = fields
  if (typeof type !== 'string')
    throw new MessageError('a message has a "type", such as {"type":"look"}')
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new MessageError('"id" is a text or a number')
  return { type, id, fields }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new MessageError('not valid JSON: each line is one JSON object')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MessageError('expected a JSON object, such as {"type":"look"}')
  return value as Readonly<Record<string, unknown>>
}

/** Reads the fields of a message, each of which may be missing or null unless it is `required`. */
export class Fields {
  readonly #message: Message

  constructor(message: Message) {
    this.#message = message
  }

  text(name: string): string | undefined {
    return this.#read(name, 'a text', (value) => (typeof value === 'string' ? value : undefined))
  }

  requiredText(name: string): string {
    return this.text(name) ?? this.#refuse(name, 'a text')
  }

  number(name: string): number | undefined {
    return this.#read(name, 'a number', (value) => (isNumber(value) ? value : undefined))
  }

  flag(name: string): boolean | undefined {
    const isFlag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
    return this.#read(name, 'true or false', isFlag)
  }

  /** A number counts from 0. */
  requiredCount(name: string): number {
    const value = this.number(name)
    return value !== undefined && Number.isSafeInteger(value) && value >= 0
      ? value
      : this.#refuse(name, 'a whole number of at least 0')
  }

  /** One or several; none where it is missing. */
  numbers(name: string): readonly number[] {
    const asList = (value: unknown) => {
      const list: unknown[] = Array.isArray(value) ? value : [value]
      return list.every(isNumber) ? list : undefined
    }
    return this.#read(name, 'a number or a list of numbers', asList) ?? []
  }

  texts(name: string): readonly string[] | undefined {
    return this.#read(name, 'a list of texts', (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined,
    )
  }

  list(name: string): readonly unknown[] | undefined {
    return this.#read(name, 'a list', (value) =>
      Array.isArray(value) ? (value as readonly unknown[]) : undefined,
    )
  }

  record(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#read(name, 'an object', (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Readonly<Record<string, unknown>>)
        : undefined,
    )
  }

  #read<T>(name: string, kind: string, as: (value: unknown) => T | undefined): T | undefined {
    const value = this.#message.fields[name]
    if (value === undefined || value === null) return undefined
    return as(value) ?? this.#refuse(name, kind)
  }

  #refuse(name: string, kind: string): never {
    throw new MessageError(`"${name}" of ${this.#message.type} must be ${kind}`)
  }
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)
