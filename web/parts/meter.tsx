/** How much of something is used, against what was asked for. */
export function Meter({
  label,
  used,
  of,
  words,
  ofWords,
  tone = 'cpu',
}: {
  readonly label: string
  readonly used: number | null
  /** null: nothing was asked for, and there is nothing to draw it against. */
  readonly of: number | null
  readonly words: (value: number) => string
  /** What `of` is, such as `of 2 GB`. */
  readonly ofWords?: string | undefined
  readonly tone?: 'cpu' | 'memory' | 'gpu'
}) {
  const share = used === null || of === null || of <= 0 ? null : used / of
  const isOver = share !== null && share > 1
  const told = used === null ? '–' : words(used)
  return (
    <div class={`meter ${tone}${isOver ? ' over-asked' : ''}`}>
      <span class="meter-label">{label}</span>
      <span class="meter-figure">
        {told} {ofWords !== undefined && <small>{ofWords}</small>}
      </span>
      <span
        class="track"
        role="meter"
        aria-label={`${label}${ofWords === undefined ? '' : ` ${ofWords}`}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * Math.min(1, share ?? 0))}
        aria-valuetext={told}
      >
        <span class="fill" style={{ width: `${100 * Math.min(1, share ?? 0)}%` }} />
      </span>
    </div>
  )
}
