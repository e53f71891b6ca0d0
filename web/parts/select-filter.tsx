import { setQuery } from '../route.ts'

/** A choice that narrows a list; the address holds it. */
export function SelectFilter({
  name,
  label,
  value,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
}) {
  const isKnown = options.some(([each]) => each === value)
  return (
    <label>
      {label}
      <select
        name={name}
        value={value}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
        {!isKnown && <option value={value}>{value}</option>}
      </select>
    </label>
  )
}
