/** A piece of a file that should be one record: its bytes, or what is wrong with it. */
export type RawRecord =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly why: string }

/** Cuts a file into records, chunk by chunk. */
export interface Splitter {
  push(chunk: Uint8Array): readonly RawRecord[]
  /** What is left when there are no more chunks. */
  end(): readonly RawRecord[]
}
