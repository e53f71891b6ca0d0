/** What was told came from a file that is no longer there, or from another one of that name: all is to be read anew. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost'
}
