import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { MIB } from '../extent.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'

test('7-Zip sees in a differencing disk what this library sees', async (t) => {
  if (!hasOracle(t, '7z')) return
  const directory = await temporaryDirectory(t)
  let ran = 0
  for (const { format, parent, child, content } of differencingFamilies(8 * MIB)) {
    const path = join(directory, `child.${format}`)
    await writeFile(join(directory, `parent.${format}`), parent)
    await writeFile(path, child)
    const out = join(directory, format)
    const answer = askOracle('7z', 'e', '-y', `-t${format}`, `-o${out}`, path)
    assert.equal(answer.status, 0, answer.text)
    assert.ok((await readFile(join(out, 'child.img'))).equals(content), format)
    ran++
  }
  assert.equal(ran, 2)
})
