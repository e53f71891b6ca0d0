import type { AttemptStatus } from '../../model/outcome.ts'
import type { Style } from '../text/style.ts'

export const noJobsYet = 'No jobs recorded yet. Run one: jobmeter run -- COMMAND'

/** `SUCCESS` in green, what failed in red, what someone ended in yellow. */
export function statusText(status: AttemptStatus, style: Style): string {
  return style[statusColour(status)](status.toUpperCase())
}

export function statusColour(status: AttemptStatus): 'green' | 'red' | 'yellow' | 'cyan' {
  switch (status) {
    case 'success':
      return 'green'
    case 'failed':
    case 'error':
    case 'timeout':
      return 'red'
    case 'interrupted':
    case 'cancelled':
    case 'unknown':
      return 'yellow'
    case 'waiting':
    case 'running':
      return 'cyan'
  }
}
