import type { ComponentChildren } from 'preact'

/** One line of what is known of something, for a list of them. */
export const Fact = ({
  name,
  children,
}: {
  readonly name: string
  readonly children: ComponentChildren
}) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
