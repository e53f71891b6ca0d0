import type { Position } from '../spec/spec-node.ts'
import type { Span, Splice } from './splice.ts'

/** A mapping as it stands in a file. */
export interface WrittenMapping {
  /** Where its own values are; what it takes from elsewhere (`<<: *base`) is not among them. */
  readonly values: ReadonlyMap<string, Span>
  /** What to change in the file to add these after the last one. */
  insert(entries: readonly NewEntry[]): readonly Splice[]
}

/** A key with its value, written as the format wants it. */
export interface NewEntry {
  readonly key: string
  readonly value: string
}

/** Finds the mapping that begins at a place. */
export type MappingFinder = (at: Position) => WrittenMapping | undefined

/** How a format is edited. */
export interface EditFormat {
  readonly mappings: (text: string) => MappingFinder
  /** A text that is not a number, where nothing was written before. */
  readonly quote: (text: string) => string
}
