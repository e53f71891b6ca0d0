/**
 * Chunks of a task (`?`) of a user (`?`, or null for who sent it first) that are of a part (`?`). Only those count that came
 * from the role that sent the record: others may claim a task, and have only added to their own.
 */
export const chunksOfTask = `
  FROM (
    SELECT task_id, "user", sources_beside(source_id) AS sources FROM attempt
    WHERE task_id = ? AND "user" = coalesce(?, "user") ORDER BY id LIMIT 1) AS record
    JOIN sample_chunk ON sample_chunk.task_id = record.task_id AND sample_chunk."user" = record."user"
      AND source_id = ANY (sources)
  WHERE part = ?`
