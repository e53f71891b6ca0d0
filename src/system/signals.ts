import { constants } from 'node:os'

export const signalNumber = (name: NodeJS.Signals): number => constants.signals[name]

/** Undefined where no signal has this number. */
export const signalName = (number: number): NodeJS.Signals | undefined =>
  (Object.entries(constants.signals) as [NodeJS.Signals, number][]).find(
    ([, each]) => each === number,
  )?.[0]
