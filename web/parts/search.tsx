import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import { useAsked } from '../asked.ts'
import { momentSeconds } from '../moment.ts'
import { go } from '../route.ts'
import { Status } from './status.tsx'
import { Ago } from './time.tsx'

const pauseMilliseconds = 150

/** Finds jobs by name, command, tag or id, from every page. */
export function Search() {
  const typed = useSignal('')
  const wanted = useLater(typed.value.trim(), pauseMilliseconds)
  const isOpen = useSignal(false)
  const chosen = useSignal(0)
  const asked = useAsked<{ jobs: JobBrief[] }>(
    wanted === '' ? undefined : `/jobs?limit=8&search=${encodeURIComponent(wanted)}`,
  )
  const jobs = wanted === '' ? [] : (asked.value.value?.jobs ?? [])
  const isShown = isOpen.value && typed.value.trim() !== '' && wanted !== ''

  const leave = (to: string): void => {
    isOpen.value = false
    typed.value = ''
    document.getElementById('search')?.blur()
    go(to)
  }
  const open = (index: number): void => {
    const job = jobs[index]
    leave(
      job === undefined
        ? `/jobs?search=${encodeURIComponent(typed.value.trim())}`
        : `/jobs/${job.task_id}`,
    )
  }
  const press = (event: KeyboardEvent): void => {
    const entries = jobs.length + 1
    if (event.key === 'ArrowDown') chosen.value = (chosen.value + 1) % entries
    else if (event.key === 'ArrowUp') chosen.value = (chosen.value + entries - 1) % entries
    else if (event.key === 'Enter' && typed.value.trim() !== '') open(isShown ? chosen.value : -1)
    else if (event.key === 'Escape') {
      isOpen.value = false
      ;(event.target as HTMLElement).blur()
    } else return
    event.preventDefault()
  }
  return (
    <div class="search" role="search">
      <input
        id="search"
        type="search"
        list={undefined}
        role="combobox"
        aria-label="Search jobs"
        aria-expanded={isShown}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `found-${chosen.value}` : undefined}
        autocomplete="off"
        placeholder="Search jobs"
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          isOpen.value = true
          chosen.value = 0
        }}
        onFocus={() => (isOpen.value = true)}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={press}
      />
      <kbd aria-hidden="true">/</kbd>
      <ul id="found" class="found" role="listbox" aria-label="Jobs found" hidden={!isShown}>
        {jobs.map((job, index) => (
          <Found
            key={job.task_id}
            index={index}
            isChosen={index === chosen.value}
            open={open}
            job={job}
          />
        ))}
        <li
          id={`found-${jobs.length}`}
          role="option"
          aria-selected={chosen.value === jobs.length}
          onMouseDown={(event) => {
            event.preventDefault()
            open(-1)
          }}
        >
          {jobs.length === 0 && !asked.value.isWaiting ? 'No job found' : 'All jobs with'} “
          {typed.value.trim()}”
        </li>
      </ul>
    </div>
  )
}

function Found({
  job,
  index,
  isChosen,
  open,
}: {
  readonly job: JobBrief
  readonly index: number
  readonly isChosen: boolean
  readonly open: (index: number) => void
}) {
  return (
    <li
      id={`found-${index}`}
      role="option"
      aria-selected={isChosen}
      onMouseDown={(event) => {
        event.preventDefault()
        open(index)
      }}
    >
      <Status status={job.status} /> {job.name}
      <small>
        <Ago at={momentSeconds(job.start_time)} /> · {job.user} · {job.task_id.slice(0, 12)}
      </small>
    </li>
  )
}

/** A value once it has not changed for a while. */
function useLater<T>(value: T, milliseconds: number): T {
  const later = useSignal(value)
  useEffect(() => {
    const timer = setTimeout(() => {
      later.value = value
    }, milliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return later.value
}
