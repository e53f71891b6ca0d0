import { useSignal } from '@preact/signals'
import { act } from '../../api.ts'

/** Asks once more before it does anything. */
export function CancelButton({ taskId, name }: { readonly taskId: string; readonly name: string }) {
  const step = useSignal<'offered' | 'asking' | 'asked'>('offered')
  const refused = useSignal<string | null>(null)
  const cancel = async (): Promise<void> => {
    step.value = 'asked'
    try {
      await act(`/jobs/${taskId}/cancel`)
    } catch (error) {
      refused.value = error instanceof Error ? error.message : String(error)
      step.value = 'offered'
    }
  }
  if (step.value === 'asking')
    return (
      <span class="cancel">
        End {name}?{' '}
        <button type="button" class="bad-button" onClick={() => void cancel()}>
          End it
        </button>{' '}
        <button type="button" onClick={() => (step.value = 'offered')}>
          Let it run
        </button>
      </span>
    )
  return (
    <>
      <button
        type="button"
        disabled={step.value === 'asked'}
        onClick={() => (step.value = 'asking')}
      >
        {step.value === 'asked' ? 'Asked to end…' : 'Cancel'}
      </button>
      {refused.value !== null && <span role="alert">{refused.value}</span>}
    </>
  )
}
