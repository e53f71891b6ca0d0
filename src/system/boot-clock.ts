import { uptime } from 'node:os'

/**
 * Seconds since the machine was started, those counted in which it slept. Nobody sets this clock, so two processes of a machine
 * agree on it, whatever the time of day is said to be.
 */
export const bootSeconds = (): number => uptime()
