/** Two clock ticks, one of user and one of kernel time, and what passes between reading a counter and the clock. */
export const leastSlackSeconds = 0.03
/** Of a step: a look at many processes takes longer, and a busy machine may stop us in the middle of one. */
const slackShare = 0.05

/**
 * The CPU seconds that the threads seen at both ends of a step can have used in it, of an increase that was read.
 * Counters are told in ticks and read a moment before the clock: they lag, so that one step seems to hold more than
 * it can and its neighbour less. Where the increase is far more than that, other threads came and went in between, and
 * there is no such bound: Infinity.
 */
export function cpuRoomSeconds(
  stepSeconds: number,
  threads: number,
  increaseSeconds: number,
): number {
  const room = threads * stepSeconds
  if (!(room > 0)) return Infinity
  const slack = threads * Math.max(leastSlackSeconds, slackShare * stepSeconds)
  return increaseSeconds - room <= slack ? room : Infinity
}
