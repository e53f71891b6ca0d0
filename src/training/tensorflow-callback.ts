import {
  ResourceMonitorCallback,
  type ResourceMonitorOptions,
} from './resource-monitor-callback.ts'

/**
 * What `model.fit` of TensorFlow.js takes under `callbacks`.
 *
 * @see tensorflowCallback
 */
export interface TensorflowCallback {
  onTrainBegin(): Promise<void>
  onTrainEnd(): void
  onEpochBegin(epoch: number): void
  onEpochEnd(epoch: number): void
  onBatchBegin(batch: number): void
  onBatchEnd(batch: number): void
}

/**
 * The callback for `model.fit` and `model.fitDataset` of TensorFlow.js. Takes options, or a callback that is made already.
 *
 * @example
 * ```ts
 * import { tensorflowCallback, type TensorflowCallback } from 'jobmeter'
 *
 * const options = { logInterval: 5, exportTimeseries: false, print() {} }
 * const callbacks: TensorflowCallback = tensorflowCallback(options)
 * // await model.fit(xs, ys, { epochs: 3, callbacks })
 * await callbacks.onTrainBegin()
 * callbacks.onTrainEnd()
 * ```
 */
export function tensorflowCallback(
  monitor: ResourceMonitorCallback | ResourceMonitorOptions = {},
): TensorflowCallback {
  const callback =
    monitor instanceof ResourceMonitorCallback ? monitor : new ResourceMonitorCallback(monitor)
  return {
    onTrainBegin: () => callback.onTrainStart(),
    onTrainEnd: () => callback.onTrainEnd(),
    onEpochBegin: (epoch) => callback.onEpochStart(epoch),
    onEpochEnd: (epoch) => void callback.onEpochEnd(epoch),
    onBatchBegin: (batch) => callback.onBatchStart(batch),
    onBatchEnd: (batch) => void callback.onBatchEnd(batch),
  }
}
