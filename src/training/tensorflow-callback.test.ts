import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tensorflowCallback } from './tensorflow-callback.ts'
import { ResourceMonitorCallback } from './resource-monitor-callback.ts'

describe('the callback in model.fit of TensorFlow.js', () => {
  let directory: string
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-tfjs-'))
    await tf.setBackend('cpu')
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  function training(): { model: tf.Sequential; xs: tf.Tensor; ys: tf.Tensor } {
    const model = tf.sequential({
      layers: [
        tf.layers.dense({ inputShape: [8], units: 16, activation: 'relu' }),
        tf.layers.dense({ units: 1 }),
      ],
    })
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' })
    const xs = tf.randomNormal([96, 8])
    return { model, xs, ys: xs.sum(1, true) }
  }

  it('logs and writes while a real model is trained', async () => {
    const { model, xs, ys } = training()
    const printed: string[] = []
    const callbacks = tensorflowCallback({
      logInterval: 5,
      memoryThreshold: 0.001,
      timeseriesPath: directory,
      print: (text) => printed.push(text),
    })
    const history = await model.fit(xs, ys, { epochs: 3, batchSize: 8, verbose: 0, callbacks })
    expect(history.epoch).toEqual([0, 1, 2])
    const blocks = printed.filter((text) => text.startsWith('[Resources] Batch'))
    expect(blocks.map((text) => text.split('\n')[0])).toEqual(
      [0, 5, 10, 0, 5, 10, 0, 5, 10].map((batch) => `[Resources] Batch ${batch}:`),
    )
    expect(blocks[0]).toContain('High memory usage')
    expect(blocks.at(-1)).toMatch(/Time: batch \d+\.\d ms \(p95 \d+\.\d\), data loading \d+\.\d ms/)
    expect(readdirSync(directory).toSorted()).toEqual(['epoch_0.csv', 'epoch_1.csv', 'epoch_2.csv'])
    const steps = readFileSync(join(directory, 'epoch_1.csv'), 'utf8').split('\n').slice(1, -1)
    expect(steps.map((row) => row.split(',')[0])).toEqual(['0', '5', '10'])
  })

  it('does nothing where it is off', async () => {
    const { model, xs, ys } = training()
    const off = new ResourceMonitorCallback({
      enabled: false,
      timeseriesPath: directory,
      print: (text) => expect.fail(text),
    })
    await model.fit(xs, ys, { epochs: 1, verbose: 0, callbacks: tensorflowCallback(off) })
    expect(readdirSync(directory)).toEqual([])
  })
})
