/** A group of choices of which one is taken. */
export function Choice<Value extends string>({
  legend,
  name,
  options,
  chosen,
  take,
}: {
  readonly legend: string
  readonly name: string
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly chosen: Value
  readonly take: (value: Value) => void
}) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map(([value, text]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => take(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
