import type { Dashboard } from './dashboard.ts'
import { toHost } from './links.ts'
import { lines, stat, table } from './panel.ts'

const on = 'host=~"$host"'
const by = (metric: string): string => `sum by (host) (${metric}{${on}})`
const all = (metric: string): string => `sum(${metric}{${on}})`

export const node: Dashboard = {
  id: 'jobmeter-node',
  title: 'jobmeter / Nodes',
  says: 'CPUs, memory, disks, networks and GPUs of nodes, and who breaks a policy there.',
  choices: [{ name: 'host', label: 'Node', query: 'label_values(jobmeter_node_cores, host)' }],
  rows: [
    {
      title: 'Now',
      panels: [
        stat(
          { title: 'Nodes', says: 'Nodes that are told of.', unit: 'none', width: 3 },
          { expr: `count(jobmeter_node_cores{${on}})` },
        ),
        stat(
          {
            title: 'CPUs busy',
            says: 'Of all CPUs of these nodes.',
            unit: 'percentunit',
            width: 3,
          },
          { expr: `${all('jobmeter_node_busy_cores')} / ${all('jobmeter_node_cores')}` },
          { warn: 0.9, act: 0.98 },
        ),
        stat(
          {
            title: 'Memory in use',
            says: 'Of all memory of these nodes.',
            unit: 'percentunit',
            width: 3,
          },
          {
            expr: `${all('jobmeter_node_memory_bytes')} / ${all('jobmeter_node_memory_size_bytes')}`,
          },
          { warn: 0.85, act: 0.95 },
        ),
        stat(
          { title: 'Swap in use', says: 'Memory that was moved to disk.', unit: 'bytes', width: 3 },
          { expr: all('jobmeter_node_swap_bytes') },
        ),
        stat(
          { title: 'GPUs idle', says: 'GPUs that hardly work at all.', unit: 'none', width: 3 },
          { expr: `${all('jobmeter_node_gpus_idle')} or vector(0)` },
          { warn: 1, act: 4 },
        ),
        stat(
          {
            title: 'Policies violated',
            says: 'Violations that are not over. See jobmeter hogs.',
            unit: 'none',
            width: 3,
          },
          { expr: `${all('jobmeter_node_violations')} or vector(0)` },
          { warn: 1, act: 5 },
        ),
        stat(
          {
            title: 'Alerts firing',
            says: 'Alerts about jobs, GPUs and machines.',
            unit: 'none',
            width: 3,
          },
          { expr: 'sum(jobmeter_alerts_firing) or vector(0)' },
          { warn: 1, act: 5 },
        ),
        stat(
          {
            title: 'Oldest round',
            says: 'How long ago the node was looked at whose agent has been silent for longest.',
            unit: 's',
            width: 3,
          },
          { expr: `max(jobmeter_node_round_age_seconds{${on}}) or vector(0)` },
          { warn: 180, act: 600 },
        ),
      ],
    },
    {
      title: 'CPU and memory',
      panels: [
        lines(
          { title: 'CPUs busy', says: 'The dashed line is how many there are.', unit: 'none' },
          [
            { expr: by('jobmeter_node_busy_cores'), legend: '{{host}}' },
            { expr: all('jobmeter_node_cores'), legend: 'all CPUs' },
          ],
          { stack: true, dashed: '/^all CPUs$/' },
        ),
        lines(
          { title: 'Memory in use', says: 'The dashed line is how much there is.', unit: 'bytes' },
          [
            { expr: by('jobmeter_node_memory_bytes'), legend: '{{host}}' },
            { expr: all('jobmeter_node_memory_size_bytes'), legend: 'all memory' },
          ],
          { stack: true, dashed: '/^all memory$/' },
        ),
        lines({ title: 'Load per CPU', says: 'Above 1, processes wait for a CPU.', unit: 'none' }, [
          {
            expr: `${by('jobmeter_node_load')} / ${by('jobmeter_node_cores')}`,
            legend: '{{host}}',
          },
        ]),
        lines(
          {
            title: 'Waiting for disks',
            says: 'CPUs that were idle because a process waited for a disk.',
            unit: 'none',
          },
          [{ expr: by('jobmeter_node_io_wait_cores'), legend: '{{host}}' }],
        ),
      ],
    },
    {
      title: 'Disks and networks',
      panels: [
        lines({ title: 'Disks', says: 'Bytes read and written.', unit: 'Bps' }, [
          { expr: by('jobmeter_node_disk_read_bytes_per_second'), legend: '{{host}} read' },
          { expr: by('jobmeter_node_disk_written_bytes_per_second'), legend: '{{host}} written' },
        ]),
        lines({ title: 'Networks', says: 'Bytes received and sent.', unit: 'Bps' }, [
          {
            expr: by('jobmeter_node_network_received_bytes_per_second'),
            legend: '{{host}} received',
          },
          { expr: by('jobmeter_node_network_sent_bytes_per_second'), legend: '{{host}} sent' },
        ]),
      ],
    },
    {
      title: 'GPUs',
      panels: [
        lines(
          {
            title: 'GPUs busy',
            says: 'How much of the time each GPU worked.',
            unit: 'percentunit',
            width: 8,
          },
          [{ expr: `jobmeter_gpu_utilization_ratio{${on}}`, legend: '{{host}} {{gpu}}' }],
        ),
        lines({ title: 'GPU memory', says: 'In use.', unit: 'bytes', width: 8 }, [
          { expr: `jobmeter_gpu_memory_bytes{${on}}`, legend: '{{host}} {{gpu}}' },
        ]),
        lines(
          { title: 'GPU power', says: 'What the GPUs draw.', unit: 'watt', width: 8 },
          [{ expr: `jobmeter_gpu_power_watts{${on}}`, legend: '{{host}} {{gpu}}' }],
          { stack: true },
        ),
      ],
    },
    {
      title: 'Each node',
      panels: [
        table(
          { title: 'Nodes', says: 'As they are now.', width: 14 },
          ['host'],
          [
            { title: 'CPUs', unit: 'none', expr: by('jobmeter_node_cores') },
            { title: 'busy', unit: 'none', expr: by('jobmeter_node_busy_cores') },
            { title: 'load', unit: 'none', expr: by('jobmeter_node_load') },
            { title: 'memory', unit: 'bytes', expr: by('jobmeter_node_memory_bytes') },
            { title: 'of', unit: 'bytes', expr: by('jobmeter_node_memory_size_bytes') },
            { title: 'GPUs', unit: 'none', expr: by('jobmeter_node_gpus') },
            { title: 'GPUs idle', unit: 'none', expr: by('jobmeter_node_gpus_idle') },
          ],
          [toHost()],
        ),
        table(
          { title: 'Policies violated', says: 'See jobmeter hogs for who and why.', width: 10 },
          ['host', 'policy', 'severity'],
          [
            {
              title: 'violations',
              unit: 'none',
              expr: `sum by (host, policy, severity) (jobmeter_node_violations{${on}})`,
            },
          ],
          [toHost()],
        ),
      ],
    },
  ],
}
