/** How the reason of an attempt begins that did not write what its job declares. */
export const missingOutputWords = 'declared output missing: '
