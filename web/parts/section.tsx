import type { ComponentChildren } from 'preact'

/** A part of a page with its heading, and what stands beside that. */
export function Section({
  id,
  title,
  note,
  aside,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly note?: string | undefined
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <div class="section-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </div>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  )
}
