/** Of a group that owns nothing. */
const nobodysGroup = 65_534

/** Gives the rights of root up for those of a user, for good. What the user reaches by a group alone is out of reach. */
export function becomeUser(uid: number): void {
  process.setgroups?.([])
  process.setgid?.(nobodysGroup)
  process.setuid?.(uid)
}
