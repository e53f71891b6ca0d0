/** The resources that a report shows, in its order. */
export const reportResources = ['memory', 'cpu', 'runtime'] as const
export type ReportResource = (typeof reportResources)[number]
