/** Whether the samples of a curve lead to another peak than the recorded one. */
export const isOtherPeak = (seen: number, recorded: number): boolean =>
  Math.abs(seen - recorded) > 0.01 * recorded

/**
 * What the samples of a curve show where that is another peak than the recorded one, and '' where it is not. They may have missed
 * it; and a mean, as that of the CPU, is recorded over a second or more, of which a part may have been busier.
 */
export function samplesWords(
  { seen, recorded, isMean }: { seen: number; recorded: number; isMean: boolean },
  words: (value: number) => string,
): string {
  if (!isOtherPeak(seen, recorded)) return ''
  const showing = isMean && seen > recorded ? 'in shorter steps' : 'samples show'
  return `${showing} up to ${words(seen)}`
}
