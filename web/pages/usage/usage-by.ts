/** What use is told by, beside the hours of the week. */
export const usageKeys = ['user', 'account', 'host', 'command'] as const
export type UsageBy = (typeof usageKeys)[number]
