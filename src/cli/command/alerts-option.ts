import type { OptionTable } from './define.ts'

/** For commands that watch jobs, and for those about alerts. */
export const alertsOption = {
  alerts: {
    type: 'string',
    value: 'FILE',
    example: 'alerts.yaml',
    says: 'the alert file to use instead of $JOBMETER_ALERTS or ~/.config/jobmeter/alerts.yaml',
  },
} as const satisfies OptionTable
