import { useSignal } from '@preact/signals'
import { setQuery } from '../route.ts'

const pauseMilliseconds = 250

/** A word that narrows a list; the address holds it as soon as the typing rests. */
export function TextFilter({
  name,
  label,
  value,
  placeholder,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  /** Says what to type; the label is then only read out. */
  readonly placeholder?: string | undefined
}) {
  const timer = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isWide = placeholder !== undefined
  return (
    <label class={isWide ? 'wide' : undefined}>
      <span class={isWide ? 'unseen' : undefined}>{label}</span>
      <input
        type="search"
        name={name}
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.peek())
          const typed = currentTarget.value.trim()
          timer.value = setTimeout(() => setQuery({ [name]: typed }), pauseMilliseconds)
        }}
      />
    </label>
  )
}
