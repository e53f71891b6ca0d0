import type { JobState } from '../../../../src/model/job-state.ts'

/** Each state has a shape of its own: nobody needs to tell colours apart. */
const shapes: Readonly<Record<JobState, string>> = {
  waiting: 'M8 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8',
  running: 'M5.5 3.500l7 4.500l-7 4.500z',
  success: 'M3.500 8.500l3 3l6-7',
  failed: 'M4.500 4.500l7 7M11.500 4.500l-7 7',
  error: 'M8 3v6M8 12.200v.600',
  timeout: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10M8 5.500v2.700l1.800 1.300',
  interrupted: 'M6 4v8M10 4v8',
  cancelled: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10M4.700 11.300l6.600-6.600',
}

export const StateMark = ({ state }: { readonly state: JobState }) => (
  <svg class={`state-mark ${state}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d={shapes[state]} />
  </svg>
)
