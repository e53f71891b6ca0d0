/*
 * About how much of the file rows take, for SQL. An attempt with its usage is mostly more than half a page, and then it has
 * the page to itself.
 */

const pageBytes = 4096
const attemptRowBytes = `(octet_length(coalesce(attempt.usage, '')) + 500)`

export const attemptBytes = `(${pageBytes} / max(1, ${pageBytes} / ${attemptRowBytes}))`

export const jobBytes = `(200 + octet_length(job.command) + octet_length(job.params)
  + octet_length(coalesce(job.definition, '')) + octet_length(coalesce(job.shell_command, '')))`

/** Some thirty columns of eight bytes, and the index. */
export const sampleBytes = 290
