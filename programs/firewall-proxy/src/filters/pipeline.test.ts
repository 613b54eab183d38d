import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { requestStages } from './filter.ts'
import { requestPipeline, responsePipeline } from './pipeline.ts'

const pipeline = new Set([...requestPipeline, ...responsePipeline])
const inPipeline: ReadonlySet<unknown> = pipeline

/** Whether what a file exports describes a filter. */
function isDescriptor(exported: unknown): boolean {
  return typeof exported === 'object' && exported !== null && 'make' in exported && 'isShared' in exported
}

test('every filter that a file exports is in the pipeline', async () => {
  const folder = import.meta.dirname
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !/\.(?:test|d)\.ts$/.test(file))
  const descriptors = new Set<unknown>()
  for (const file of files) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(folder, file)).href)
    for (const [name, value] of Object.entries(exported)) {
      if (!isDescriptor(value)) continue
      descriptors.add(value)
      assert.ok(inPipeline.has(value), `${name} of ${file} is in no list of pipeline.ts`)
    }
  }
  assert.equal(descriptors.size, pipeline.size)
  assert.ok(descriptors.size > 20)
})

test('the name of a filter is that of no other one, and no list has a filter twice', () => {
  const names = Array.from(pipeline, ({ name }) => name)
  assert.deepEqual([...new Set(names)], names)
  for (const list of [requestPipeline, responsePipeline]) assert.equal(new Set(list).size, list.length)
})

test('the stages of filters follow each other, and filters of answers alone have none', () => {
  const stages = requestPipeline.map(({ name, stage }) => {
    assert.ok(stage, `${name} sees requests and has no stage`)
    return requestStages.indexOf(stage)
  })
  assert.deepEqual(
    stages.toSorted((one, other) => one - other),
    stages,
  )
  for (const descriptor of responsePipeline) {
    if (!requestPipeline.includes(descriptor)) assert.equal(descriptor.stage, undefined, descriptor.name)
  }
})
