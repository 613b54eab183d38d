import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { loadConfiguration } from './configuration.ts'
import { ConfigurationError, configurationMembers } from './configuration-members.ts'
import { ruleFilesOf } from './inspection/rule-files.ts'
import { loadRuleSets } from './inspection/rule-sets.ts'

test('settings and plugins of a rule set are looked for beside its rules, unless the configuration names others', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'proxy.json')
  const filesOf = (rules: object) => {
    writeFileSync(file, JSON.stringify({ key: 'secret', rules }))
    return ruleFilesOf(loadConfiguration(file).rules)
  }
  mkdirSync(join(root, 'crs', 'rules'), { recursive: true })
  const before = filesOf({ folder: './crs/rules' })
  assert.equal(before.folder, join(root, 'crs', 'rules'))
  assert.equal(before.plugins, join(root, 'crs', 'plugins'))
  assert.equal(before.setup, undefined, 'never the settings of another release')

  writeFileSync(join(root, 'crs', 'crs-setup.conf.example'), '')
  assert.equal(filesOf({ folder: './crs/rules' }).setup, join(root, 'crs', 'crs-setup.conf.example'))
  writeFileSync(join(root, 'crs', 'crs-setup.conf'), '')
  assert.equal(filesOf({ folder: './crs/rules' }).setup, join(root, 'crs', 'crs-setup.conf'))
  writeFileSync(join(root, 'own.conf'), '')
  mkdirSync(join(root, 'own'))
  const files = filesOf({ folder: './crs/rules', setup: './own.conf', plugins: './own' })
  assert.deepEqual([files.setup, files.plugins], [join(root, 'own.conf'), join(root, 'own')])
})

test('a file of rules that somebody named and that is missing is a fault, whichever it is', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'proxy.json')
  let ran = 0
  for (const member of ['settings', 'setup', 'folder', 'plugins']) {
    writeFileSync(file, JSON.stringify({ key: 'secret', rules: { [member]: './gone' } }))
    const { rules } = loadConfiguration(file)
    const message = `rules.${member} names ${join(root, 'gone')}, which does not exist`
    assert.throws(() => ruleFilesOf(rules), { message })
    const loaded = loadRuleSets(rules, { of: () => new MemoryCollectionStorage() })
    assert.equal('problem' in loaded && loaded.problem, `The rules cannot be loaded: ${message}.`)
    ran++
  }
  assert.equal(ran, 4)
})

test('the folder that a choice file names counts, and changes with the file', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'proxy.json')
  const choice = join(root, 'current.json')
  writeFileSync(
    file,
    JSON.stringify({ key: 'secret', rules: { choiceFile: './current.json', libraryFolder: './libraries' } }),
  )
  const { rules } = loadConfiguration(file)
  assert.equal(rules.libraryFolder, join(root, 'libraries'))
  assert.equal(ruleFilesOf(rules).folder, '/usr/share/modsecurity-crs/rules')
  for (const release of ['4.1.0', '4.2.0']) {
    mkdirSync(join(root, release, 'rules'), { recursive: true })
    writeFileSync(choice, JSON.stringify({ folder: `${release}/rules` }))
    assert.equal(ruleFilesOf(rules).folder, join(root, release, 'rules'))
  }
  writeFileSync(choice, JSON.stringify({ folder: 'gone/rules' }))
  assert.throws(() => ruleFilesOf(rules), /current\.json names .*gone\/rules, which does not exist/)
})

test('without rules, Active services may be left to policies alone, where the owner says so', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const storages = { of: () => new MemoryCollectionStorage() }
  const paths = { folder: root }
  const shut = loadRuleSets({ named: paths, withoutRules: 'refuse' }, storages)
  assert.match('problem' in shut ? shut.problem : '', /There are no rules in .*palisade rules install/)
  const open = loadRuleSets({ named: paths, withoutRules: 'policies-only' }, storages)
  assert.ok('active' in open)
  assert.match(open.notice, /security policies alone judge requests.*palisade rules install/)
  const file = join(root, 'proxy.json')
  writeFileSync(file, JSON.stringify({ key: 'secret', rules: { withoutRules: 'maybe' } }))
  assert.throws(
    () => loadConfiguration(file),
    /rules\.withoutRules is "maybe"; expected: refuse, basic-rules, or policies-only/,
  )
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

test('every member that is of a wrong type or misspelt is named, with what it may be', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'configuration-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'proxy.json')
  const refusal = (document: object): string => {
    writeFileSync(file, JSON.stringify({ key: 'secret', ...document }))
    let message = ''
    assert.throws(
      () => loadConfiguration(file),
      (error) => {
        assert.ok(error instanceof ConfigurationError, String(error))
        message = error.message
        return true
      },
    )
    assert.doesNotMatch(message, /s3cret|undefined|\[object/)
    return message
  }
  const secret = ['s3cret']
  const within = (path: readonly string[], value: unknown): object => {
    const [name = '', ...rest] = path
    return { [name]: rest.length === 0 ? value : within(rest, value) }
  }
  const paths = Object.entries(configurationMembers).flatMap(([name, inner]) => [
    [name],
    ...inner.map((one) => [name, one]),
  ])
  let ran = 0
  for (const path of paths) {
    const name = path.join('.')
    const sentence = refusal(within(path, secret))
    assert.match(sentence, new RegExp(`^The configuration is not valid: ${name} must be [^.]`), sentence)
    const misspelt = `${name}${name.at(-1)}`
    assert.equal(
      refusal(within(misspelt.split('.'), secret)),
      `The configuration is not valid: there is no member ${misspelt}; did you mean ${name}?`,
    )
    ran++
  }
  assert.equal(ran, 34)
  assert.match(refusal({ logLevel: 'loud' }), /logLevel must be one of trace, debug, info/)
  assert.match(refusal({ workers: 0 }), /workers must be "cores" or a whole number from 1 to 256/)
  assert.match(
    refusal({ caFile: 'gone.pem' }),
    /caFile names .*gone\.pem, which cannot be read: there is no such file\.$/,
  )
  assert.match(
    refusal({ caFile: 'proxy.json' }),
    /caFile names .*, which does not begin with a certificate in PEM\.$/,
  )
})
