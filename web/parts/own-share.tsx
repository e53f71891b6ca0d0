import { me } from '../me.ts'

/** Says what somebody who is not an administrator does not see. */
export function OwnShare({ children }: { readonly children: string }) {
  if (!me.value || me.value.role === 'administrator') return null
  return (
    <p class="own-share" role="note">
      <strong>
        {me.value.role === 'manager' ? 'You see your people’s share.' : 'You see your own share.'}
      </strong>{' '}
      {children}
    </p>
  )
}
