import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { loadRuleSets } from './rule-sets.ts'

const storages = { of: () => new MemoryCollectionStorage() }
const connection = { clientAddress: '192.0.2.1', clientPort: 1, serverAddress: '192.0.2.2', serverPort: 80 }

/** Rules, and plugins by their file names, in a folder of their own. */
function rulesIn(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'rules-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const folder of ['rules', 'plugins']) mkdirSync(join(root, folder))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const [folder, plugins] = [join(root, 'rules'), join(root, 'plugins')]
  return loadRuleSets({ named: { folder, plugins }, withoutRules: 'refuse' }, storages)
}

function appending(id: number, word: string): string {
  return `SecAction "id:${id},phase:1,pass,nolog,setvar:'tx.order=%{tx.order} ${word}'"\n`
}

test('plugins are read around the rules: configuration, what goes before, and what goes after', (t) => {
  const rules = rulesIn(t, {
    'plugins/b-after.conf': appending(1, 'after'),
    'plugins/z-before.conf': appending(2, 'before-z'),
    'plugins/a-before.conf': appending(3, 'before-a'),
    'plugins/b-config.conf': appending(4, 'config'),
    'rules/rules.conf': appending(5, 'rules'),
  })
  assert.ok('active' in rules)
  const transaction = rules.active.newTransaction({ connection })
  transaction.requestHeaders({ method: 'GET', uri: '/', protocol: 'HTTP/1.1', headers: [] })
  assert.equal(transaction.tx('order'), ' config before-a before-z rules after')
})

test('the same rules block where services are active and only tell where they are passive', (t) => {
  const rules = rulesIn(t, { 'rules/rules.conf': 'SecRule ARGS "@rx evil" "id:1,phase:1,deny,log"' })
  assert.ok('active' in rules)
  const counts = [rules.active, rules.passive].map((set) => {
    const transaction = set.newTransaction({ connection })
    const interruption = transaction.requestHeaders({
      method: 'GET',
      uri: '/?a=evil',
      protocol: 'HTTP/1.1',
      headers: [],
    })
    return [interruption?.status, transaction.matches.length]
  })
  assert.deepEqual(counts, [
    [403, 1],
    [undefined, 1],
  ])
})

test('what is wrong with the rules is told with file and line', (t) => {
  const rules = rulesIn(t, { 'rules/rules.conf': '\nSecRule ARGS "@rx (" "id:1,phase:1,deny"' })
  assert.match('problem' in rules ? rules.problem : '', /rules\.conf:2/)
  const unknown = rulesIn(t, { 'rules/rules.conf': 'SecNonsense On' })
  assert.match(
    'problem' in unknown ? unknown.problem : '',
    /^The rules cannot be loaded: \S+rules\.conf:1: SecNonsense: this directive is not known\.$/,
  )
})

test('rules that work otherwise than they read are told of, and work', (t) => {
  const rules = rulesIn(t, {
    'rules/rules.conf':
      'SecRule REMOTE_ADDR "@geoLookup" "id:1,phase:1,pass"\nSecRule ARGS "@rx a" "id:2,phase:1,pass,skipAfter:NOWHERE"',
  })
  assert.ok('notice' in rules)
  assert.match(
    rules.notice,
    /^Rule 1 can never match here: .+\. Rule 2 skips the rest of its phase .* NOWHERE /,
  )
})

test('a rule that refuses every request for want of settings is told of', (t) => {
  const guard = `SecRule &TX:version "@eq 0" "id:1,phase:1,deny,status:500,msg:'There is no version'"\n`
  const refusing = rulesIn(t, { 'rules/rules.conf': guard })
  assert.equal(
    'notice' in refusing && refusing.notice,
    'Rule 1 refuses every request where services are Active: There is no version.',
  )
  const version = 'SecAction "id:2,phase:1,pass,nolog,setvar:tx.version=4"\n'
  const willing = rulesIn(t, { 'rules/rules.conf': version + guard })
  assert.equal('notice' in willing && willing.notice, '')
})

test('of many rules that can never match twenty are named, so that a report of any rules can be sent', (t) => {
  const sleeping = Array.from(
    { length: 2000 },
    (_, at) => `SecRule REMOTE_ADDR "@geoLookup" "id:${at + 1},phase:1,pass"`,
  )
  const rules = rulesIn(t, { 'rules/rules.conf': sleeping.join('\n') })
  assert.ok('notice' in rules)
  assert.match(rules.notice, /^Rules 1, 2, .*, 20 and 1980 more can never match here: /)
  assert.ok(rules.notice.length < 4096)
})
