import type { OptionTable } from '../command/define.ts'

/** For commands that tell what jobs cost. */
export const pricesOption = {
  prices: {
    type: 'string',
    value: 'FILE',
    example: 'prices.yaml',
    says: 'the price file to use instead of $JOBMETER_PRICES or ~/.config/jobmeter/prices.yaml',
  },
} as const satisfies OptionTable
