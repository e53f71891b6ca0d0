import { constants } from 'node:os'

export const signalNumber = (name: NodeJS.Signals): number => constants.signals[name]
