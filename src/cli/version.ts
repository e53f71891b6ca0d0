/** Kept equal to package.json by a test; reading that file would cost every start a millisecond. */
export const version = '0.1.0'
