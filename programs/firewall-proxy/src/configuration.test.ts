import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfiguration } from './configuration.ts'

test('settings and plugins of a rule set are looked for beside its rules, unless the configuration names others', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'proxy.json')
  const rulesSaid = (rules: object) => {
    writeFileSync(file, JSON.stringify({ key: 'secret', rules }))
    return loadConfiguration(file).rules
  }
  mkdirSync(join(root, 'crs', 'rules'), { recursive: true })
  const before = rulesSaid({ folder: './crs/rules' })
  assert.equal(before.folder, join(root, 'crs', 'rules'))
  assert.equal(before.plugins, join(root, 'crs', 'plugins'))
  assert.equal(before.setup, '/etc/modsecurity/crs/crs-setup.conf')

  writeFileSync(join(root, 'crs', 'crs-setup.conf'), '')
  assert.equal(rulesSaid({ folder: './crs/rules' }).setup, join(root, 'crs', 'crs-setup.conf'))
  const named = rulesSaid({ folder: './crs/rules', setup: './own.conf', plugins: './own' })
  assert.deepEqual([named.setup, named.plugins], [join(root, 'own.conf'), join(root, 'own')])
})

test('says where a configuration is no JSON, and repeats nothing of it', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'proxy.json')
  for (const [text, place] of [
    ['{"key": s3cret}', ''],
    ['{\n"key": "s3cret"x}', ' \\(line 2 column 16\\)'],
  ] as const) {
    writeFileSync(file, text)
    const message = new RegExp(`^The configuration ${file} cannot be read: it is not valid JSON${place}$`)
    assert.throws(() => loadConfiguration(file), { message })
  }
})
