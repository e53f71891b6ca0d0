import { describe, expect, it } from 'vitest'
import { consoleBlock } from './console-block.ts'

describe('the console block', () => {
  it('is as documented', () => {
    const metrics = {
      gpu_0_util: 87.3,
      gpu_0_memory_used_mb: 8192,
      gpu_0_memory_total_mb: 16384,
      gpu_0_memory_pct: 50,
      gpu_0_temp_c: 72,
      gpu_0_power_w: 180.5,
      cpu_percent: 45.2,
      cpu_process_percent: 180.5,
      memory_system_mb: 16384,
      memory_available_mb: 8192,
      memory_percent: 50,
      memory_process_mb: 2048,
      disk_read_mb: 150.3,
      disk_write_mb: 12.5,
      io_read_rate_mbps: 75.2,
      io_write_rate_mbps: 6.3,
      io_wait_pct: 5.3,
    }
    const alerts = [
      '⚠️ GPU underutilized: 42.3% (threshold: 50%)',
      '⚠️ High memory usage: 92.1% (threshold: 90%)',
    ]
    expect(consoleBlock(50, metrics, alerts)).toBe(`[Resources] Batch 50:
  GPU 0: 87.3% util, 8192/16384 MB (50%), 72°C
  CPU: 45.2% (process: 180.5%)
  Memory: 8192/16384 MB available (50%)
  I/O: Read 75.2 MB/s, Write 6.3 MB/s, Wait 5.3%

[Resources] ⚠️ ALERTS:
  - GPU underutilized: 42.3% (threshold: 50%)
  - High memory usage: 92.1% (threshold: 90%)
`)
  })

  it('has a line for each card, times where they are known, and no alerts where there are none', () => {
    const metrics = {
      gpu_1_util: 3,
      gpu_0_util: 90,
      gpu_0_temp_c: 60.4,
      batch_time_mean_ms: 10.04,
      batch_time_p95_ms: 12.36,
      data_time_mean_ms: 1,
      data_time_p95_ms: 2,
    }
    expect(consoleBlock(0, metrics, [])).toBe(`[Resources] Batch 0:
  GPU 0: 90.0% util, 60°C
  GPU 1: 3.0% util
  Time: batch 10.0 ms (p95 12.4), data loading 1.0 ms (p95 2.0)
`)
  })

  it('leaves out what was not measured, and never shows a zero for it', () => {
    expect(consoleBlock(7, {}, [])).toBe('[Resources] Batch 7:\n')
    expect(consoleBlock(7, { cpu_process_percent: 99.95 }, [])).toBe(
      '[Resources] Batch 7:\n  CPU: process 100.0%\n',
    )
    expect(consoleBlock(7, { io_wait_pct: 0, memory_percent: 50 }, [])).toBe(
      '[Resources] Batch 7:\n  I/O: Wait 0.0%\n',
    )
  })
})
