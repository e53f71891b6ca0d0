import { useSignal } from '@preact/signals'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { setQuery } from '../../route.ts'
import { sinceChoices, statusChoices, type Filter, type FilterName } from './filter.ts'

const texts = [
  ['user', 'User'],
  ['name', 'Name'],
  ['tag', 'Tag'],
  ['tool', 'Tool'],
] as const satisfies readonly (readonly [FilterName, string])[]

/** What the list is narrowed by. All of it stands in the address. */
export function FilterForm({ filter }: { readonly filter: Filter }) {
  const isMore = texts.some(([name]) => filter[name] !== undefined)
  const isOpen = useSignal(isMore)
  return (
    <form
      class="filter"
      role="search"
      aria-label="Jobs"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextFilter
        name="search"
        label="Search"
        value={filter.search ?? ''}
        placeholder="Name, command, tag or id"
      />
      <SelectFilter
        name="status"
        label="Status"
        value={filter.status ?? ''}
        options={statusChoices}
      />
      <SelectFilter
        name="since"
        label="Started"
        value={filter.since ?? ''}
        options={sinceChoices}
      />
      {isOpen.value || isMore ? (
        texts.map(([name, label]) => (
          <TextFilter key={name} name={name} label={label} value={filter[name] ?? ''} />
        ))
      ) : (
        <button type="button" onClick={() => (isOpen.value = true)}>
          More filters
        </button>
      )}
      {Object.keys(filter).length > 0 && (
        <button type="button" onClick={() => clear(filter)}>
          Clear
        </button>
      )}
    </form>
  )
}

const clear = (filter: Filter): void =>
  setQuery(Object.fromEntries(Object.keys(filter).map((name) => [name, null])))
