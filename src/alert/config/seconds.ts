import { parseDuration } from '../../model/duration.ts'

/** A duration that has been checked, or what it is if nobody wrote one. */
export const secondsOf = (written: string | number | undefined, usual: number): number =>
  written === undefined ? usual : (parseDuration(String(written)) ?? usual)
