import { computed } from '@preact/signals'
import { now } from './clock.ts'

/** Another number each half minute, while somebody looks: what agents keep is not streamed, and is asked for again. */
export const halfMinutes = computed(() => Math.floor(now.value / 30))
