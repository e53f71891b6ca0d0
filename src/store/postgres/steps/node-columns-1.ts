/** Of version 2 of an agent's database. Steps do not follow what changes since. */
const words = (text: string): string[] => text.trim().split(/\s+/)
export const amounts = words(`cpu_us read_bytes write_bytes gpu_us energy_mj memory_kib_ms
  gpu_memory_kib_ms short_processes short_cpu_us`)
export const peaks = words(`cpu_peak_millicores memory_peak_kib gpu_memory_peak_kib processes_peak
  threads_peak zombies_peak`)
export const roundFigures =
  words(`cores memory_total_kib gpus gpu_memory_total_kib load_milli swap_kib
  io_wait_us net_received_bytes net_sent_bytes`)
export const capacities = words('core_ms memory_total_kib_ms gpu_ms gpu_memory_total_kib_ms')
export const deviceFigures = words(`in_bytes out_bytes busy_us energy_mj in_peak_bytes_per_second
  out_peak_bytes_per_second busy_peak_millionths power_peak_mw memory_peak_kib`)
