import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMonitorYaml } from './monitor-yaml.ts'
import { settingNames, settled, snakeName } from './options.ts'
import { ResourceMonitorCallback } from './resource-monitor-callback.ts'

/** Every setting, as a file of Hydra has it. */
const documented = `resource_monitor:
  _target_: ocr.callbacks.resource_monitor.ResourceMonitorCallback
  enabled: true
  log_interval: 10  # Log every 10 batches
  gpu_monitoring: true
  cpu_monitoring: true
  io_monitoring: true
  alert_gpu_underutilization: true
  alert_memory_pressure: true
  alert_io_bottleneck: true
  gpu_util_threshold: 0.5  # Alert if GPU <50%
  memory_threshold: 0.9  # Alert if memory >90%
  io_wait_threshold: 0.3  # Alert if >30% I/O wait
  export_timeseries: true
  timeseries_path: "resource_logs"
`

describe('a resource monitor in YAML', () => {
  it('has every setting, with the documented defaults', () => {
    expect(readMonitorYaml(documented, 'resource_monitor.yaml')).toEqual(settled({}))
  })

  it('leaves out what the defaults are right for, and shares its file with other callbacks', () => {
    const text = 'early_stopping:\n  patience: 3\nresource_monitor:\n  log_interval: 5\n'
    expect(readMonitorYaml(text, 'callbacks.yaml')).toEqual({ logInterval: 5 })
  })

  it('is told all its errors at once, each with its line and column', () => {
    const text = `resource_monitor:
  log_intervall: 5
  log_interval: 0
  memory_threshold: 90
  enabled: maybe
  timeseries_path: [a]
`
    expect(errorsIn(text)).toBe(
      [
        'm.yaml:2:3 resource_monitor.log_intervall: unknown key. Did you mean "log_interval"?',
        'm.yaml:3:17 resource_monitor.log_interval: must be at least 1',
        'm.yaml:4:21 resource_monitor.memory_threshold: must be at most 1',
        'm.yaml:5:12 resource_monitor.enabled: expected true or false, found "maybe"',
        'm.yaml:6:20 resource_monitor.timeseries_path: expected text, found a list',
      ].join('\n'),
    )
    expect(errorsIn('')).toMatch(/^m\.yaml:1:1: expected a mapping/)
    expect(errorsIn('resource_monitor')).toMatch(/^m\.yaml:1:1: expected a mapping/)
    expect(errorsIn('a: 1\n')).toBe('m.yaml:1:1: "resource_monitor" is missing')
    expect(errorsIn('resource_monitor: [\n')).toMatch(/^m\.yaml:2:1: not valid YAML/)
  })

  it('never fails otherwise', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...settingNames.map((name) => `\n  ${snakeName(name)}: &a [*a]\n`)),
    )
    fc.assert(
      fc.property(noise, fc.nat(documented.length), (what, at) => {
        const text = documented.slice(0, at) + what + documented.slice(at)
        expect(errorsIn(text) ?? 'm.yaml:').toMatch(/^m\.yaml:/)
      }),
    )
  })

  it('makes a callback', async () => {
    const off = documented.replace('enabled: true', 'enabled: false')
    const callback = await ResourceMonitorCallback.fromYaml(off)
    expect(callback.settings).toEqual(settled({ enabled: false }))
    const asked = ResourceMonitorCallback.fromYaml('resource_monitor:\n  enabled: 1\n', 'm.yaml')
    await expect(asked).rejects.toThrow('m.yaml:2:12 resource_monitor.enabled: expected true or')
  })
})

function errorsIn(text: string): string | undefined {
  try {
    readMonitorYaml(text, 'm.yaml')
    return undefined
  } catch (error) {
    return error instanceof Error && error.name === 'MonitorYamlError' ? error.message : 'a bug'
  }
}
