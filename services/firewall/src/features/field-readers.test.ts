import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import type { ReadFields } from '../kinds/field-reader.ts'
import { fieldReaders } from './field-readers.ts'

test('every reader that a feature exports is listed, so that what it reads counts as enforced', async () => {
  const files = globSync('*/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
  const unlisted: string[] = []
  for (const file of files) {
    const exported: Record<string, unknown> = await import(`./${file}`)
    for (const [name, value] of Object.entries(exported)) {
      if ([value].flat().some((one) => isReader(one) && !fieldReaders.includes(one)))
        unlisted.push(`${file} ${name}`)
    }
  }
  assert.ok(fieldReaders.length > 50)
  assert.deepEqual(unlisted, [])
})

function isReader(value: unknown): value is ReadFields {
  return typeof value === 'object' && value !== null && 'kinds' in value && 'of' in value
}
