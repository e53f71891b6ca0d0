import { describe, expect, it } from 'vitest'
import { sandbox, users, workload, workloadsMissing } from '../program.ts'

const mebibytes = 64
const bytes = mebibytes * 2 ** 20
const calls = mebibytes * 16

describe.skipIf(workloadsMissing).each(users)(
  'bytes read and written, measured as $name',
  (user) => {
    it.each([
      { what: 'by the job itself', shell: 'exec "$@"' },
      { what: 'by a child that it waited for', shell: '"$@"; true' },
    ])('are what the job moved: $what', async ({ shell }) => {
      using box = sandbox(user)
      const transfer = [workload('transfer'), box.path('file'), String(mebibytes)]
      const { record } = await box.run(['--', 'sh', '-c', shell, 'sh', ...transfer])
      const { read_chars, write_chars, read_calls, write_calls } = record.usage
      // Loading programs reads a little too; of writing there is nothing else.
      expect(write_chars).toBe(bytes)
      expect(write_calls).toBe(calls)
      expect((read_chars ?? 0) / bytes).toBeCloseTo(1, 2)
      expect((read_calls ?? 0) / calls).toBeCloseTo(1, 1)
    })
  },
)
