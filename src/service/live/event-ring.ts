import type { LiveEvent, ToldEvent } from '../../model/live.ts'

/** How much is held for those who were away for a moment. */
export interface RingRoom {
  readonly mostEvents: number
  /** Of the texts of events, in characters. */
  readonly mostCharacters: number
}

/** The latest events, each with its id. Ids are `<boot>.<number>`: who comes with one of another boot missed everything. */
export class EventRing {
  readonly #boot: string
  readonly #room: RingRoom
  readonly #textOf: (event: LiveEvent) => string
  #events: ToldEvent[] = []
  /** Of `#events`, those before this one are forgotten. */
  #first = 0
  #characters = 0
  #newest = 0

  constructor(boot: string, room: RingRoom, textOf: (event: LiveEvent) => string) {
    this.#boot = boot
    this.#room = room
    this.#textOf = textOf
  }

  get newestId(): string {
    return this.#idOf(this.#newest)
  }

  /** An event that only one listener is told: it has the newest id, and is not held. */
  aside(event: LiveEvent): ToldEvent {
    return { id: this.newestId, event, text: this.#textOf(event) }
  }

  add(event: LiveEvent): ToldEvent {
    this.#newest += 1
    const told = { id: this.newestId, event, text: this.#textOf(event) }
    this.#events.push(told)
    this.#characters += told.text.length
    this.#forget()
    return told
  }

  /** What was told after this id; undefined where not all of it is held any more, or it was never given. */
  after(id: string): readonly ToldEvent[] | undefined {
    const [, boot, digits = ''] = /^(.+)\.(\d{1,15})$/.exec(id) ?? []
    const number = Number(digits)
    const held = this.#events.length - this.#first
    if (boot !== this.#boot || number > this.#newest || number < this.#newest - held)
      return undefined
    return this.#events.slice(this.#events.length - (this.#newest - number))
  }

  #idOf(number: number): string {
    return `${this.#boot}.${number}`
  }

  #forget(): void {
    const { mostEvents, mostCharacters } = this.#room
    while (
      this.#events.length - this.#first > mostEvents ||
      (this.#characters > mostCharacters && this.#first < this.#events.length)
    ) {
      this.#characters -= this.#events[this.#first]?.text.length ?? 0
      this.#first += 1
    }
    // Not one by one: that would move all others each time.
    if (this.#first > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#first)
      this.#first = 0
    }
  }
}
