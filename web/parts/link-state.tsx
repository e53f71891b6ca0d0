import { linkState } from '../live/stream.ts'

const words = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Offline, retrying',
} as const

/** Whether what is shown is up to date. */
export const LinkState = () => (
  <span class={`link-state ${linkState.value}`} role="status" title={words[linkState.value]}>
    <span>{words[linkState.value]}</span>
  </span>
)
