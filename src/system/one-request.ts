/** The first line of standard input, if all of it comes in time and it is no longer than this. */
export async function readRequest(mostBytes: number, seconds: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const parts: Buffer[] = []
  let length = 0
  setTimeout(() => resolve(undefined), seconds * 1000).unref()
  process.stdin.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > mostBytes) resolve(undefined)
    const end = part.indexOf(10)
    if (end >= 0)
      resolve(
        Buffer.concat(parts)
          .subarray(0, length - part.length + end)
          .toString(),
      )
  })
  process.stdin.on('end', () => resolve(undefined))
  process.stdin.on('error', () => resolve(undefined))
  const request = await promise
  process.stdin.pause()
  return request
}
