import { signal } from '@preact/signals'

/** Seconds since 1970, once a second while somebody looks. */
export const now = signal(Date.now() / 1000)

const tick = (): void => {
  if (!document.hidden) now.value = Date.now() / 1000
}
setInterval(tick, 1000)
document.addEventListener('visibilitychange', tick)
