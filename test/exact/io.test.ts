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

    // The kernel gives a dead process's counters to root alone, unless they were open before.
    it.each([
      {
        what: 'many short children',
        shell:
          'i=0; while [ $i -lt 60 ]; do dd if=/dev/zero of=f bs=64k count=4 status=none; i=$((i+1)); done',
        writes: 60 * 4,
      },
      {
        what: 'children that are waited for late',
        shell:
          'for i in 1 2 3 4 5; do dd if=/dev/zero of=f$i bs=64k count=4 status=none & done; sleep 1.3; wait',
        writes: 5 * 4,
      },
    ])('of $what are the parent’s in the end', async ({ shell, writes }) => {
      using box = sandbox(user)
      const { record } = await box.run(['--', 'sh', '-c', shell])
      expect(record.usage['write_chars']).toBe(writes * 65_536)
      expect(record.basis['write_chars']).not.toMatch(/^at least/)
    })

    it('of a daemon are told as far as they are known', async () => {
      using box = sandbox(user)
      const shell = '(dd if=/dev/zero of=f bs=64k count=4 status=none & ) ; sleep 0.5'
      const { record } = await box.run(['--', 'sh', '-c', shell])
      const told = record.usage['write_chars'] ?? null
      expect(told).not.toBeNull()
      const isWhole = told === 4 * 65_536
      expect(isWhole || record.basis['write_chars']?.startsWith('at least')).toBe(true)
    })
  },
)
