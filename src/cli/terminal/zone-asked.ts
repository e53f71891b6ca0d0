import type { Zone } from '../../render/units/zoned-time.ts'

/** The zone in which to show times: people's own, unless they say otherwise. */
export const zoneAsked = ({ utc }: { readonly utc: boolean }): Zone => (utc ? 'utc' : 'local')
