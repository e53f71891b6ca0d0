/** Somebody whom no machine knows, for tests that need another user. */
export const stranger = { uid: 64_321, gid: 64_321 }

const isRoot = process.getuid?.() === 0
// Where tests must not be left out there must be a root to run them.
if (!isRoot && process.env['CI'] === 'true') throw new Error('on CI the tests run as root')

/** For `describe.skipIf`, with the reason in the name of what is skipped. */
export const asRootOnly = {
  isSkipped: !isRoot,
  why: isRoot ? '' : ' (skipped: only root can be somebody else)',
}
