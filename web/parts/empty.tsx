import type { ComponentChildren } from 'preact'
import { Command } from './copy.tsx'

/** Says why there is nothing, and what would bring something. */
export function Empty({
  title,
  children,
  command,
}: {
  readonly title: string
  readonly children?: ComponentChildren
  readonly command?: string
}) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <Command text={command} />}
    </div>
  )
}
