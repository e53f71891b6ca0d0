/** Figures as the evidence in a sentence: no more digits than the sentence needs, and what is there is never told as 0. */

/** `3.9`; a job that used next to nothing of a core did not use 0.0 of it. */
export const roughCores = (cores: number): string =>
  cores > 0 && cores < 0.05 ? 'under 0.1' : cores.toFixed(1)

/** `0.31 s`, `340 s`: always seconds, so that those of one sentence can be compared. */
export const roughSeconds = (seconds: number): string =>
  `${seconds < 10 ? twoDigits(seconds) : Math.round(seconds)} s`

/** `85 %` of a share of 0.85. */
export const roughShare = (share: number): string =>
  share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(100 * share)} %`

/** `at least 3.9 of 4 cores`: words that begin with a figure, which is only a lower bound if `isBound` says so. */
export function boundedWords(words: string, isBound: boolean): string {
  if (!isBound) return words
  // What is told as less than a figure cannot be at least that, and what is at least 0 may be anything.
  return Number.parseFloat(words) > 0 ? `at least ${words}` : `${words}, as far as it was seen`
}

const twoDigits = (value: number): string =>
  value > 0 && value < 0.001 ? 'less than 0.001' : String(Number(value.toPrecision(2)))
