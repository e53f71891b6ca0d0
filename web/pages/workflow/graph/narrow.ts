import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 44rem)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => (isNarrow.value = matches))

/** Whether there is only room from above to below. */
export const useNarrow = (): boolean => isNarrow.value
